import { foldCase } from "../../pattern/unicode.ts";
import { scanCommand, singleSpaced } from "../../shell/scan_command.ts";
import { firstOpen } from "../../shell/parse/tree.ts";
import type { Request } from "./request.ts";
import type { LineEffect } from "./request_options.ts";
import { IndeterminateRules } from "./indeterminate_rules.ts";
import { HASH_START, hashed, HEAD_LENGTH, keyOf, mixed, type RuleKey } from "./rule_keys.ts";
import type { ToolRule } from "./compiled_policy.ts";
import { searchedPaths } from "./value_matcher.ts";

/** Below this many rules of a tool, trying each is cheaper than looking them up. */
const WORTH_IT = 16;

/** The hashes of a call's texts, by which rules are found. */
interface Wanted {
  readonly kind: RuleKey["kind"];
  readonly hashes: readonly number[];
}

/**
 * The rules of one tool, found by what a call must have for them to fit: how its command begins, a folder or file name in
 * its path, its host. Keys are hashes of 32 bits, since a new text costs more to look up than all else: two keys that share
 * one only mean a candidate more.
 *
 * INVARIANT: `candidates` omits only rules that match "no", and those that match "indeterminate" behind another of the
 * same source that does. A law test holds it to the full list.
 */
export class RuleIndex {
  readonly #rules: readonly ToolRule[];
  readonly #always: number[] = [];
  readonly #keyed: Readonly<Record<RuleKey["kind"], Map<number, number[]>>> = {
    head: new Map(),
    name: new Map(),
    host: new Map(),
  };
  /** Bit n is set where some head is n long. */
  #headLengths = 0;
  readonly #indeterminate: IndeterminateRules;
  readonly #parsed: boolean;

  /** Indexes rules; their order is kept. */
  constructor(toolRules: readonly ToolRule[]) {
    this.#rules = toolRules;
    this.#parsed = toolRules.some(({ readAs }) => readAs?.shell === "parsed");
    const indexed = toolRules.length > WORTH_IT ? toolRules : [];
    this.#indeterminate = new IndeterminateRules(indexed);
    for (const [place, toolRule] of indexed.entries()) {
      const key = keyOf(toolRule);
      if (key === undefined) this.#always.push(place);
      else this.#add(key, place);
    }
  }

  /** The rules that may fit the call, in order. */
  candidates(request: Request): readonly ToolRule[] {
    if (this.#rules.length <= WORTH_IT) return this.#rules;
    const wanted = this.#keysOf(request);
    if (wanted === undefined) return this.#rules;
    const lists = this.#indeterminateFor(request);
    for (const hash of wanted.hashes) {
      const places = this.#keyed[wanted.kind].get(hash);
      if (places) lists.push(places);
    }
    // Rules without a key mostly catch what is left at the end, so that the places come in order.
    lists.push(this.#always);
    return this.#inOrder(lists);
  }

  /** The rules at these places, each once. */
  #inOrder(lists: readonly (readonly number[])[]): readonly ToolRule[] {
    const places: number[] = [];
    let ordered = true;
    for (const list of lists) {
      for (const place of list) {
        ordered &&= places.length === 0 || place > places[places.length - 1]!;
        places.push(place);
      }
    }
    if (!ordered) places.sort((a, b) => a - b);
    const found: ToolRule[] = [];
    let last = -1;
    for (const place of places) {
      if (place !== last) found.push(this.#rules[place]!);
      last = place;
    }
    return found;
  }

  #add({ kind, text }: RuleKey, place: number): void {
    if (kind === "head") this.#headLengths |= 1 << text.length;
    const hash = hashed(text);
    const places = this.#keyed[kind].get(hash);
    if (places) places.push(place);
    else this.#keyed[kind].set(hash, [place]);
  }

  /** The keys of a call; undefined if every rule must be tried. */
  #keysOf(request: Request): Wanted | undefined {
    const { first, profile } = request;
    if (profile.searches) return namesOf(request, searchedPaths(request, profile.searches));
    if (first.state !== "text") return undefined;
    switch (profile.kind) {
      case "command":
        // A line that was not taken apart may run anything that stands in it.
        if (this.#parsed && !request.part && profile.shell !== "other") return undefined;
        return { kind: "head", hashes: this.#headsOf(commandTexts(first.text, request)) };
      case "text":
        return { kind: "head", hashes: this.#headsOf([first.text]) };
      case "path":
        return namesOf(request, [first.text]);
      case "url": {
        const url = request.url(first.text);
        return url.ok ? { kind: "host", hashes: hosts(url.host) } : undefined;
      }
    }
  }

  #headsOf(texts: readonly string[]): readonly number[] {
    const hashes: number[] = [];
    let before: string | undefined;
    for (const text of texts) {
      const head = foldCase(text.slice(0, HEAD_LENGTH));
      if (head === before) continue;
      before = head;
      let hash = HASH_START;
      for (let length = 1; length <= head.length; length++) {
        hash = mixed(hash, head.charCodeAt(length - 1));
        if (this.#headLengths & (1 << length)) hashes.push(hash);
      }
    }
    return hashes;
  }

  /** The rules that cannot be evaluated for what the line does not fix. */
  #indeterminateFor({ first, profile, part }: Request): (readonly number[])[] {
    if (first.state !== "text" || profile.kind !== "command") return [];
    if (profile.shell === "other") return [this.#indeterminateForForeign(first.text)];
    // Of a whole line only its text is known.
    if (!part) return [this.#indeterminate.first()];
    if (part.effect.kind === "opaque") {
      return part.effect.isOrdinaryScript ? [] : [this.#indeterminate.first()];
    }
    const lists: (readonly number[])[] = [];
    for (const { text, template } of part.effect.denyTexts) {
      if (text !== template) {
        lists.push(this.#indeterminate.beginningWith(fixedBeginning(template)));
      }
    }
    return lists;
  }

  #indeterminateForForeign(text: string): readonly number[] {
    const look = scanCommand(singleSpaced(text));
    switch (look.kind) {
      case "plain":
        return [];
      case "compound":
        return this.#indeterminate.first();
      case "quoted":
        return this.#indeterminate.beginningWith(foldCase(look.head));
    }
  }
}

/** Every text of a command that a rule may begin as: of the unit, or of the line. */
function commandTexts(text: string, { part, profile }: Request): readonly string[] {
  if (profile.shell === "other") return [text, singleSpaced(text)];
  return part ? [...unitTexts(part)] : [text];
}

function* unitTexts({ effect, line }: LineEffect): Iterable<string> {
  for (const { text } of effect.allowTexts) yield text;
  for (const { text } of effect.denyTexts) yield text;
  yield line.text;
  const spaced = line.spacedText;
  if (spaced !== undefined) yield spaced;
  yield* line.bareTexts ?? [];
}

/** The folded text before the first piece that the line does not fix. */
export function fixedBeginning(shape: string): string {
  return foldCase(shape.slice(0, firstOpen(shape)));
}

/** Every name on the way to one of the files; undefined when one of the paths is malformed or not known. */
function namesOf(request: Request, paths: readonly string[] | undefined): Wanted | undefined {
  const hashes: number[] = [];
  for (const text of paths ?? []) {
    const path = request.path(text);
    if (!path.ok) return undefined;
    const roots = path.forms.map((form) => form.root);
    // Most paths are given as they are, so that their own names are among those of the root.
    const given = roots.some((root) => `/${root}` === text || root.endsWith(`/${text}`));
    for (const spelling of given ? roots : [text, ...roots]) {
      const folded = foldCase(spelling);
      addNames(hashes, folded);
      // A backslash parts names on Windows only, and else may be part of one.
      if (folded.includes("\\")) addNames(hashes, folded.replaceAll("\\", "/"));
    }
  }
  return paths && { kind: "name", hashes };
}

function addNames(hashes: number[], path: string): void {
  let hash = HASH_START;
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at);
    if (code !== SLASH) hash = mixed(hash, code);
    else {
      hashes.push(hash);
      hash = HASH_START;
    }
  }
  hashes.push(hash);
}

const SLASH = 0x2f;

/** The host and every one above it. */
function hosts(host: string): readonly number[] {
  const hashes = [hashed(host)];
  for (let at = host.indexOf("."); at >= 0; at = host.indexOf(".", at + 1)) {
    hashes.push(hashed(host.slice(at + 1)));
  }
  return hashes;
}
