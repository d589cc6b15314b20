import { type Nfa, NfaBuilder } from "../../pattern/path/path_program.ts";
import { runNfa } from "../../pattern/run_program.ts";
import { parseRegex } from "../../pattern/regex/parse_regex.ts";
import { RegexFault, type RegexNode, strayEdge } from "../../pattern/regex/regex.ts";

/** The tools that a hook is for. */
export interface Matcher {
  /** Its text; empty for all. */
  readonly text: string;
  /** Whether the hook is for the tool of that name. Linear in the name's length, whatever the matcher. */
  fits(tool: string): boolean;
}

/** A matcher, or why its text is none. */
export type MatcherResult =
  | { readonly ok: true; readonly matcher: Matcher }
  | {
    readonly ok: false;
    /** What is wrong, without a final full stop. */
    readonly detail: string;
    /** Where, in UTF-16 code units from 0. */
    readonly at: number;
  };

/** The longest matcher, in UTF-16 code units. */
const LONGEST = 1_000;
/** The most steps that a matcher may become. */
const MOST_STEPS = 5_000;

/** Fits every tool. */
export const EVERY_TOOL: Matcher = { text: "", fits: () => true };

/**
 * Reads a matcher: empty (or `*`, as people write it) is all tools, else a regular expression over the whole of the
 * tool's name, case-sensitive. It becomes an automaton that follows all ways at once, because the platform's own engine
 * backtracks: `(\w+)*-` would never come to an end over a long name, and with it the hook that was to deny.
 *
 * ```ts
 * import { parseMatcher } from "./matcher.ts";
 *
 * const read = parseMatcher("Edit|Write");
 * read.ok && read.matcher.fits("Write"); // true
 * read.ok && read.matcher.fits("Writer"); // false
 * ```
 */
export function parseMatcher(text: string): MatcherResult {
  if (text === "" || text === "*") return { ok: true, matcher: EVERY_TOOL };
  try {
    const program = compile(text);
    return { ok: true, matcher: { text, fits: (tool) => runNfa(program, tool) } };
  } catch (error) {
    if (!(error instanceof RegexFault)) throw error;
    return { ok: false, detail: error.message, at: error.at };
  }
}

function compile(text: string): Nfa {
  if (text.length > LONGEST) {
    throw new RegexFault(`it may have ${LONGEST} characters at most`, LONGEST);
  }
  if (!text.isWellFormed()) throw new RegexFault("it is not valid Unicode", 0);
  const tree = parseRegex(text);
  const stray = strayEdge(tree);
  if (stray !== undefined) {
    const where = text[stray] === "^" ? "at the start" : "at the end";
    throw new RegexFault(`"${text[stray]}" can stand ${where} of the whole only`, stray);
  }
  if (stepsOf(tree) > MOST_STEPS) throw new RegexFault("its counts make it too large", 0);
  const builder = new NfaBuilder();
  add(tree, builder);
  return builder.finish();
}

/** How many steps a node becomes, at most; asked before they are made. */
function stepsOf(node: RegexNode): number {
  switch (node.kind) {
    case "char":
    case "any":
      return 1;
    case "edge":
      return 0;
    case "set":
      return 5;
    case "sequence":
      return node.parts.reduce((sum, part) => sum + stepsOf(part), 0);
    case "either":
      return node.options.reduce((sum, option) => sum + stepsOf(option) + 1, 1);
    case "repeat":
      return (node.most ?? node.least + 1) * (stepsOf(node.body) + 2);
  }
}

const SLASH = 0x2f;

function add(node: RegexNode, builder: NfaBuilder): void {
  switch (node.kind) {
    case "char":
      return builder.take({ kind: "char", code: node.code });
    case "any":
      return builder.take({ kind: "any" });
    case "edge":
      return;
    case "set": {
      const set = () => builder.take({ kind: "set", negated: false, ranges: node.ranges });
      // In the programs of paths a set never takes a slash.
      const hasSlash = node.ranges.some(([first, last]) => first <= SLASH && SLASH <= last);
      return hasSlash ? builder.either([set, () => builder.text("/")]) : set();
    }
    case "sequence":
      for (const part of node.parts) add(part, builder);
      return;
    case "either":
      return builder.either(node.options.map((option) => () => add(option, builder)));
    case "repeat": {
      const body = () => add(node.body, builder);
      for (let count = 0; count < node.least; count++) body();
      if (node.most === undefined) return builder.repeat(body);
      for (let count = node.least; count < node.most; count++) builder.maybe(body);
    }
  }
}
