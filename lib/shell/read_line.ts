import type { CommandLine, Effect } from "./effect.ts";
import { exactText } from "./effects/command_context.ts";
import { effectsOf } from "./effects/effect_reader.ts";
import { parseOwnLine } from "./own_functions.ts";
import { redirectText } from "./effects/simple_command.ts";
import type { Shell } from "./parse/shell.ts";
import type { Node, Pipe, Redirect, Sequence, Simple } from "./parse/tree.ts";
import { defaultCatalog, type ProgramCatalog } from "./programs/program_catalog.ts";

/** Options of `readLine`. */
export interface ReadLineOptions {
  /** The known programs; the defaults if left out. */
  readonly catalog?: ProgramCatalog;
  /** The shell that runs the line; `posix` if left out. */
  readonly shell?: Shell;
  /** True if the files that the line's `plainNames` name have plain names. */
  readonly hasPlainNames?: boolean;
  /** True if effects tell the classes of their commands. */
  readonly wantsClasses?: boolean;
}

/**
 * Parses a command line into its effects: every command that it may run, however nested, every file and URL that it
 * accesses, and every part that is unknown. Never throws.
 */
export function readLine(text: string, options: ReadLineOptions = {}): CommandLine {
  const catalog = options.catalog ?? defaultCatalog();
  const { shell = "posix", hasPlainNames = false, wantsClasses = false } = options;
  const { line: { node, fault, spacedText }, hasFunctions } = parseOwnLine(text, {
    catalog,
    shell,
  });
  const read = node &&
    effectsOf({ hasFunctions, node, catalog, shell, hasPlainNames, wantsClasses });
  const found = read?.effects ?? [];
  const effects = fault !== undefined
    ? [...found, faultEffect(text, fault)]
    : found.length === 0
    ? [emptyEffect(text)]
    : found;
  const line: OpenLine = { text, effects };
  if (spacedText === undefined) addTexts(line, node);
  else if (spacedText !== text) line.spacedText = spacedText;
  if (read?.plainNames) line.plainNames = read.plainNames;
  return line;
}

/** A line that is being put together. */
type OpenLine = { -readonly [Key in keyof CommandLine]: CommandLine[Key] };

/** Adds the texts of a line that differ from its own. */
function addTexts(line: OpenLine, node: Node | undefined): void {
  if (node === undefined) return;
  const { text } = line;
  const spacedText = textOf(node, "all");
  const bareTexts = isBare(node)
    ? trimmedTextOf(text, spacedText)
    : bareTextsOf(text, { node, spacedText });
  if (spacedText !== text) line.spacedText = spacedText;
  if (bareTexts.length > 0) line.bareTexts = bareTexts;
}

/**
 * The effect of a line that runs nothing, as a comment. A blank one needs a rule: an agent may take an empty argument for a
 * missing one, and run what another says.
 */
function emptyEffect(text: string): Effect {
  const { why: _why, ...effect } = faultEffect(text, "");
  return {
    ...effect,
    kind: "command",
    isHarmless: true,
    ...(text.trim() === "" ? {} : { runsNothing: true }),
  };
}

function faultEffect(text: string, why: string): Effect {
  return {
    kind: "opaque",
    text,
    via: null,
    depth: 0,
    why,
    checkedAgainst: "allRules",
    isHarmless: false,
    allowTexts: [exactText(text)],
    denyTexts: [{ text, template: text }],
  };
}

/** The redirections that a text of a line keeps: all, all but those behind its last command, or none. */
type Kept = "all" | "inner" | "none";

/** True for commands without redirections, groups and a final `&`, whose bare texts differ from their own in blanks alone. */
function isBare(node: Node): boolean {
  switch (node.kind) {
    case "simple":
      return node.redirects.length === 0;
    case "pipe":
      return node.nodes.every(isBare);
    case "sequence":
      return node.operators[node.nodes.length - 1] !== "&" && node.nodes.every(isBare);
    case "block":
      return false;
  }
}

function trimmedTextOf(text: string, spacedText: string): readonly string[] {
  const trimmed = text.trimEnd();
  return trimmed === text || trimmed === spacedText || trimmed === "" ? [] : [trimmed];
}

/**
 * The line without its last redirections, as written and in canonical spacing, and without any, and without a final `&`: a
 * deny of `curl * | sh` holds for `curl x | sh 2>&1` too. A group that is the whole line gives way to its commands. Empty for
 * a line that has none of these.
 */
function bareTextsOf(
  text: string,
  { node, spacedText }: { readonly node: Node; readonly spacedText: string },
): readonly string[] {
  const found: string[] = [];
  const add = (each: string) => {
    if (each !== text && each !== spacedText && each !== "" && !found.includes(each)) {
      found.push(each);
    }
  };
  add(withoutEnd(text, lastRedirects(node)));
  const inner = groupOf(node);
  if (inner) {
    const spaced = textOf(inner.node, "all");
    add(inner.text);
    add(spaced);
    bareTextsOf(inner.text, { node: inner.node, spacedText: spaced }).forEach(add);
  }
  add(textOf(node, "inner"));
  if (node.kind !== "simple") add(textOf(node, "none"));
  return found;
}

/**
 * A text in canonical spacing. With all redirections the rule `curl * | sh*` matches `curl x|sh` too. Compound commands stay as
 * written.
 */
function textOf(node: Node, kept: Kept): string {
  switch (node.kind) {
    case "simple":
      return simpleText(node, kept);
    case "pipe":
      return joinedText(node, kept);
    case "sequence":
      return joinedText(node, kept).trimEnd();
    case "block":
      return kept === "all" ? node.text : withoutEnd(node.text, node.redirects);
  }
}

function joinedText(node: Pipe | Sequence, kept: Kept): string {
  const { nodes } = node;
  if (nodes.length === 0) return "";
  const last = nodes.length - 1;
  let joined = "";
  for (let index = 0; index < last; index++) {
    joined += textOf(nodes[index]!, kept === "inner" ? "all" : kept) + operatorText(node, index);
  }
  joined += textOf(nodes[last]!, kept);
  return kept === "all" && operatorAt(node, last) === "&" ? `${joined} &` : joined;
}

function operatorAt(node: Pipe | Sequence, index: number): string {
  return node.kind === "pipe" ? "|" : node.operators[index] ?? "";
}

/** The operator behind a command that is not the last one, with its blanks. */
function operatorText(node: Pipe | Sequence, index: number): string {
  const operator = operatorAt(node, index);
  return operator === ";" ? "; " : operator === "" ? "" : ` ${operator} `;
}

function simpleText({ assignments, words, redirects }: Simple, kept: Kept): string {
  let joined = "";
  for (const { name, value } of assignments) joined += ` ${name}=${value.text}`;
  for (const { text } of words) joined += ` ${text}`;
  if (kept === "all") { for (const each of redirects) joined += ` ${redirectText(each).text}`; }
  return joined.slice(1);
}

/** The redirections of the last command. */
function lastRedirects(node: Node): readonly Redirect[] {
  if (node.kind === "simple" || node.kind === "block") return node.redirects;
  const last = node.nodes.at(-1);
  return last === undefined ? [] : lastRedirects(last);
}

/** The text as written without redirections at its end. */
function withoutEnd(text: string, redirects: readonly Redirect[]): string {
  let rest = text.trimEnd();
  for (const { raw } of redirects.toReversed()) {
    if (raw === "" || !rest.endsWith(raw)) break;
    rest = rest.slice(0, -raw.length).trimEnd();
  }
  return rest;
}

/** The commands of a group that is the whole line: `( a | b ) > f`. */
function groupOf(node: Node): { readonly text: string; readonly node: Node } | undefined {
  if (node.kind !== "block" || node.nodes.length !== 1) return undefined;
  const [first] = node.nodes;
  const text = withoutEnd(node.text, node.redirects);
  const isGroup = text.startsWith("(") && text.endsWith(")") ||
    text.startsWith("{") && text.endsWith("}");
  if (first === undefined || !isGroup) return undefined;
  let inner = text.slice(1, -1).trim();
  while (inner.endsWith(";")) inner = inner.slice(0, -1).trimEnd();
  return { text: inner, node: first };
}
