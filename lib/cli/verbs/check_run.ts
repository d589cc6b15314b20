import { decide, type DecideOptions } from "../../engine/decide.ts";
import type { Runtime } from "../../io/runtime.ts";
import type { LoadedPolicy } from "../../io/load_policy.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Decision } from "../../model/decision.ts";
import { withRemedy } from "../../suggest/with_remedy.ts";
import { chooseColor } from "../choose_color.ts";
import { warnOfDangers } from "../dangers.ts";
import { EXIT } from "../exit_status.ts";
import { UsageError } from "../errors.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { openFor } from "../policy_flags.ts";
import { readCall, toolName } from "../read_call.ts";
import { decideOptions } from "../start_mode.ts";
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
      hint: "For example: caliban check Bash 'git push'",
    });
  }
  const tool = name === undefined ? "" : toolName(name);
  const policy = await openFor(invocation, runtime);
  const options = decideOptions(policy.policy, { invocation, runtime });
  await warnOfDangers(options, runtime);
  if (streams) {
    const { checkStream } = await import("../check_stream.ts");
    return await checkStream(runtime, { policy, options });
  }
  const { profiles } = policy.policy;
  const words = { tool, input, cwd: flagValue(invocation, "cwd") };
  const call = await readCall(words, { profiles, runtime });
  const decision = withRemedy(decide(policy.policy, policy.evaluate(call), options), {
    policy: policy.policy,
    call,
  });
  await runtime.write(
    "stdout",
    await report(call, { decision, policy, invocation, runtime, options }),
  );
  return EXIT[decision.decision];
}

interface Reported {
  readonly decision: Decision;
  readonly policy: LoadedPolicy;
  readonly invocation: Invocation;
  readonly runtime: Runtime;
  readonly options: DecideOptions;
}

async function report(call: ToolCall, reported: Reported): Promise<string> {
  const { decision, policy, invocation, runtime } = reported;
  const warnings = [...decision.warnings, ...await nameWarnings(call, policy)];
  if (hasFlag(invocation, "json")) {
    const { decisionJson } = await import("../../report/decision_json.ts");
    return JSON.stringify(decisionJson(call, { ...decision, warnings }), null, 2) + "\n";
  }
  const { decisionText } = await import("../../report/decision_text.ts");
  const { visible } = await import("../../report/visible.ts");
  const color = chooseColor(runtime, { flag: flagValue(invocation, "color"), stream: "stdout" });
  for (const warning of warnings) await runtime.write("stderr", `warning: ${visible(warning)}\n`);
  const next = decision.verdict.action === "ask" && decision.decision !== "allow"
    ? await nextStep(call, reported)
    : undefined;
  return decisionText(call, decision, {
    color,
    folders: policy.facts,
    ...(next === undefined ? {} : { next }),
  });
}

/** What a person would type to have the call allowed from now on. */
async function nextStep(
  call: ToolCall,
  { policy, decision }: Reported,
): Promise<string | undefined> {
  const { nextCommand } = await import("../next_command.ts");
  return nextCommand(policy.policy, { call, verdict: decision.verdict });
}

/** A tool that nobody knows but for its name's spelling. */
async function nameWarnings(call: ToolCall, policy: LoadedPolicy): Promise<readonly string[]> {
  const { profiles } = policy.policy;
  if (profiles.has(call.tool) || call.tool.startsWith("mcp__")) return [];
  const { didYouMean } = await import("../../policy/did_you_mean.ts");
  const hint = didYouMean(call.tool, profiles.known.map(({ name }) => name));
  return hint === undefined ? [] : [`nothing is known about a tool "${call.tool}". ${hint}`];
}
