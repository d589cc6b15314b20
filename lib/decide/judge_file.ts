import type { Match } from "../model/match.ts";
import type { UnitVerdict } from "../model/verdict.ts";
import { globMayName } from "../policy/compile/could_name.ts";
import { ruleForOtherTools, type ToolRule } from "../policy/compile/rule_table.ts";
import type { Effect } from "../shell/unit.ts";
import type { Request } from "../policy/compile/facts.ts";
import { type EvalContext, type UnitResult, unitResult } from "./judged.ts";
import { expired, firstMatchIn, type MatchTrace } from "./walk.ts";

/** The tool whose rules speak of such a file or URL, and the field that names it. */
const TOOLS: Readonly<Record<"read" | "write" | "url", { tool: string; field: string }>> = {
  read: { tool: "Read", field: "path" },
  write: { tool: "Write", field: "path" },
  url: { tool: "WebFetch", field: "url" },
};

type FileUnit = Effect & { readonly kind: "read" | "write" | "url" };

/**
 * A file that a redirection opens or a program writes besides its trade: judged as a call of Write or Read, by the same
 * rules; an allow rule of the shell tool that covers it counts in its place.
 */
export function evaluateFile(effect: Effect, context: EvalContext): UnitResult {
  const { policy, request, options } = context;
  const facts = fileRequest(effect as FileUnit, context);
  const covers = (toolRule: ToolRule): ToolRule | undefined =>
    toolRule.rule.action === "allow"
      ? { ...toolRule, matches: () => toolRule.matches(request) }
      : undefined;
  const merged = (own: readonly ToolRule[], others: readonly ToolRule[]) => {
    const entries = new Map(own.map((toolRule) => [toolRule.rule.index, toolRule]));
    for (const toolRule of others) {
      const cover = covers(toolRule);
      const same = entries.get(toolRule.rule.index);
      if (cover && (!same || same.matches(facts) !== "yes")) {
        entries.set(toolRule.rule.index, cover);
      }
    }
    return [...entries.values()].sort((a, b) => a.rule.index - b.rule.index);
  };
  const trace = firstMatchIn(policy, facts, {
    ...options,
    path: {
      candidates: merged(policy.candidates(facts), policy.candidates(request)),
      all: () => {
        const known = merged(
          policy.toolRules(facts.profile.name),
          policy.toolRules(request.profile.name),
        );
        const byRule = new Map(known.map((toolRule) => [toolRule.rule, toolRule]));
        return policy.rules.map((rule) => byRule.get(rule) ?? ruleForOtherTools(rule));
      },
    },
  });
  return unitResult(trace, { facts, unit: shown(effect) });
}

/**
 * The walk for a redirection whose file cannot be known: the rules of the shell tool, and those that deny or ask about
 * files, which cannot be evaluated where they have a spec.
 */
export function evaluateUnknownFile(
  effect: Effect,
  { policy, request, options }: EvalContext,
): MatchTrace {
  const guards = (effect.unknownFileAccess ?? []).flatMap((kind) =>
    policy.toolRules(TOOLS[kind].tool)
  )
    .filter(({ rule, specifier }) => rule.action !== "allow" && specifier);
  const unknown = (toolRule: ToolRule): ToolRule => ({
    ...toolRule,
    matches: () => toolRule.specifier?.kind === "any" ? "yes" : "indeterminate",
  });
  const merged = (own: readonly ToolRule[]) => {
    const entries = new Map(own.map((toolRule) => [toolRule.rule.index, toolRule]));
    for (const guard of guards) {
      if (!entries.has(guard.rule.index)) entries.set(guard.rule.index, unknown(guard));
    }
    return [...entries.values()].sort((a, b) => a.rule.index - b.rule.index);
  };
  return firstMatchIn(policy, request, {
    ...options,
    path: {
      candidates: merged(policy.candidates(request)),
      all: () => {
        const byRule = new Map(
          merged(policy.toolRules(request.profile.name)).map((each) => [each.rule, each]),
        );
        return policy.rules.map((rule) => byRule.get(rule) ?? ruleForOtherTools(rule));
      },
    },
  });
}

/**
 * A file that a program reads or writes as its trade: only the rules that people wrote are asked, and silence is no
 * objection. Undefined when no deny or ask rule guards files of that kind.
 */
export function evaluateOperand(effect: Effect, context: EvalContext): UnitResult | undefined {
  const { policy, options } = context;
  const request = fileRequest(effect as FileUnit, context);
  const written = policy.writtenRules(request.profile.name);
  const guard = written.find(({ rule, specifier }) =>
    rule.action !== "allow" && specifier !== undefined &&
    !expired(rule, { policy, now: options.now })
  );
  if (!guard) return undefined;
  if (effect.path === "open") return openFile(effect, { facts: request, guard });
  const matcher = (toolRule: ToolRule): ToolRule =>
    effect.path === "glob"
      ? { ...toolRule, matches: () => globMatch(toolRule, effect.text, request) }
      : toolRule;
  const candidates = effect.path === "glob"
    ? written
    : policy.candidates(request).filter(({ rule }) => rule.source.kind !== "builtin");
  const trace = firstMatchIn(policy, request, {
    ...options,
    path: {
      candidates: candidates.map(matcher),
      all: () => {
        const byRule = new Map(written.map((toolRule) => [toolRule.rule, matcher(toolRule)]));
        return policy.rules.map((rule) => byRule.get(rule) ?? ruleForOtherTools(rule));
      },
    },
  });
  if (trace.rule !== null) return unitResult(trace, { facts: request, unit: shown(effect) });
  return unitResult({ ...trace, action: "allow" }, {
    facts: request,
    unit: shown(effect),
    reason: "no deny or ask rule objects to it",
  });
}

/** A file that the line does not fix may be one that a rule guards. */
function openFile(
  effect: Effect,
  { facts: request, guard }: { facts: Request; guard: ToolRule },
): UnitResult {
  const trace: MatchTrace = { action: "ask", by: "rule", rule: null, toolRule: null, steps: [] };
  const verb = effect.kind === "read" ? "reads" : effect.kind === "write" ? "writes" : "fetches";
  return unitResult(trace, {
    facts: request,
    unit: shown(effect),
    reason:
      `what it ${verb} is not fixed (${effect.text}), and \`${guard.rule.pattern}\` guards some`,
  });
}

/** Whether a rule speaks of a file that a glob may name: surely for a rule without a spec, else it cannot be evaluated. */
function globMatch(toolRule: ToolRule, glob: string, request: Request): Match {
  const { specifier, rule } = toolRule;
  if (specifier === undefined) return "no";
  if (specifier.kind === "any") return "yes";
  if (rule.action === "allow") return "no";
  return globMayName(glob, { spec: specifier, facts: request, context: toolRule.readAs?.context })
    ? "indeterminate"
    : "no";
}

function fileRequest({ kind, text }: FileUnit, { policy, request }: EvalContext): Request {
  const { tool, field } = TOOLS[kind];
  return policy.request({ ...request.call, tool, input: { [field]: text } });
}

function shown(
  { kind, text, via, depth, path }: Effect,
): Pick<UnitVerdict, "kind" | "text" | "via" | "depth" | "path"> {
  return { kind, text, via, depth, ...(path === undefined ? {} : { path }) };
}
