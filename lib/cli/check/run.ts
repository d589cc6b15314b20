import { evaluate } from "../../decide/evaluate.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Decision } from "../../model/decision.ts";
import type { CallFault } from "../../report/decision_text.ts";
import { withRemedy } from "../../suggest/decide_call.ts";
import { chooseColor } from "../choose_color.ts";
import { warnOfDangers } from "../dangers.ts";
import { decideUnder } from "../decide_under.ts";
import { EXIT } from "../exit_status.ts";
import { UsageError } from "../errors.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { openFor } from "../policy_flags.ts";
import { readCall, toolName } from "../read_call.ts";
import { type Start, startOf } from "../start_mode.ts";
import type { Invocation } from "../verb.ts";

/** Decides one call, or with --stdin one a line. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [name, input] = invocation.operands;
  const streams = hasFlag(invocation, "stdin");
  if (streams && name !== undefined) {
    throw new UsageError("--stdin takes no tool: each line names its own");
  }
  if (!streams && name === undefined) {
    throw new UsageError("The tool is missing", {
      hint: "For example:",
      command: "caliban check Bash 'git push'",
    });
  }
  const tool = name === undefined ? "" : toolName(name);
  const policy = await openFor(invocation, runtime);
  const start = startOf(policy.policy, { invocation, runtime });
  await warnOfDangers(start, runtime);
  const auto = start.asksModel
    ? await (await import("../open_auto.ts")).openAuto(policy, { invocation, runtime })
    : undefined;
  if (streams) {
    const { checkStream } = await import("./stream.ts");
    return await checkStream(runtime, { policy, start, auto });
  }
  const { profiles } = policy.policy;
  const words = { tool, input, cwd: flagValue(invocation, "cwd") };
  const call = await readCall(words, { profiles, runtime });
  const now = runtime.now();
  const verdict = evaluate(policy.policy, call, { now });
  const decided = await decideUnder(verdict, { policy: policy.policy, start, auto });
  const decision = withRemedy(policy.policy, decided, { ...start.options, now });
  await runtime.write(
    "stdout",
    await report(call, { decision, policy, invocation, runtime, start }),
  );
  return EXIT[decision.decision];
}

interface Reported {
  readonly decision: Decision;
  readonly policy: LoadedPolicy;
  readonly invocation: Invocation;
  readonly runtime: Runtime;
  readonly start: Start;
}

async function report(call: ToolCall, reported: Reported): Promise<string> {
  const { decision, policy, invocation, runtime } = reported;
  const warnings = [...decision.warnings, ...await nameWarnings(call, policy)];
  const fault = await urlFaultOf(call, policy);
  if (hasFlag(invocation, "json")) {
    const { decisionJson } = await import("../../report/decision_json.ts");
    const told = fault === undefined ? warnings : [...warnings, `${fault.what}; ${fault.advice}`];
    return JSON.stringify(decisionJson(call, { ...decision, warnings: told }), null, 2) + "\n";
  }
  const { decisionText } = await import("../../report/decision_text.ts");
  const color = chooseColor(runtime, { flag: flagValue(invocation, "color"), stream: "stdout" });
  if (warnings.length > 0) await warnAll(warnings, runtime);
  // Finding it takes longer than the decision, so it is for people; explain has it everywhere.
  const asked = decision.verdict.action === "ask" && decision.decision !== "allow" &&
    decision.decidedBy !== "safety";
  const next = asked && runtime.isTerminal("stdout") ? await nextStep(call, reported) : undefined;
  return decisionText(call, decision, {
    color,
    folders: policy.facts,
    ...(next === undefined ? {} : { next }),
    ...(fault === undefined ? {} : { fault }),
  });
}

async function warnAll(warnings: readonly string[], runtime: Runtime): Promise<void> {
  const { warn } = await import("../warn.ts");
  for (const message of warnings) await warn(runtime, { message });
}

/** What is wrong with the URL of a call, where it has one. */
async function urlFaultOf(
  call: ToolCall,
  { policy }: LoadedPolicy,
): Promise<CallFault | undefined> {
  if (policy.profiles.get(call.tool).kind !== "url") return undefined;
  const { urlFault } = await import("../url_fault.ts");
  return urlFault(policy.request(call));
}

/** What a person would type to have the call allowed from now on. */
async function nextStep(
  call: ToolCall,
  { policy, decision: { verdict }, invocation, runtime, start }: Reported,
): Promise<string | undefined> {
  const [{ nextRemedy, remedyCommand }, { addingFor }] = await Promise.all([
    import("../next_command.ts"),
    import("../adding_for.ts"),
  ]);
  const adding = addingFor(policy, runtime);
  const { mode } = start.options;
  const remedy = nextRemedy(policy.policy, { call, verdict, adding, now: runtime.now(), mode });
  return remedy && remedyCommand(remedy, { workspace: flagValue(invocation, "workspace") });
}

/** A tool that nobody knows but for its name's spelling. */
async function nameWarnings(call: ToolCall, policy: LoadedPolicy): Promise<readonly string[]> {
  const { profiles } = policy.policy;
  if (profiles.has(call.tool)) return [];
  const { toolNotes } = await import("../name_notes.ts");
  return toolNotes(call.tool, profiles);
}
