import { foldCase } from "../pattern/fold_case.ts";
import { lookAtCommand, singleSpaced } from "../shell/plain_command.ts";
import type { Facts } from "../tools/facts.ts";
import { GuardRules } from "./guard_rules.ts";
import { HEAD_LENGTH, keyOf } from "./rule_keys.ts";
import type { Entry } from "./rule_table.ts";
import { searchedPaths } from "./search_matcher.ts";

/** Below this many rules of a tool, trying each is cheaper than looking them up. */
const WORTH_IT = 16;

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
  readonly #keyed = new Map<string, number[]>();
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
    const keys = this.#keysOf(facts);
    if (keys === undefined) return this.#entries;
    const places = new Set(this.#always);
    for (const place of this.#guardsFor(facts)) places.add(place);
    for (const key of keys) {
      for (const place of this.#keyed.get(key) ?? []) places.add(place);
    }
    return [...places].sort((a, b) => a - b).map((place) => this.#entries[place]!);
  }

  #add(key: string, place: number): void {
    if (key.startsWith("head ")) this.#headLengths.add(key.length);
    const places = this.#keyed.get(key);
    if (places) places.push(place);
    else this.#keyed.set(key, [place]);
  }

  /** What the call has to look up; undefined when every rule must be tried. */
  #keysOf(facts: Facts): Iterable<string> | undefined {
    const { first, profile } = facts;
    if (profile.searches) return pathKeys(facts, searchedPaths(facts, profile.searches));
    if (first.state !== "text") return undefined;
    switch (profile.kind) {
      case "command":
      case "text":
        return this.#heads([first.text, singleSpaced(first.text)]);
      case "path":
        return pathKeys(facts, [first.text]);
      case "url": {
        const url = facts.url(first.text);
        return url.ok ? hostKeys(url.host) : undefined;
      }
    }
  }

  *#heads(texts: readonly string[]): Iterable<string> {
    for (const text of new Set(texts)) {
      const key = `head ${foldCase(text.slice(0, HEAD_LENGTH))}`;
      for (const length of this.#headLengths) {
        if (length <= key.length) yield key.slice(0, length);
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
function pathKeys(facts: Facts, paths: readonly string[] | undefined): Set<string> | undefined {
  const keys = new Set<string>();
  for (const text of paths ?? []) {
    const path = facts.path(text);
    if (!path.ok) return undefined;
    for (const spelling of [text, ...path.forms.map((form) => form.root)]) {
      // A backslash parts names on Windows only, and in a pattern it may be part of one.
      for (const name of [...spelling.split("/"), ...spelling.split(/[\\/]/)]) {
        keys.add(`segment ${foldCase(name)}`);
      }
    }
  }
  return paths && keys;
}

function* hostKeys(host: string): Iterable<string> {
  for (let at = 0; at >= 0; at = host.indexOf(".", at + 1)) {
    yield `host ${host.slice(at === 0 ? 0 : at + 1)}`;
  }
}
