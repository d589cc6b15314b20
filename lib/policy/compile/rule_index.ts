import type { ToolProfile } from "../../model/call.ts";
import { foldCase } from "../../pattern/unicode.ts";
import { scanCommand, singleSpaced } from "../../shell/scan_command.ts";
import type { CommandLine } from "../../shell/effect.ts";
import type { Request } from "./request.ts";
import { fixedBeginning, IndeterminateRules } from "./index/indeterminate_rules.ts";
import { entryOf, FoundKeys, KeyTable } from "./index/key_table.ts";
import {
  addNamesOf,
  HASH_START,
  HEAD_LENGTH,
  hostHashes,
  keyOf,
  mixed,
  noteFewRules,
  type RuleKey,
} from "./rule_keys.ts";
import type { ToolRule } from "./compiled_policy.ts";
import { searchedPaths } from "./value_matcher.ts";

/** Up to this many rules of a tool, trying each is cheaper than looking them up; a path takes longer to try. */
const WORTH_IT = 16;
const WORTH_IT_FOR_PATHS = 6;

/** The table of rules that are tried each. */
const NO_KEYS = new KeyTable();

/** Options of a `RuleIndex`. */
interface RuleIndexOptions {
  /** The kind of the tool. */
  readonly kind?: ToolProfile["kind"];
  /** The number of rules that these are some of, if they are to be found as those are. */
  readonly among?: number;
  /** A key as `keyOf` gives one, or another that a call must have as well. */
  readonly keyOf?: typeof keyOf;
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
  #alwaysRules: readonly ToolRule[] | undefined;
  readonly #keyed: Readonly<Record<RuleKey["kind"], KeyTable>>;
  /** Bit n is set where some head is n long. */
  #headLengths = 0;
  readonly #indeterminate: IndeterminateRules;
  readonly #parsed: boolean;
  /** True for rules of which trying each is cheaper than looking them up. */
  readonly isSmall: boolean;
  /** The line that was looked up last, and what its texts begin with: every unit of a line asks for it. */
  #line: { readonly of: CommandLine; readonly found: FoundKeys } | undefined;

  /** Indexes rules; their order is kept. */
  constructor(
    toolRules: readonly ToolRule[],
    { kind, among = toolRules.length, keyOf: keyFor = keyOf }: RuleIndexOptions = {},
  ) {
    this.#rules = toolRules;
    this.#parsed = toolRules.some(({ readAs }) => readAs?.shell === "parsed");
    this.isSmall = among <= (kind === "path" ? WORTH_IT_FOR_PATHS : WORTH_IT);
    if (this.isSmall) noteFewRules(toolRules);
    const indexed = this.isSmall ? [] : toolRules;
    const table = () => this.isSmall ? NO_KEYS : new KeyTable(indexed.length);
    this.#keyed = { words: table(), head: table(), name: table(), host: table() };
    this.#indeterminate = new IndeterminateRules(indexed);
    for (let place = 0; place < indexed.length; place++) {
      const key = keyFor(indexed[place]!);
      if (key === undefined) this.#always.push(place);
      else this.#add(key, place);
    }
  }

  /** The rules that may fit the call, in order. */
  candidates(request: Request): readonly ToolRule[] {
    if (this.isSmall) return this.#rules;
    const at = request.part ?? request;
    return (at.rules?.from === this
      ? at.rules
      : at.rules = { from: this, found: this.#find(request) }).found;
  }

  #find(request: Request): readonly ToolRule[] {
    const keys = new FoundKeys();
    this.#addIndeterminate(keys, request);
    if (!this.#addKeys(keys, request)) return this.#rules;
    const { first, more } = keys;
    if (first === undefined) return this.#alwaysRules ??= this.#inOrder([this.#always]);
    if (more !== undefined) {
      const lists = more.map(({ places }) => places);
      return this.#inOrder([first.places, ...lists, this.#always]);
    }
    if (first.merged !== undefined) return first.merged;
    const found = this.#inOrder([first.places, this.#always]);
    // Else each key of a large policy would keep a large list.
    if (this.#always.length <= WORTH_IT) first.merged = found;
    return found;
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
    const table = this.#keyed[kind];
    if (kind === "head") this.#headLengths |= 1 << text.length;
    let hash = HASH_START;
    let word: number | undefined;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === BLANK && at > 0) word ??= hash;
      hash = mixed(hash, code);
    }
    table.add(hash, place);
    if (kind === "words") table.lengthen(word ?? hash, text.length);
  }

  /** Adds the keys that a call has; false if every rule must be tried. */
  #addKeys(keys: FoundKeys, request: Request): boolean {
    const { first, profile } = request;
    if (profile.searches) {
      return this.#addNames(keys, { request, paths: searchedPaths(request, profile.searches) });
    }
    if (first.state !== "text") return false;
    switch (profile.kind) {
      case "command":
        // A line that was not taken apart may run anything that stands in it.
        if (this.#parsed && !request.part && profile.shell !== "other") return false;
        this.#addCommand(keys, { text: first.text, request });
        return true;
      case "text":
        this.#addHeads(keys, first.text);
        return true;
      case "path":
        return this.#addNames(keys, { request, paths: [first.text] });
      case "url": {
        const url = request.url(first.text);
        if (url.ok) {
          for (const hash of hostHashes(url.host)) keys.add(this.#keyed.host.get(hash));
        }
        return url.ok;
      }
    }
  }

  #addNames(
    keys: FoundKeys,
    { request, paths }: {
      readonly request: Request;
      readonly paths: readonly string[] | undefined;
    },
  ): boolean {
    if (paths === undefined) return false;
    const { name } = this.#keyed;
    for (const text of paths) {
      const path = request.path(text);
      if (!path.ok) return false;
      if (name.size > 0) addNamesOf(keys, { text, path, name });
    }
    return true;
  }

  /** Adds by every text of a command that a rule may begin as: of the unit, or of the line. */
  #addCommand(
    keys: FoundKeys,
    { text, request: { part, profile } }: { readonly text: string; readonly request: Request },
  ): void {
    if (!part || profile.shell === "other") {
      this.#addHeads(keys, text);
      const spaced = profile.shell === "other" ? singleSpaced(text) : text;
      if (spaced !== text) this.#addHeads(keys, spaced);
      return;
    }
    const { effect: { allowTexts, denyTexts }, line } = part;
    let before = line.text;
    for (let at = 0; at < allowTexts.length; at++) {
      const { text, interpreter } = allowTexts[at]!;
      if (text !== before) this.#addHeads(keys, before = text);
      if (interpreter !== undefined) this.#addHeads(keys, interpreter);
    }
    before = allowTexts[0]?.text ?? line.text;
    for (let at = 0; at < denyTexts.length; at++) {
      const { text, template } = denyTexts[at]!;
      const isOpen = text !== template;
      if (isOpen || text !== before && text !== line.text) this.#addHeads(keys, text, isOpen);
    }
    keys.addAll(this.#keysOf(line));
  }

  #keysOf(line: CommandLine): FoundKeys {
    if (this.#line?.of === line) return this.#line.found;
    const found = new FoundKeys();
    this.#addHeads(found, line.text);
    if (line.spacedText !== undefined) this.#addHeads(found, line.spacedText);
    if (line.bareTexts !== undefined) {
      for (const text of line.bareTexts) this.#addHeads(found, text);
    }
    this.#line = { of: line, found };
    return found;
  }

  /** Adds by the beginning of a text; `isOpen`: any place in it may be one where a word ends. */
  #addHeads(keys: FoundKeys, text: string, isOpen = false): void {
    const { words, head } = this.#keyed;
    const lengths = this.#headLengths;
    let hash = HASH_START;
    let end = Math.min(text.length, HEAD_LENGTH);
    let isFirst = !isOpen;
    for (let at = 1, next = text.charCodeAt(0); at <= end; at++) {
      let code = next;
      if (code > 0x7e) {
        // Keys have ASCII alone, and the marks of what a line does not fix fold to none of it.
        return code === ELLIPSIS || code >= 0xe000 && code <= 0xf8ff
          ? undefined
          : this.#addFolded(keys, text);
      }
      next = at < text.length ? text.charCodeAt(at) : BLANK;
      if (code >= 0x41 && code <= 0x5a) code += 0x20;
      hash = mixed(hash, code);
      if (next === BLANK || isOpen) {
        const entry = words.get(hash);
        if (isFirst) {
          isFirst = false;
          end = Math.min(end, Math.max(entry?.longest ?? 0, 31 - Math.clz32(lengths)));
        }
        keys.add(entry);
      }
      if (lengths & (1 << at)) keys.add(head.get(hash));
    }
  }

  /** The same for a text with letters beyond ASCII, some of which fold to one of it. */
  #addFolded(keys: FoundKeys, text: string): void {
    const folded = foldCase(text.slice(0, HEAD_LENGTH));
    let hash = HASH_START;
    for (let at = 0; at < folded.length; at++) {
      hash = mixed(hash, folded.charCodeAt(at));
      keys.add(this.#keyed.words.get(hash));
      keys.add(this.#keyed.head.get(hash));
    }
  }

  /** Adds the rules that cannot be evaluated for what the line does not fix. */
  #addIndeterminate(keys: FoundKeys, { first, profile, part }: Request): void {
    if (first.state !== "text" || profile.kind !== "command") return;
    if (profile.shell === "other") {
      return keys.add(entryOf(this.#indeterminateForForeign(first.text)));
    }
    // Of a whole line only its text is known.
    if (!part) return keys.add(entryOf(this.#indeterminate.first()));
    const { kind, isOrdinaryScript, denyTexts } = part.effect;
    if (kind === "opaque") {
      if (!isOrdinaryScript) keys.add(entryOf(this.#indeterminate.first()));
      return;
    }
    for (const { text, template } of denyTexts) {
      if (text !== template) {
        keys.add(entryOf(this.#indeterminate.beginningWith(fixedBeginning(template))));
      }
    }
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
const ELLIPSIS = 0x2026;
