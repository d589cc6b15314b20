import type { TraceStep } from "../../model/verdict.ts";
import { literalHead, onlyText, printGlob } from "../../pattern/glob.ts";
import type { CallPath } from "../../pattern/path/call_path.ts";
import { linkedPattern } from "../../pattern/path/match_path.ts";
import { foldCase } from "../../pattern/unicode.ts";
import type { PathGlob } from "../../pattern/path/path_glob.ts";
import type { ValueTest } from "../../pattern/parse_pattern.ts";
import { urlParts } from "../../pattern/url/url_pattern.ts";
import type { ToolRule } from "./compiled_policy.ts";
import type { FoundKeys, KeyTable } from "./index/key_table.ts";
import type { LineEffect } from "./request_options.ts";
import type { CommandMode } from "./value_matcher.ts";

/** The length of a head that is looked up, in UTF-16 code units; below 31, the bits of a number. */
export const HEAD_LENGTH = 24;

/** A text that every call has which a rule fits; lower-case ASCII, which folds one to one. */
export interface RuleKey {
  /**
   * `words`: how its text begins, with a blank or the end behind it. `head`: how its text begins. `name`: a file or folder in its
   * path. `host`: its host, or one above it.
   */
  readonly kind: "words" | "head" | "name" | "host";
  readonly text: string;
}

/** The hash of the empty text (FNV-1a, 32 bits). */
export const HASH_START = 0x811c9dc5 | 0;

/** The hash of a text with one more UTF-16 code unit. */
export function mixed(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** The hash of a whole text. */
export function hashed(text: string): number {
  let hash = HASH_START;
  for (let at = 0; at < text.length; at++) hash = mixed(hash, text.charCodeAt(at));
  return hash;
}

/** Keys that are added by the names of a path. */
interface NameKeys {
  readonly keys: FoundKeys;
  readonly name: KeyTable;
}

/** Adds the entry of every name in a path. */
function addSpelling(spelling: string, given: NameKeys): void {
  if (isPlain(spelling)) return addNames(spelling, given);
  const folded = foldCase(spelling);
  addNames(folded, given);
  // A backslash parts names on Windows only, and else may be part of one.
  if (folded.includes("\\")) addNames(folded.replaceAll("\\", "/"), given);
}

/** True for a path without a backslash or letters beyond ASCII. */
function isPlain(path: string): boolean {
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at);
    if (code > 0x7e || code === BACKSLASH) return false;
  }
  return true;
}

/** Adds the entries of the names of a path, the letters of ASCII folded. */
function addNames(path: string, { keys, name }: NameKeys): void {
  let hash = HASH_START;
  for (let at = 0; at < path.length; at++) {
    let code = path.charCodeAt(at);
    if (code === SLASH) {
      keys.add(name.get(hash));
      hash = HASH_START;
      continue;
    }
    if (code >= 0x41 && code <= 0x5a) code += 0x20;
    hash = mixed(hash, code);
  }
  keys.add(name.get(hash));
}

const SLASH = 0x2f;
const BACKSLASH = 0x5c;

/** The key that a call must have for the rule not to match "no"; undefined if there is none. */
export function keyOf(toolRule: ToolRule): RuleKey | undefined {
  if (toolRule.head !== undefined) return plainKey(toolRule.head, toolRule);
  const { rule, specifier, also, readAs } = toolRule;
  if (specifier === undefined || specifier.kind === "any" || specifier.kind === "class" || also) {
    return undefined;
  }
  const test = specifier.kind === "argument"
    ? specifier.test
    : specifier.fields.find((field) => field.isArgument && !field.negated)?.test;
  if (!test) return undefined;
  const lists = specifier.kind === "fields" && rule.action !== "allow";
  // Such a list may be unknown for a line that does not fit, and its other fields may make it "no" again.
  if (test.kind === "command" && lists && readAs?.shell !== "literal") return undefined;
  // Without a home folder no deny or ask rule below it can be evaluated.
  const homeless = test.kind === "path" && test.pattern.base === "home" &&
    readAs?.context.home.length === 0;
  if (homeless || isLinked({ rule, test, readAs })) return undefined;
  return keyOfTest(test, readAs?.shell);
}

/** True if links make the rule's folder begin elsewhere too, under other names. */
function isLinked(
  { rule, test, readAs }: Pick<ToolRule, "rule" | "readAs"> & { test: ValueTest },
): boolean {
  if (rule.action === "allow" || test.kind !== "path" || !readAs) return false;
  return linkedPattern(test.pattern, readAs.context) !== undefined;
}

function keyOfTest(test: ValueTest, shell: CommandMode | undefined): RuleKey | undefined {
  switch (test.kind) {
    case "text":
      return headKey(literalHead(test.glob));
    case "command":
      return commandKey(
        { head: commandHead(test) ?? "", isOpen: onlyText(test.glob) === undefined },
        shell,
      );
    case "path": {
      const names = requiredNames(test.pattern.glob);
      if (names.length === 0) return undefined;
      return { kind: "name", text: names.reduce((a, b) => b.length > a.length ? b : a) };
    }
    case "domain":
      return { kind: "host", text: test.host };
    case "url":
      return urlKey(printGlob(test.glob));
  }
}

const NO_TEXTS: readonly string[] = [];

/** The literal text that all commands of a test begin with; undefined for a test of no command, or of any part of one. */
export function commandHead(test: ValueTest): string | undefined {
  return test.kind === "command" && test.anchor !== "contains" ? literalHead(test.glob) : undefined;
}

/** The key of a rule whose pattern is not parsed yet, by the head of its commands. */
function plainKey(head: string, { rule: { pattern }, readAs }: ToolRule): RuleKey | undefined {
  const next = pattern[pattern.search(/[:(]/) + 1 + head.length];
  return commandKey({ head, isOpen: next === "*" || next === "?" }, readAs?.shell);
}

/** The key of a command: whole words where only a blank or the end can follow them. */
function commandKey(
  { head, isOpen }: { readonly head: string; readonly isOpen: boolean },
  shell: CommandMode | undefined,
): RuleKey | undefined {
  // A glob that ends in " *" may fit without the space.
  const trimmed = head.endsWith(" ") ? head.replace(/ +$/, "") : head;
  const isWhole = trimmed !== head || !isOpen;
  const isShort = trimmed !== "" && trimmed.length <= HEAD_LENGTH && /^[\x20-\x7e]*$/.test(trimmed);
  // Of a line that is not taken apart, the beginning may be part of a word.
  const isTaken = shell === "parsed" || shell === "literal";
  return isWhole && isShort && isTaken
    ? { kind: "words", text: trimmed.toLowerCase() }
    : headKey(trimmed);
}

function asciiHead(head: string): string {
  return /^[\x20-\x7e]*/.exec(head)![0];
}

function headKey(head: string): RuleKey | undefined {
  const ascii = asciiHead(head).slice(0, HEAD_LENGTH);
  return ascii === "" ? undefined : { kind: "head", text: ascii.toLowerCase() };
}

/** Only where the text up to the path is fixed: a `*` before the host could stand for another host and its query. */
function urlKey(text: string): RuleKey | undefined {
  const parts = urlParts(text);
  if (!parts.ok || parts.value?.path === undefined) return undefined;
  const host = onlyText(parts.value.host);
  if (onlyText(parts.value.scheme) === undefined || !host) return undefined;
  return { kind: "host", text: host };
}

/** The names that a path must have: literal from slash to slash, ASCII, in lower case. */
export function requiredNames(glob: PathGlob): readonly string[] {
  return glob.flatMap((node, index) => {
    if (node.kind !== "text") return [];
    const names = node.text.split("/");
    const open = index === 0 ? 0 : 1;
    const end = index === glob.length - 1 ? names.length : names.length - 1;
    return names.slice(open, end).filter((name) => /^[\x20-\x7e]+$/.test(name))
      .map((name) => name.toLowerCase());
  });
}

/** Adds the entry of every name on the way to a file. */
export function addNamesOf(
  keys: FoundKeys,
  { text, path, name }: {
    readonly text: string;
    readonly path: CallPath;
    readonly name: KeyTable;
  },
): void {
  const given = { keys, name };
  let isGiven = false;
  for (const { root } of path.forms) {
    isGiven ||= isSame(text, root);
    addSpelling(root, given);
  }
  if (!isGiven) addSpelling(text, given);
}

/** True for a path that is given as it is, as most are, so that its own names are among those of the root. */
function isSame(text: string, root: string): boolean {
  return root.length === text.length - 1 && text.startsWith("/") && text.endsWith(root) ||
    root.endsWith(text) && root[root.length - text.length - 1] === "/";
}

/** The hashes of a host and of every one above it. */
export function hostHashes(host: string): readonly number[] {
  const hashes = [hashed(host)];
  for (let at = host.indexOf("."); at >= 0; at = host.indexOf(".", at + 1)) {
    hashes.push(hashed(host.slice(at + 1)));
  }
  return hashes;
}

/** The bits of what may begin with any character. */
export const ANY = -1;

/**
 * A bit for the two characters with which each text of a part of a line begins that a command rule is tried on, upper and lower case as
 * one. INVARIANT: a rule whose commands begin with others does not match the part.
 */
export function beginningsOf({ effect, line }: LineEffect): number {
  // A rule may be about more of an unknown part than its texts.
  if (effect.kind === "opaque") return ANY;
  let bits = beginningOf(line.text);
  if (line.spacedText !== undefined) bits |= beginningOf(line.spacedText);
  for (const text of line.bareTexts ?? NO_TEXTS) bits |= beginningOf(text);
  for (const { text, interpreter } of effect.allowTexts) {
    bits |= beginningOf(text);
    if (interpreter !== undefined) bits |= beginningOf(interpreter);
  }
  for (const { text, template } of effect.denyTexts) {
    if (text !== template) return ANY;
    bits |= beginningOf(text);
  }
  return bits;
}

/** The bit of the literal text that all commands of a rule begin with; every bit without two characters, as a final blank may lack. */
export function headBits(head: string): number {
  const trimmed = head.trimEnd();
  return trimmed.length < 2 ? ANY : beginningOf(trimmed);
}

/** The bits with which the parts of lines begin that a rule may match; every bit for a rule that is about more than their texts. */
export function bitsOf(toolRule: ToolRule): number {
  if (toolRule.readAs?.shell !== "parsed" || toolRule.also !== undefined) return ANY;
  if (toolRule.head !== undefined) return headBits(toolRule.head);
  const { specifier } = toolRule;
  if (specifier?.kind !== "argument" || specifier.test.kind !== "command") return ANY;
  const { anchor, glob } = specifier.test;
  return headBits(anchor === "contains" ? "" : literalHead(glob));
}

/** The bit of the first two characters of a text; every bit for one beyond ASCII, which may fold to one of it. */
function beginningOf(text: string): number {
  const first = text.charCodeAt(0);
  const second = text.length < 2 ? 0 : text.charCodeAt(1);
  return first > 0x7e || second > 0x7e ? ANY : 1 << ((first ^ 5 * second) & 31);
}

/** The rules of a tool that has so few that each is tried. */
export interface FewRules {
  /** The bits with which the parts of lines begin that each may match. */
  readonly begins: readonly number[];
  /** For each the step of a trace in which it does not match; the same one in every trace. */
  readonly passing: readonly TraceStep[];
}

const known = new WeakMap<readonly ToolRule[], FewRules>();

/** The facts of a list of few rules; undefined for any other list. */
export function fewRules(toolRules: readonly ToolRule[]): FewRules | undefined {
  return known.get(toolRules);
}

/** Notes that a list is asked about again and again. */
export function noteFewRules(toolRules: readonly ToolRule[]): void {
  const begins = toolRules.map((each) =>
    // The step of a rule that ends may be another.
    each.rule.expiresAt === undefined ? bitsOf(each) : ANY
  );
  const passing = toolRules.map(({ rule }): TraceStep =>
    Object.freeze({ rule, match: "no", effect: "passes", why: "" })
  );
  known.set(toolRules, { begins, passing });
}
