import { evaluate } from "../decide/evaluate.ts";
import { isExact } from "../decide/protected/names_place.ts";
import type { EvaluateOptions } from "../decide/first_match.ts";
import type { Rule, SourceEntry } from "../model/rule.ts";
import type { AskQuestion, Verdict } from "../model/verdict.ts";
import { onlyText } from "../pattern/glob.ts";
import type { CompiledPolicy, ToolRule } from "../policy/compile/compiled_policy.ts";
import { decodePolicy } from "../policy/decode/decode_policy.ts";
import { mayPrecedeCommands } from "../policy/edit/command_overlap.ts";
import { insertRule } from "../policy/edit/edit_rules.ts";
import { toolRulesMayOverlap } from "../policy/edit/may_overlap.ts";
import { sampleCalls } from "../suggest/sample_calls.ts";
import { recompiled, rulesAlone } from "../suggest/policy_with_rules.ts";
import type { FileScope, RuleFiles } from "./gate_parts.ts";
import type { GateState, SessionRule } from "./gate_state.ts";
import type { GateContext } from "./stages/stage.ts";
import { nameOf, questionsOf } from "./answers.ts";

/** The file that rules are to be kept in, and the question that they answered. */
export interface KeepOptions {
  /** The file's scope. */
  readonly scope: FileScope;
  /** The question that they answered. */
  readonly question: AskQuestion;
  /** The context of the call. */
  readonly context: GateContext;
  /** The gate's policy and rules. */
  readonly state: GateState;
  readonly files: RuleFiles | undefined;
}

/** The outcome of writing rules into a file's text. */
type Planned =
  | { readonly kind: "text"; readonly text: string }
  /** They stand there already. */
  | { readonly kind: "stands" }
  /** They are not written, and why. */
  | { readonly kind: "stays"; readonly why: string };

/**
 * Writes rules to a file where they mean there what they mean in the session: an allow directly above the rule that asked
 * where that stands there, else at the end; a deny above the first rule that would beat it. Where they would mean less, or
 * would lift a deny, they stay in the session. Gives what a person must know, one sentence each; never rejects.
 */
export async function keepInFile(
  rules: readonly SessionRule[],
  options: KeepOptions,
): Promise<readonly string[]> {
  const { scope, state, files } = options;
  const entry = state.base.sources.entries.find(({ kind }) => kind === scope);
  if (files === undefined || entry === undefined) return [];
  let planned: Planned = { kind: "stands" };
  try {
    const warning = await files.edit({ scope, path: entry.path }, (text) => {
      planned = plannedText(text, { ...options, files, entry, rules });
      return planned.kind === "text" ? planned.text : undefined;
    });
    return [...warningsFor(planned), ...(warning === undefined ? [] : [warning])];
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [`The answer is kept for this session only: ${detail}`];
  }
}

function warningsFor(planned: Planned): readonly string[] {
  if (planned.kind !== "stays") return [];
  return [`The answer is kept for this session only: ${planned.why}`];
}

interface Planning extends KeepOptions {
  readonly files: RuleFiles;
  readonly entry: SourceEntry;
  readonly rules: readonly SessionRule[];
}

function plannedText(text: string, planning: Planning): Planned {
  const { rules, state: { base }, entry } = planning;
  let written = text;
  for (const rule of rules) {
    const placed = withRule(written, rule, planning);
    if (placed.kind === "stays") return placed;
    if (placed.kind === "text") written = placed.text;
  }
  // An answer is the person's own act: the file stays trusted if it was.
  const changed: SourceEntry = {
    ...entry,
    state: "read",
    text: written,
    file: decodePolicy(written),
  };
  const { entries } = base.sources;
  const policy = recompiled(base, entries.map((each) => each === entry ? changed : each));
  if (policy === undefined) {
    return { kind: "stays", why: `${entry.path} cannot be used with it` };
  }
  const why = objection(policy, planning);
  if (why !== undefined) return { kind: "stays", why };
  return written === text ? { kind: "stands" } : { kind: "text", text: written };
}

/** Why the rules must not stand in the file: another decides there what they decide in the session, or they lift a deny. */
function objection(
  policy: CompiledPolicy,
  { rules, context, state, entry, question: { call } }: Planning,
): string | undefined {
  const now = context.now();
  const options = now === undefined ? {} : { now };
  const inFile = evaluate(policy, call, options);
  const inSession = evaluate(state.policy, call, options);
  if (isLess(inFile, inSession)) {
    const who = inFile.rule === null ? "the default (no rule matches)" : nameOf(inFile.rule);
    return `${who} would still decide this call`;
  }
  const allows = rules.filter(({ action }) => action === "allow");
  if (allows.length === 0) return undefined;
  const lifted = beatenDeny(state.base, { after: policy, tool: call.tool, options });
  if (lifted !== undefined) return `there it would allow calls that ${nameOf(lifted)} denies`;
  for (const { pattern } of allows) {
    const may = mayLift(state.base, { after: policy, pattern, path: entry.path });
    if (may !== undefined) return `there it could allow calls that ${nameOf(may)} denies`;
  }
  return undefined;
}

function isLess(inFile: Verdict, inSession: Verdict): boolean {
  return inSession.action === "deny"
    ? inFile.action !== "deny"
    : inFile.action === "deny" || questionsOf(inFile) > questionsOf(inSession);
}

function withRule(text: string, rule: SessionRule, planning: Planning): Planned {
  const { files, state: { base: { profiles } } } = planning;
  const asking = rule.action === "allow" ? askingIndex(text, rule, planning) : undefined;
  if (asking !== undefined) {
    const above = decodePolicy(text).rules.slice(0, asking);
    const { pattern, action } = rule;
    const stands = above.some((each) => each.action === action && each.pattern.value === pattern);
    if (stands) return { kind: "stands" };
    const result = insertRule(text, rule, { before: asking });
    return result.ok
      ? { kind: "text", text: result.text }
      : { kind: "stays", why: result.problem.message };
  }
  const added = files.add(text, { rule, first: false, profiles });
  switch (added.kind) {
    case "added":
      return { kind: "text", text: added.text };
    case "stands":
      return { kind: "stands" };
    case "refused":
      return { kind: "stays", why: added.why.problem.message };
  }
}

/** The index in the file of the last rule that asks about what the allow rule fits; undefined when none stands there. */
function askingIndex(
  text: string,
  { pattern, action }: SessionRule,
  { question, state: { base }, entry }: Planning,
): number | undefined {
  const alone = rulesAlone(base, [{ pattern, action }]);
  if (alone === undefined) return undefined;
  const fitted = evaluate(alone, question.call).units.filter((unit) => unit.rule !== null);
  const askers = question.decision.verdict.units.flatMap((unit): readonly Rule[] => {
    const isFitted = fitted.some((each) => each.kind === unit.kind && each.text === unit.text);
    const { rule } = unit;
    return isFitted && rule?.action === "ask" && rule.source.path === entry.path ? [rule] : [];
  });
  const indexes = decodePolicy(text).rules.flatMap((written, index) =>
    askers.some((rule) => written.action === "ask" && written.pattern.value === rule.pattern)
      ? [index]
      : []
  );
  return indexes.at(-1);
}

/**
 * A deny rule that some call of the tool shows to be lifted: denied before, allowed after. Samples, not proof: undefined
 * when none of those made from the rules' own texts shows it.
 */
function beatenDeny(
  before: CompiledPolicy,
  { after, tool, options }: {
    readonly after: CompiledPolicy;
    readonly tool: string;
    readonly options: EvaluateOptions;
  },
): Rule | undefined {
  for (const rule of before.rules) {
    if (rule.action !== "deny") continue;
    for (const call of sampleCalls(rule.pattern, before.profiles)) {
      if (call.tool !== tool) continue;
      const denied = evaluate(before, call, options);
      if (denied.action !== "deny") continue;
      if (evaluate(after, call, options).action === "allow") return denied.rule ?? rule;
    }
  }
  return undefined;
}

/**
 * A deny rule that an allow rule of a file may beat for some call, because it stands below it and cannot be told apart from
 * it. Errs towards finding one; undefined when none can be, or the rule stood there before.
 */
export function mayLift(
  before: CompiledPolicy,
  { after, pattern, path }: {
    readonly after: CompiledPolicy;
    readonly pattern: string;
    readonly path: string;
  },
): Rule | undefined {
  const isIt = ({ action, pattern: text, source }: Rule) =>
    action === "allow" && text === pattern && source.path === path;
  const own = after.rules.find(isIt);
  if (own === undefined || before.rules.some(isIt)) return undefined;
  const isBelow = ({ action, index }: Rule) => action === "deny" && index > own.index;
  const tool = onlyText(own.parsed.tool);
  const toolRules = tool === undefined ? [] : after.toolRules(tool);
  const mine = toolRules.find(({ rule }) => rule === own);
  const isBare = mine?.specifier === undefined ||
    mine.specifier.kind === "any" && after.profiles.get(tool ?? "").kind === "command";
  // A command rule without a specifier covers the files of its line too.
  if (mine === undefined || isBare) return after.rules.find(isBelow);
  return toolRules.find((toolRule) =>
    isBelow(toolRule.rule) && isBeaten(toolRule, { by: mine, after })
  )?.rule;
}

function isBeaten(
  toolRule: ToolRule,
  { by, after }: { readonly by: ToolRule; readonly after: CompiledPolicy },
): boolean {
  const { context: paths, settings: { wrappers } } = after;
  const { specifier } = toolRule;
  const test = specifier?.kind === "argument" ? specifier.test : undefined;
  // A wrapper makes another call of the command that the allow rule matches.
  if (isOneCall(by) && !(test?.kind === "command" && mayPrecedeCommands(test, wrappers))) {
    const calls = sampleCalls(by.rule.pattern, after.profiles);
    return calls.length === 0 ||
      calls.some((call) => toolRule.matches(after.request(call)) !== "no");
  }
  return toolRulesMayOverlap(by, toolRule, { paths, wrappers });
}

/** True if a rule fits one command or path only. */
function isOneCall(toolRule: ToolRule): boolean {
  const { specifier } = toolRule;
  if (specifier?.kind !== "argument") return false;
  return (specifier.test.kind === "command" || specifier.test.kind === "path") && isExact(toolRule);
}
