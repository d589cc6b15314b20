import type { PlacedHook } from "../../model/rule.ts";
import { errorAt, type FileProblem, type Problem, quoted } from "../../model/problem.ts";
import { EVERY_TOOL, type Hook, type Matcher } from "./hook.ts";
import { isToolEvent } from "./hook_event.ts";

/** Hooks that can run, and the problems of their matchers. */
export interface CompiledHooks {
  /** The hooks, in the order given, without those whose matcher has an error. */
  readonly hooks: readonly Hook[];
  /** Errors and warnings, in the order given; with an error among them no hook may run. */
  readonly problems: readonly FileProblem[];
}

/** Parses the matchers of hooks. The caller has left out the hooks that do not count, as those of an untrusted project. */
export async function compileHooks(placed: readonly PlacedHook[]): Promise<CompiledHooks> {
  const hooks: Hook[] = [];
  const problems: FileProblem[] = [];
  for (const each of placed) {
    const { event, source, text } = each;
    const { matcher, problem } = await matcherOf(each);
    if (problem !== undefined) problems.push({ ...problem, path: source.path, text });
    if (matcher !== undefined) hooks.push({ event, matcher, command: each.command.value, source });
  }
  return { hooks, problems };
}

interface ReadMatcher {
  readonly matcher?: Matcher;
  readonly problem?: Problem;
}

async function matcherOf({ event, matcher }: PlacedHook): Promise<ReadMatcher> {
  if (matcher === undefined) return { matcher: EVERY_TOOL };
  const { value, span } = matcher;
  const read = await parseMatcher(value);
  if (!read.ok) {
    const message = `Cannot parse matcher ${quoted(value)}: ${read.detail}`;
    const hint = "A matcher is a regular expression over the tool's whole name";
    return { problem: errorAt(span, { id: "invalid-pattern", message, hint }) };
  }
  if (read.matcher !== EVERY_TOOL && !isToolEvent(event)) {
    const message = `Cannot use matcher ${quoted(value)} for ${event}: no tool is called then`;
    return { problem: errorAt(span, { id: "never-fits", message, hint: "Omit it" }) };
  }
  const problem = globWarning(value, { span });
  return problem === undefined ? { matcher: read.matcher } : { matcher: read.matcher, problem };
}

/** Warns of `mcp__github__*`: as a regular expression it fits none of the tools that were meant. */
function globWarning(text: string, { span }: Pick<Problem, "span">): Problem | undefined {
  const meant = /^(.*\w)\*\$?$/s.exec(text)?.[1];
  if (meant === undefined) return undefined;
  return {
    id: "never-fits",
    severity: "warning",
    message: `The matcher ${quoted(text)} is a regular expression, in which "*" repeats "${
      meant.slice(-1)
    }" only`,
    span,
    hint: `To match any ending, write ${quoted(`${meant}.*`)}`,
  };
}

/** A matcher, or the reason why a text is not one. */
type MatcherResult =
  | { readonly ok: true; readonly matcher: Matcher }
  | {
    readonly ok: false;
    /** The fault, without a final full stop. */
    readonly detail: string;
  };

/** The longest matcher, in UTF-16 code units. */
const LONGEST = 1_000;

/** Names, and beginnings of names, that need no expression: `Edit|Write|mcp__github__.*`. */
const LIST = /^[\w-]+(?:\.\*)?(?:\|[\w-]+(?:\.\*)?)*$/;

/**
 * Parses a matcher: every tool if it is empty or `*`, else a regular expression over the tool's whole name,
 * case-sensitive. The engine for expressions is loaded only for one that is more than a list of names.
 *
 * ```ts
 * import { parseMatcher } from "./compile_hooks.ts";
 *
 * const read = await parseMatcher("Edit|Write");
 * read.ok && read.matcher.fits("Write"); // true
 * read.ok && read.matcher.fits("Writer"); // false
 * ```
 */
export async function parseMatcher(text: string): Promise<MatcherResult> {
  if (text === "" || text === "*") return { ok: true, matcher: EVERY_TOOL };
  if (text.length > LONGEST) {
    return { ok: false, detail: `it is longer than ${LONGEST} characters` };
  }
  if (!text.isWellFormed()) return { ok: false, detail: "it is not valid Unicode" };
  if (LIST.test(text)) return { ok: true, matcher: { text, fits: listTest(text.split("|")) } };
  const { compileRegex } = await import("./regex_matcher.ts");
  const regex = compileRegex(text);
  return regex.ok ? { ok: true, matcher: { text, fits: regex.fits } } : regex;
}

function listTest(parts: readonly string[]): (tool: string) => boolean {
  const names = new Set(parts.filter((part) => !part.endsWith(".*")));
  const beginnings = parts.flatMap((part) => part.endsWith(".*") ? [part.slice(0, -2)] : []);
  return (tool) => names.has(tool) || beginnings.some((beginning) => tool.startsWith(beginning));
}
