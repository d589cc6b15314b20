import { evaluateCall, type Evaluation } from "../../decide/evaluate.ts";
import { compileEarly } from "../../io/runtime/choose_runtime.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { RememberedLooks } from "../../io/load/remembered_looks.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Decision } from "../../model/verdict.ts";
import type { CallFault } from "../../report/decision_text.ts";
import { colorFor, windowColumns } from "../output/choose_color.ts";
import { autoModeFor, decideCall, headlessWays } from "../input/decide_with_model.ts";
import { EXIT, UsageError } from "../errors/errors.ts";
import { loadParser, loadParserFor, loadParserOnCall } from "../input/load_parser.ts";
import { openPolicyFor, trustWarnings } from "../input/open_policy.ts";
import { readCall, toolName } from "../input/read_call.ts";
import {
  type ModeSettings,
  modeSettings,
  warnOfDangerousFlags,
  warnOfDeadFlags,
} from "../input/start_mode.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import type { Stream } from "./line_result.ts";

/** Decides one call, or with --stdin one a line. */
export async function run(invocation: Invocation, given: Runtime): Promise<number> {
  const [name, input] = invocation.operands;
  const streams = hasFlag(invocation, "stdin");
  if (streams && name !== undefined) {
    throw new UsageError("--stdin takes no tool: each line names its tool");
  }
  if (!streams && name === undefined) {
    throw new UsageError("The tool is missing", {
      hint: "For example:",
      command: "caliban check Bash 'git push'",
    });
  }
  if (streams) {
    compileEarly();
    await loadParser();
  } else {
    await loadParserOnCall();
  }
  const jobs = jobsOf(invocation);
  if (streams && jobs > 1) {
    const { checkWithJobs } = await import("./jobs/check_with_jobs.ts");
    return await checkWithJobs(jobs, { invocation, runtime: given });
  }
  const tool = name === undefined ? "" : toolName(name);
  const looks = streams ? await looksOf(given) : undefined;
  const runtime = looks?.runtime ?? given;
  const { policy, start, auto } = await openStream(invocation, runtime);
  if (looks !== undefined) {
    const { checkStream } = await import("./stream.ts");
    return await checkStream(looks, { policy, start, auto });
  }
  const { profiles } = policy.policy;
  const words = { tool, input, cwd: flagValue(invocation, "cwd") };
  const call = await readCall(words, { profiles, runtime });
  await loadParserFor([call], profiles);
  const now = runtime.now();
  const evaluation = evaluateCall(policy.policy, call, { now });
  const again = () => evaluateCall(policy.policy, call, { now: runtime.now() });
  const decided = await decideCall(evaluation, { policy: policy.policy, start, auto, again });
  const { mode } = start.options;
  const { decision, ways } = decided.decidedBy === "headless"
    ? await headlessWays(evaluation, { policy: policy.policy, now, mode, decided })
    : { decision: decided };
  const reported = { decision, evaluation, policy, invocation, runtime, start, ways };
  await runtime.write("stdout", await report(call, reported));
  return EXIT[decision.decision];
}

/** Loads the policy and the settings that a command line names, and prints their warnings on stderr. */
export async function openStream(invocation: Invocation, runtime: Runtime): Promise<Stream> {
  const policy = await openPolicyFor(invocation, runtime);
  const start = modeSettings(policy.policy, { invocation, runtime });
  await warnOfDangerousFlags(start, runtime);
  await warnOfDeadFlags(policy.policy, { invocation, runtime });
  const auto = await autoModeFor(policy, { invocation, runtime, start });
  return { policy, start, auto };
}

/** The most threads. */
const MOST_JOBS = 64;

/** The number of threads. Throws UsageError. */
function jobsOf(invocation: Invocation): number {
  const value = flagValue(invocation, "jobs");
  if (value === undefined) return 1;
  const jobs = /^\d{1,2}$/.test(value) ? Number(value) : 0;
  if (jobs < 1 || jobs > MOST_JOBS) {
    throw new UsageError(
      `Flag "--jobs" cannot be "${value}": expected a whole number from 1 to ${MOST_JOBS}`,
    );
  }
  if (hasFlag(invocation, "stdin")) return jobs;
  throw new UsageError("--jobs needs --stdin", {
    hint: "Give both:",
    command: "caliban check --stdin --jobs 4",
  });
}

async function looksOf(runtime: Runtime): Promise<RememberedLooks> {
  const { rememberedLooks } = await import("../../io/load/remembered_looks.ts");
  return rememberedLooks(runtime);
}

interface Reported {
  readonly decision: Decision;
  readonly evaluation: Evaluation;
  readonly policy: LoadedPolicy;
  readonly invocation: Invocation;
  readonly runtime: Runtime;
  readonly start: ModeSettings;
  /** The flags that would allow a call that is denied because nobody can be asked. */
  readonly ways?: string | undefined;
}

async function report(call: ToolCall, reported: Reported): Promise<string> {
  const { decision, policy, invocation, runtime } = reported;
  const warnings = [
    ...decision.warnings,
    ...await nameWarnings(call, policy),
    ...await trustWarnings(policy, { call, now: runtime.now() }),
  ];
  const fault = await urlFaultOf(call, policy);
  if (hasFlag(invocation, "json")) {
    const { decisionLines } = await import("../../report/decision_json.ts");
    const all = fault === undefined ? warnings : [...warnings, `${fault.what}; ${fault.advice}`];
    return decisionLines(call, { ...decision, warnings: all });
  }
  const { decisionText } = await import("../../report/decision_text.ts");
  const color = colorFor(invocation, runtime);
  if (warnings.length > 0) await warnAll(warnings, runtime);
  const asked = decision.verdict.action === "ask" && decision.decision !== "allow" &&
    decision.decidedBy !== "safety";
  const next = asked && reported.ways === undefined ? await nextStep(reported) : reported.ways;
  return decisionText(call, decision, {
    color,
    columns: windowColumns(runtime),
    folders: policy.location,
    ...(next === undefined ? {} : { next }),
    ...(fault === undefined ? {} : { fault }),
  });
}

async function warnAll(warnings: readonly string[], runtime: Runtime): Promise<void> {
  const { warn } = await import("../output/print.ts");
  for (const message of warnings) await warn(runtime, { message });
}

/** The problem of a call's URL, if it has one. */
async function urlFaultOf(
  call: ToolCall,
  { policy }: LoadedPolicy,
): Promise<CallFault | undefined> {
  if (policy.profiles.get(call.tool).kind !== "url") return undefined;
  const { urlFault } = await import("../output/call_notes.ts");
  return urlFault(policy.request(call));
}

/** The most rules with which output to a pipe or file has a suggestion, because that is tried on the whole policy. */
const MOST_RULES = 1_000;

/** The command that allows the call from now on. */
async function nextStep(
  { policy, evaluation, invocation, runtime, start }: Reported,
): Promise<string | undefined> {
  if (policy.policy.rules.length > MOST_RULES && !runtime.isTerminal("stdout")) return undefined;
  const { wayToAllow } = await import("./way_to_allow.ts");
  const { mode } = start.options;
  const workspace = flagValue(invocation, "workspace");
  return await wayToAllow(policy, { evaluation, runtime, mode, workspace });
}

/** A warning about a tool whose name looks misspelt. */
async function nameWarnings(call: ToolCall, policy: LoadedPolicy): Promise<readonly string[]> {
  const { profiles } = policy.policy;
  if (profiles.has(call.tool)) return [];
  const { toolNotes } = await import("../../policy/compile/tool_notes.ts");
  return toolNotes(call.tool, profiles);
}
