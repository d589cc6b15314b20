import { foldCase } from "../pattern/fold_case.ts";
import { lookAtCommand, singleSpaced } from "../shell/plain_command.ts";
import type { Facts } from "../tools/facts.ts";
import { GuardRules } from "./guard_rules.ts";
import { HEAD_LENGTH, keyOf, type RuleKey } from "./rule_keys.ts";
import type { Entry } from "./rule_table.ts";
import { searchedPaths } from "./search_matcher.ts";

/** Below this many rules of a tool, trying each is cheaper than looking them up. */
const WORTH_IT = 16;

/** What a call has that rules are found by. */
interface Wanted {
  readonly kind: RuleKey["kind"];
  readonly texts: Iterable<string>;
}

/**
 * The rules of one tool, found by what a call must have for them to fit: how its command begins, a folder or file name in
 * its path, its host.
 *
 * INVARIANT: `candidates` leaves out only entries that match "no", and those that match "unknown" behind another of the
 * same source that does. A law test holds it to the full list.
 */
export class RuleIndex {
  readonly #entries: readonly Entry[];
  readonly #always: number[] = [];
  readonly #keyed: Readonly<Record<RuleKey["kind"], Map<string, number[]>>> = {
    head: new Map(),
    name: new Map(),
    host: new Map(),
  };
  readonly #headLengths = new Set<number>();
  readonly #guards: GuardRules;

  /** Indexes the entries; their order is kept. */
  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
    const indexed = entries.length > WORTH_IT ? entries : [];
    this.#guards = new GuardRules(indexed);
    for (const [place, entry] of indexed.entries()) {
      const key = keyOf(entry);
      if (key === undefined) this.#always.push(place);
      else this.#add(key, place);
    }
  }

  /** The entries that may fit the call, in order. */
  candidates(facts: Facts): readonly Entry[] {
    if (this.#entries.length <= WORTH_IT) return this.#entries;
    const wanted = this.#keysOf(facts);
    if (wanted === undefined) return this.#entries;
    const places = new Set(this.#always);
    for (const place of this.#guardsFor(facts)) places.add(place);
    const keyed = this.#keyed[wanted.kind];
    for (const text of wanted.texts) {
      for (const place of keyed.get(text) ?? []) places.add(place);
    }
    return [...places].sort((a, b) => a - b).map((place) => this.#entries[place]!);
  }

  #add({ kind, text }: RuleKey, place: number): void {
    if (kind === "head") this.#headLengths.add(text.length);
    const places = this.#keyed[kind].get(text);
    if (places) places.push(place);
    else this.#keyed[kind].set(text, [place]);
  }

  /** What the call has to look up; undefined when every rule must be tried. */
  #keysOf(facts: Facts): Wanted | undefined {
    const { first, profile } = facts;
    if (profile.searches) return namesOf(facts, searchedPaths(facts, profile.searches));
    if (first.state !== "text") return undefined;
    switch (profile.kind) {
      case "command":
      case "text":
        return { kind: "head", texts: this.#heads([first.text, singleSpaced(first.text)]) };
      case "path":
        return namesOf(facts, [first.text]);
      case "url": {
        const url = facts.url(first.text);
        return url.ok ? { kind: "host", texts: hosts(url.host) } : undefined;
      }
    }
  }

  *#heads(texts: readonly string[]): Iterable<string> {
    for (const text of new Set(texts)) {
      const head = foldCase(text.slice(0, HEAD_LENGTH));
      for (const length of this.#headLengths) {
        if (length <= head.length) yield head.slice(0, length);
      }
    }
  }

  /** The rules that cannot be evaluated for a command line that is not plain. */
  #guardsFor({ first, profile }: Facts): readonly number[] {
    if (first.state !== "text" || profile.kind !== "command") return [];
    const look = lookAtCommand(singleSpaced(first.text));
    switch (look.kind) {
      case "plain":
        return [];
      case "compound":
        return this.#guards.first();
      case "quoted":
        return this.#guards.beginningWith(foldCase(look.head));
    }
  }
}

/** Every name on the way to one of the files; undefined when one of the paths is malformed or not known. */
function namesOf(facts: Facts, paths: readonly string[] | undefined): Wanted | undefined {
  const texts = new Set<string>();
  for (const text of paths ?? []) {
    const path = facts.path(text);
    if (!path.ok) return undefined;
    for (const spelling of [text, ...path.forms.map((form) => form.root)]) {
      const folded = foldCase(spelling);
      for (const name of folded.split("/")) texts.add(name);
      if (!folded.includes("\\")) continue;
      // A backslash parts names on Windows only, and else may be part of one.
      for (const name of folded.split(/[\\/]/)) texts.add(name);
    }
  }
  return paths && { kind: "name", texts };
}

/** The host and every one above it. */
function* hosts(host: string): Iterable<string> {
  for (let at = 0; at >= 0; at = host.indexOf(".", at + 1)) {
    yield host.slice(at === 0 ? 0 : at + 1);
  }
}
