import type { Match, UnitVerdict } from "../model/verdict.ts";
import { globMayName } from "../policy/compile/glob_may_name.ts";
import type { Request } from "../policy/compile/request.ts";
import type { ToolRule } from "../policy/compile/compiled_policy.ts";
import type { Effect } from "../shell/effect.ts";
import { amongAll, expired, firstMatchIn, type MatchTrace } from "./first_match.ts";
import { strictestOf } from "./precedence.ts";
import { type EvalContext, type UnitResult, unitResult } from "./unit_result.ts";

/** The tool whose rules speak of such a file or URL, and the field that names it. */
const TOOLS = {
  read: { tool: "Read", field: "path" },
  write: { tool: "Write", field: "path" },
  url: { tool: "WebFetch", field: "url" },
} as const;

type FileEffect = Effect & { readonly kind: keyof typeof TOOLS };

/** True for the effects on files and URLs. */
export function isFileEffect(effect: Effect): effect is FileEffect {
  return effect.kind in TOOLS;
}

/**
 * Evaluates a file that a redirection opens, or that a program writes besides its purpose, as a call of Write or Read, by
 * the same rules; an allow rule of the shell tool that covers the effect counts in its place.
 */
export function evaluateFile(effect: FileEffect, context: EvalContext): UnitResult {
  const { rules, request, options } = context;
  const file = fileRequest(effect, request);
  const merged = (own: readonly ToolRule[], ofShell: readonly ToolRule[]) => {
    const byIndex = new Map(own.map((toolRule) => [toolRule.rule.index, toolRule]));
    for (const toolRule of ofShell) {
      const { rule } = toolRule;
      if (rule.action !== "allow" || byIndex.get(rule.index)?.matches(file) === "yes") continue;
      byIndex.set(rule.index, { ...toolRule, matches: () => toolRule.matches(request) });
    }
    return inOrder(byIndex);
  };
  const trace = firstMatchIn(rules, file, {
    ...options,
    list: {
      candidates: merged(rules.candidates(file), rules.candidates(request)),
      all: () => {
        const { profile: { name } } = request;
        return amongAll(rules, merged(rules.toolRules(file.profile.name), rules.toolRules(name)));
      },
    },
  });
  return unitResult(trace, { request: file, unit: shown(effect) });
}

/**
 * Decides a redirection to an unknown file: by the rules of the shell tool, and by those that deny or ask about files, which
 * cannot be evaluated if they have a specifier.
 */
export function matchUnknownFile(
  { unknownFileAccess = [] }: Effect,
  { rules, request, options }: EvalContext,
): MatchTrace {
  const ofFiles = unknownFileAccess.flatMap((kind) => rules.toolRules(TOOLS[kind].tool))
    .filter(({ rule, specifier }) => rule.action !== "allow" && specifier);
  const merged = (own: readonly ToolRule[]) => {
    const byIndex = new Map(own.map((toolRule) => [toolRule.rule.index, toolRule]));
    for (const toolRule of ofFiles) {
      const { rule: { index }, specifier } = toolRule;
      const match: Match = specifier?.kind === "any" ? "yes" : "indeterminate";
      if (!byIndex.has(index)) byIndex.set(index, { ...toolRule, matches: () => match });
    }
    return inOrder(byIndex);
  };
  return firstMatchIn(rules, request, {
    ...options,
    list: {
      candidates: merged(rules.candidates(request)),
      all: () => amongAll(rules, merged(rules.toolRules(request.profile.name))),
    },
  });
}

function inOrder(byIndex: ReadonlyMap<number, ToolRule>): readonly ToolRule[] {
  return [...byIndex.values()].sort((a, b) => a.rule.index - b.rule.index);
}

/**
 * Evaluates a file that a program reads or writes as its purpose: only by rules that people wrote, and without one it is
 * allowed. Undefined if no deny or ask rule is about files of that kind.
 */
export function evaluateOperand(effect: FileEffect, context: EvalContext): UnitResult | undefined {
  const { rules, options } = context;
  const request = fileRequest(effect, context.request);
  const unit = shown(effect);
  const written = rules.writtenRules(request.profile.name);
  const objector = written.find(({ rule, specifier }) =>
    rule.action !== "allow" && specifier !== undefined &&
    !expired(rule, { settings: rules.settings, now: options.now })
  );
  if (!objector) return undefined;
  if (effect.path === "open") {
    const reason = `the ${OPENED[effect.kind]} is not fixed (${effect.text}), and ` +
      `\`${objector.rule.pattern}\` may match it`;
    return unitResult(NO_RULE, { request, unit, reason });
  }
  const isGlob = effect.path === "glob";
  const names = isGlob ? context.request.expand(effect.text) ?? [] : [];
  const named = names.length > 0 ? evaluateNamed(names, { effect, context }) : undefined;
  // Nothing that the line does before changes what it names, or one of the names decides already.
  if (named && (effect.mayLookUp || named.verdict.action !== "allow")) return named;
  const asGlob = (toolRule: ToolRule): ToolRule =>
    isGlob ? { ...toolRule, matches: () => globMatch(toolRule, effect.text, request) } : toolRule;
  const candidates = isGlob
    ? written.map(asGlob)
    : rules.candidates(request).filter(({ rule }) => rule.source.kind !== "builtin");
  const trace = firstMatchIn(rules, request, {
    ...options,
    list: { candidates, all: () => amongAll(rules, written.map(asGlob)) },
  });
  if (trace.rule !== null) return unitResult(trace, { request, unit });
  const reason = "no deny or ask rule matches it";
  return unitResult({ ...trace, action: "allow" }, { request, unit, reason });
}

/** Evaluates the files that a glob names now, each with its real path; the strictest counts. */
function evaluateNamed(
  names: readonly string[],
  { effect, context }: { readonly effect: FileEffect; readonly context: EvalContext },
): UnitResult {
  const { mayLookUp: _, ...glob } = effect;
  const results = names.flatMap((text) => {
    const result = evaluateOperand({ ...glob, text, path: "fixed" }, context);
    return result ? [result] : [];
  });
  const strictest = strictestOf(results, ({ verdict }) => verdict);
  if (strictest.verdict.action !== "allow") return strictest;
  const reason = `no deny or ask rule matches a file that it names (${names.length})`;
  const { text, path } = shown(effect);
  return {
    ...strictest,
    verdict: { ...strictest.verdict, text, ...(path ? { path } : {}), reason },
  };
}

const OPENED = {
  read: "file that the line reads",
  write: "file that the line writes",
  url: "URL that the line fetches",
} as const;

const NO_RULE: MatchTrace = { action: "ask", by: "rule", rule: null, toolRule: null, steps: [] };

/** The match of a rule with a file name glob: certain only without a specifier that could tell its files apart. */
function globMatch(
  { specifier, rule, readAs }: ToolRule,
  glob: string,
  request: Request,
): Match {
  if (specifier === undefined) return "no";
  if (specifier.kind === "any") return "yes";
  if (rule.action === "allow") return "no";
  return globMayName(glob, { specifier, request, context: readAs?.context })
    ? "indeterminate"
    : "no";
}

function fileRequest({ kind, text }: FileEffect, request: Request): Request {
  const { tool, field } = TOOLS[kind];
  return request.withTool(tool, { [field]: text });
}

function shown(
  { kind, text, via, depth, path }: Effect,
): Pick<UnitVerdict, "kind" | "text" | "via" | "depth" | "path"> {
  return { kind, text, via, depth, ...(path === undefined ? {} : { path }) };
}
