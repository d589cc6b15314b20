import type { Decision, UnitDecision } from "../model/verdict.ts";
import { commandGlobs, fitsAny, withoutTail } from "../policy/compile/command_matcher.ts";
import type { CompiledPolicy, ToolRule } from "../policy/compile/compiled_policy.ts";
import type { Request } from "../policy/compile/request.ts";
import { literalHead } from "../pattern/glob.ts";
import { callPath } from "../pattern/path/call_path.ts";
import { mayPathMatcher } from "../pattern/path/match_path.ts";
import { foldCase } from "../pattern/unicode.ts";
import type { Evaluation } from "./evaluate.ts";

/**
 * True if hooks leave a call to the agent: `unmatched = "agent"`, and no written rule matches what the call asks about or
 * is allowed by. A safety check still asks next to a written allow, and if a written deny or ask matches literal text of the
 * call; what it protects besides is left to the agent. The decision is that of the default mode.
 */
export function isLeftToAgent(
  policy: CompiledPolicy,
  { request }: Pick<Evaluation, "request">,
  { decision, units }: Decision,
): boolean {
  if (policy.settings.unmatched?.value !== "agent" || decision === "deny") return false;
  const open = decision === "ask" ? units.filter((unit) => unit.decision === "ask") : units;
  return open.every((unit) => isUnmatched(unit)) &&
    !open.some((unit) => unit.decidedBy === "safety" && isNamedByRule(unit, { policy, request }));
}

/** True if no written rule matches a unit. */
function isUnmatched({ steps, rule, by }: UnitDecision): boolean {
  if (by === "rule" && rule !== null && rule.source.kind !== "builtin") return false;
  return !steps.some(({ effect, match, rule }) =>
    match === "yes" && effect !== "expired" && rule.source.kind !== "builtin"
  );
}

interface Surroundings {
  readonly policy: CompiledPolicy;
  readonly request: Request;
}

/** True if a written deny or ask rule matches literal text of a unit that could not be evaluated. */
function isNamedByRule(unit: UnitDecision, { policy, request }: Surroundings): boolean {
  const rules = policy.writtenRules(unit.tool).filter(({ rule }) => rule.action !== "allow");
  if (rules.length === 0) return false;
  const { kind } = policy.profiles.get(unit.tool);
  if (kind === "path") return rules.some((each) => matchesWritten(each, { unit, request, policy }));
  if (kind !== "command") return false;
  const line = request.parsedLine;
  const isPart = unit.kind !== "opaque" && unit.kind !== "call";
  const whole = isPart || line === undefined ? [unit.text] : [unit.text, line.text];
  const { spacedText: spaced, bareTexts = [] } = isPart || line === undefined ? {} : line;
  const texts = spaced === undefined ? [...whole, ...bareTexts] : [...whole, spaced, ...bareTexts];
  const budget = { left: MOST_TESTS };
  return rules.some((toolRule) => matchesInside(toolRule, { texts, budget }));
}

/** True if a rule's path matches a file as it is written, without a look at links. */
function matchesWritten(
  { specifier }: ToolRule,
  { unit, policy, request }: Surroundings & { readonly unit: UnitDecision },
): boolean {
  if (specifier?.kind !== "argument" || specifier.test.kind !== "path") return false;
  const { realPath: _, ...context } = policy.context;
  const path = callPath(unit.text, { cwd: request.cwd, context });
  return mayPathMatcher(specifier.test.pattern, context)(path) === "yes";
}

/** More matches than this are not tried: the line counts as named. */
const MOST_TESTS = 2_000;

interface LiteralTexts {
  readonly texts: readonly string[];
  readonly budget: { left: number };
}

/** True if a rule's glob matches a text, or the words of a text from any word on. */
function matchesInside(
  { specifier, readAs }: ToolRule,
  { texts, budget }: LiteralTexts,
): boolean {
  const test = specifier?.kind === "argument" ? specifier.test : undefined;
  if (test?.kind !== "command" || readAs === undefined) return false;
  const tail = test.anchor === "whole" ? withoutTail(test.glob) : undefined;
  const globs = [...commandGlobs(test), ...(tail === undefined ? [] : [tail])];
  const reading = { semantics: "may", shell: readAs.shell, context: readAs.context } as const;
  const fits = fitsAny(globs, reading);
  const folds = readAs.context.ignoreCase;
  const head = test.anchor === "contains" ? "" : literalHead(test.glob).trimEnd();
  const tries = (text: string) => budget.left-- <= 0 || fits(text);
  return texts.some(tries) ||
    texts.flatMap(commandTexts).map((text) => folds ? foldCase(text) : text).some((text) =>
      startsOf(text, folds ? foldCase(head) : head).some((start) => tries(text.slice(start)))
    );
}

/** The texts between operators, read with quotes as the ends of a command, as nothing, and as spaces. */
function commandTexts(text: string): readonly string[] {
  const readings = [
    text.replace(/["'`\\]/g, "\n"),
    text.replace(/["'`\\]/g, ""),
    text.replace(/["'`\\,[\]]/g, " "),
  ];
  const parts = readings.flatMap((reading) => reading.split(/[;&|(){}\n]+/));
  return [...new Set(parts.map((part) => part.trim().replace(/\s+/g, " ")))];
}

/** The offsets of words, with or without a folder before them, at which the text continues with the head. */
function startsOf(text: string, head: string): readonly number[] {
  if (text === "") return [];
  if (head === "") return [0];
  const starts: number[] = [];
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, at + 1)) {
    if (at === 0 || /[\s/=:]/.test(text[at - 1]!)) starts.push(at);
  }
  return starts;
}
