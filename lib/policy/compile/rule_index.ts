import { foldCase } from "../../pattern/unicode.ts";
import { scanCommand, singleSpaced } from "../../shell/scan_command.ts";
import { firstOpen } from "../../shell/parse/tree.ts";
import type { CommandLine } from "../../shell/effect.ts";
import type { Request } from "./request.ts";
import type { FoundRules } from "./request_options.ts";
import { IndeterminateRules } from "./indeterminate_rules.ts";
import {
  addNamesOf,
  HASH_START,
  hashed,
  HEAD_LENGTH,
  hostHashes,
  keyOf,
  mixed,
  noteFewRules,
  type RuleKey,
} from "./rule_keys.ts";
import type { ToolRule } from "./compiled_policy.ts";
import { searchedPaths } from "./value_matcher.ts";

/** Below this many rules of a tool, trying each is cheaper than looking them up. */
const WORTH_IT = 16;

/** Places of rules by the hash of their key. */
type Places = Map<number, number[]>;

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
  #alwaysRules: readonly ToolRule[] | undefined;
  readonly #keyed: Readonly<Record<RuleKey["kind"], Places>> = {
    words: new Map(),
    head: new Map(),
    name: new Map(),
    host: new Map(),
  };
  /** Bit n is set where some head is n long. */
  #headLengths = 0;
  /** The length of the longest key of words by its first one. */
  readonly #longest = new Map<number, number>();
  readonly #indeterminate: IndeterminateRules;
  readonly #parsed: boolean;
  /** True for rules of which trying each is cheaper than looking them up. */
  readonly isSmall: boolean;
  /** The line that was looked up last, and what its texts begin with: every unit of a line asks for it. */
  #line: { readonly of: CommandLine; readonly lists: readonly (readonly number[])[] } | undefined;

  /** Indexes rules; their order is kept. `among`: the number of rules that these are some of, if they are to be found as those are. */
  constructor(toolRules: readonly ToolRule[], among: number = toolRules.length) {
    this.#rules = toolRules;
    this.#parsed = toolRules.some(({ readAs }) => readAs?.shell === "parsed");
    this.isSmall = among <= WORTH_IT;
    if (this.isSmall) noteFewRules(toolRules);
    const indexed = this.isSmall ? [] : toolRules;
    this.#indeterminate = new IndeterminateRules(indexed);
    for (const [place, toolRule] of indexed.entries()) {
      const key = keyOf(toolRule);
      if (key === undefined) this.#always.push(place);
      else this.#add(key, place);
    }
  }

  /** The rules that may fit the call, in order. */
  candidates(request: Request): readonly ToolRule[] {
    if (this.isSmall) return this.#rules;
    const at = request.part ?? request;
    return (at.rules?.from === this ? at.rules : at.rules = this.#found(request)).found;
  }

  #found(request: Request): FoundRules {
    return { from: this, found: this.#find(request) };
  }

  #find(request: Request): readonly ToolRule[] {
    const lists = this.#indeterminateFor(request);
    if (!this.#addLists(lists, request)) return this.#rules;
    // Rules without a key mostly catch what is left at the end, so that the places come in order.
    lists.push(this.#always);
    return this.#inOrder(lists);
  }

  /** The rules at these places, each once. */
  #inOrder(lists: readonly (readonly number[])[]): readonly ToolRule[] {
    if (lists.length === 1) return this.#alwaysRules ??= this.#always.map((at) => this.#rules[at]!);
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
    if (kind === "words") {
      const end = text.indexOf(" ", 1);
      const first = hashed(end < 0 ? text : text.slice(0, end));
      this.#longest.set(first, Math.max(this.#longest.get(first) ?? 0, text.length));
    }
    const hash = hashed(text);
    const places = this.#keyed[kind].get(hash);
    if (places) places.push(place);
    else this.#keyed[kind].set(hash, [place]);
  }

  /** Adds the places of rules by the keys of a call; false if every rule must be tried. */
  #addLists(lists: (readonly number[])[], request: Request): boolean {
    const { first, profile } = request;
    if (profile.searches) {
      return this.#addNames(lists, { request, paths: searchedPaths(request, profile.searches) });
    }
    if (first.state !== "text") return false;
    switch (profile.kind) {
      case "command":
        // A line that was not taken apart may run anything that stands in it.
        if (this.#parsed && !request.part && profile.shell !== "other") return false;
        this.#addCommand(lists, { text: first.text, request });
        return true;
      case "text":
        this.#addHeads(lists, first.text);
        return true;
      case "path":
        return this.#addNames(lists, { request, paths: [first.text] });
      case "url": {
        const url = request.url(first.text);
        if (url.ok) {
          for (const hash of hostHashes(url.host)) addPlaces(lists, this.#keyed.host.get(hash));
        }
        return url.ok;
      }
    }
  }

  #addNames(
    lists: (readonly number[])[],
    { request, paths }: {
      readonly request: Request;
      readonly paths: readonly string[] | undefined;
    },
  ): boolean {
    if (paths === undefined) return false;
    const hashes: number[] | undefined = this.#keyed.name.size === 0 ? undefined : [];
    if (!addNamesOf(request, { paths, hashes })) return false;
    if (hashes === undefined) return true;
    for (const hash of hashes) addPlaces(lists, this.#keyed.name.get(hash));
    return true;
  }

  /** Adds by every text of a command that a rule may begin as: of the unit, or of the line. */
  #addCommand(
    lists: (readonly number[])[],
    { text, request: { part, profile } }: { readonly text: string; readonly request: Request },
  ): void {
    if (!part || profile.shell === "other") {
      this.#addHeads(lists, text);
      const spaced = profile.shell === "other" ? singleSpaced(text) : text;
      if (spaced !== text) this.#addHeads(lists, spaced);
      return;
    }
    const { effect, line } = part;
    let before = line.text;
    for (const { text, interpreter } of effect.allowTexts) {
      if (text !== before) this.#addHeads(lists, before = text);
      if (interpreter !== undefined) this.#addHeads(lists, interpreter);
    }
    before = effect.allowTexts[0]?.text ?? line.text;
    for (const { text, template } of effect.denyTexts) {
      const isOpen = text !== template;
      if (isOpen || text !== before && text !== line.text) this.#addHeads(lists, text, isOpen);
    }
    for (const places of this.#placesOf(line)) lists.push(places);
  }

  #placesOf(line: CommandLine): readonly (readonly number[])[] {
    if (this.#line?.of !== line) {
      const lists: (readonly number[])[] = [];
      this.#addHeads(lists, line.text);
      if (line.spacedText !== undefined) this.#addHeads(lists, line.spacedText);
      for (const text of line.bareTexts ?? []) this.#addHeads(lists, text);
      this.#line = { of: line, lists };
    }
    return this.#line.lists;
  }

  /** Adds by the beginning of a text; `isOpen`: any place in it may be one where a word ends. */
  #addHeads(lists: (readonly number[])[], text: string, isOpen = false): void {
    const { words, head } = this.#keyed;
    let hash = HASH_START;
    let end = Math.min(text.length, HEAD_LENGTH);
    let isFirst = !isOpen;
    for (let at = 1, next = text.charCodeAt(0); at <= end; at++) {
      let code = next;
      if (code > 0x7e) return this.#addFolded(lists, text);
      next = at < text.length ? text.charCodeAt(at) : BLANK;
      if (code >= 0x41 && code <= 0x5a) code += 0x20;
      hash = mixed(hash, code);
      if (next === BLANK && isFirst) {
        isFirst = false;
        const longest = Math.max(this.#longest.get(hash) ?? 0, 31 - Math.clz32(this.#headLengths));
        end = Math.min(end, longest);
      }
      if (next === BLANK || isOpen) addPlaces(lists, words.get(hash));
      if (this.#headLengths & (1 << at)) addPlaces(lists, head.get(hash));
    }
  }

  /** The same for a text with letters beyond ASCII, some of which fold to one of it. */
  #addFolded(lists: (readonly number[])[], text: string): void {
    const folded = foldCase(text.slice(0, HEAD_LENGTH));
    let hash = HASH_START;
    for (let at = 0; at < folded.length; at++) {
      hash = mixed(hash, folded.charCodeAt(at));
      addPlaces(lists, this.#keyed.words.get(hash));
      addPlaces(lists, this.#keyed.head.get(hash));
    }
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

const BLANK = 0x20;

function addPlaces(lists: (readonly number[])[], places: readonly number[] | undefined): void {
  if (places !== undefined && !lists.includes(places)) lists.push(places);
}

/** The folded text before the first piece that the line does not fix. */
export function fixedBeginning(shape: string): string {
  return foldCase(shape.slice(0, firstOpen(shape)));
}
