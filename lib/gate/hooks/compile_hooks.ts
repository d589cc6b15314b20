import type { PlacedHook } from "../../model/hook.ts";
import type { FileProblem, Problem } from "../../model/problem.ts";
import { errorAt, quoted } from "../../text/problems.ts";
import { isToolEvent } from "./hook_event.ts";
import type { Hook } from "./hook.ts";
import { EVERY_TOOL, type Matcher, parseMatcher } from "./matcher.ts";

/** Hooks that can run, or everything that is wrong with their matchers. */
export interface CompiledHooks {
  /** The hooks, in the order given; those with a wrong matcher are not among them, so that none may run then. */
  readonly hooks: readonly Hook[];
  /** What is wrong, or odd, in the order given. */
  readonly problems: readonly FileProblem[];
}

/** Parses the matchers of hooks. Which hooks count, as those of a project that is trusted, is for the caller to say. */
export function compileHooks(placed: readonly PlacedHook[]): CompiledHooks {
  const hooks: Hook[] = [];
  const problems: FileProblem[] = [];
  for (const each of placed) {
    const { event, source, text } = each;
    const { matcher, problem } = matcherOf(each);
    if (problem !== undefined) problems.push({ ...problem, path: source.path, text });
    if (matcher !== undefined) hooks.push({ event, matcher, command: each.command.value, source });
  }
  return { hooks, problems };
}

interface MatcherOf {
  readonly matcher?: Matcher;
  readonly problem?: Problem;
}

function matcherOf({ event, matcher }: PlacedHook): MatcherOf {
  if (matcher === undefined) return { matcher: EVERY_TOOL };
  const { value, span } = matcher;
  const read = parseMatcher(value);
  if (!read.ok) {
    const message = `Cannot parse matcher ${quoted(value)}: ${read.detail} (column ${read.at + 1})`;
    const hint = "It is a regular expression over the tool's whole name";
    return { problem: errorAt(span, { id: "invalid-pattern", message, hint }) };
  }
  if (read.matcher !== EVERY_TOOL && !isToolEvent(event)) {
    const message = `Cannot use matcher ${quoted(value)} for ${event}: no tool is called then`;
    return { problem: errorAt(span, { id: "never-fits", message, hint: "Leave it out" }) };
  }
  const problem = globWarning(value, { span });
  return problem === undefined ? { matcher: read.matcher } : { matcher: read.matcher, problem };
}

/** `mcp__github__*`: read as a regular expression, it fits none of the tools that were meant. */
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
    hint: `Anything behind it is ${quoted(`${meant}.*`)}`,
  };
}
