import type { AutoMode } from "../../gate/auto/opinion.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Decision } from "../../model/verdict.ts";
import { evaluateCall, type Evaluation } from "../../decide/evaluate.ts";
import type {
  AskedUnit,
  Explanation,
  SuggestedRuleReport,
} from "../../report/explain/explanation.ts";
import type { PlacedSuggestedRule } from "../../suggest/find_suggested_rule.ts";
import { classLines } from "../../report/class_text.ts";
import type { ExplainStyle } from "../../report/explain/explain_style.ts";
import { COLUMNS } from "../../report/layout.ts";
import { colorFor, windowColumns } from "../output/choose_color.ts";
import { autoModeFor, decideCall } from "../input/decide_with_model.ts";
import { EXIT } from "../errors/errors.ts";
import { formatName, printReport } from "../output/print_report.ts";
import { EXPLAIN_FORMATS } from "../../report/formats.ts";
import { openPolicyFor, trustWarnings } from "../input/open_policy.ts";
import { readCall, toolName } from "../input/read_call.ts";
import {
  flagEffects,
  type ModeSettings,
  modeSettings,
  warnOfDangerousFlags,
  warnOfDeadFlags,
} from "../input/start_mode.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";

export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const format = formatName(invocation);
  const tool = toolName(invocation.operands[0] ?? "");
  const isTrace = hasFlag(invocation, "trace");
  const tell = format === "text" && isTrace ? "problems" : "all";
  const loaded = await openPolicyFor(invocation, runtime, { tell });
  const start = modeSettings(loaded.policy, { invocation, runtime });
  await warnOfDangerousFlags(start, runtime);
  await warnOfDeadFlags(loaded.policy, { invocation, runtime });
  const auto = await autoModeFor(loaded, { invocation, runtime, start });
  const { profiles } = loaded.policy;
  const words = { tool, input: invocation.operands[1], cwd: flagValue(invocation, "cwd") };
  const call = await readCall(words, { profiles, runtime });
  const explanation = await explain(call, { loaded, start, auto, invocation, runtime });
  const style: ExplainStyle = {
    color: colorFor(invocation, runtime),
    columns: windowColumns(runtime) ?? COLUMNS,
    view: isTrace ? "trace" : "short",
  };
  await printReport(explanation, { formats: EXPLAIN_FORMATS, format, style, runtime });
  return hasFlag(invocation, "exit-status") ? EXIT[explanation.decision.decision] : EXIT.ok;
}

interface Explained {
  readonly loaded: LoadedPolicy;
  readonly start: ModeSettings;
  readonly auto: () => Promise<AutoMode>;
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

async function explain(call: ToolCall, explained: Explained): Promise<Explanation> {
  const { loaded, start, auto, runtime } = explained;
  const now = runtime.now();
  const evaluation = evaluateCall(loaded.policy, call, { now, trace: "full" });
  const again = () => evaluateCall(loaded.policy, call, { now: runtime.now(), trace: "full" });
  const decided = await decideCall(evaluation, { policy: loaded.policy, start, auto, again });
  const warnings = [...decided.warnings, ...await trustWarnings(loaded, { call, now })];
  return {
    call,
    cwd: call.cwd ?? loaded.location.cwd,
    decision: { ...decided, warnings },
    classes: evaluation.verdict.units.map((unit) => {
      const command = evaluation.commandOf(unit);
      return command === undefined ? [] : classLines(command);
    }),
    sources: loaded.sources,
    ...(start.from === undefined ? {} : { modeFrom: start.from }),
    flags: flagEffects(start),
    asked: await askedUnits(decided, { loaded, evaluation }),
    ...await suggestedRulesFor({ ...explained, evaluation }),
    folders: loaded.location,
  };
}

/** The units that ask, before flags answer for a person; one alone is the verdict's. */
async function askedUnits(
  { units }: Decision,
  { loaded: { policy }, evaluation: { request } }: Pick<Explained, "loaded"> & {
    readonly evaluation: Evaluation;
  },
): Promise<readonly AskedUnit[]> {
  const asking = units.filter(({ decision, decidedBy }) =>
    decision === "ask" || decidedBy === "headless" || decidedBy === "auto-allow"
  );
  if (asking.length < 2) return [];
  const { patternForUnit } = await import("../../suggest/suggest_rules.ts");
  return asking.map((unit) => {
    const pattern = patternForUnit(unit, { policy, request });
    return { unit: units.indexOf(unit), ...(pattern === undefined ? {} : { pattern }) };
  });
}

/** Loaded only now, for it reads and edits files as `add` does. */
async function suggestedRulesFor(
  { loaded, start, invocation, runtime, evaluation }: Explained & {
    readonly evaluation: Evaluation;
  },
): Promise<Pick<Explanation, "remedy" | "remedies">> {
  const [{ addCommand, findSuggestedRule }, { findSuggestedSet }, { entryAdder }, { addingFor }] =
    await Promise.all([
      import("../../suggest/find_suggested_rule.ts"),
      import("../../suggest/find_suggested_set.ts"),
      import("../../suggest/policy_with_texts.ts"),
      import("../write/scope_file.ts"),
    ]);
  const adding = addingFor(loaded, { runtime, add: entryAdder(loaded.policy.profiles) });
  const { mode } = start.options;
  const options = { evaluation, adding, now: runtime.now(), mode };
  const workspace = flagValue(invocation, "workspace");
  const reported = (rule: PlacedSuggestedRule): SuggestedRuleReport => ({
    ...rule,
    command: addCommand(rule, { workspace }),
  });
  const rule = findSuggestedRule(loaded.policy, options);
  if (rule !== null) return { remedy: reported(rule), remedies: [] };
  // Several rules for a denied line would lift its denials for other calls too.
  if (evaluation.verdict.action === "deny") return { remedy: null, remedies: [] };
  return { remedy: null, remedies: findSuggestedSet(loaded.policy, options).map(reported) };
}
