import { AGENT_NAMES, type AgentName, loadEach, loadSettings } from "../../agents/registry.ts";
import { type AgentGap, enforceable } from "../../agents/enforceable.ts";
import { agentProfile } from "../../agents/profile.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import { hookStarter, requireHooks } from "../../io/process/hook_process.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { Rule } from "../../model/rule.ts";
import { agentNamed, type AgentPlace } from "../write/agent_settings.ts";
import { colorFor } from "../output/choose_color.ts";
import { openPolicyFor } from "../input/open_policy.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { writeJson } from "../output/print.ts";
import { readSwitchFiles } from "./switch_files.ts";
import { type Probe, probe, PROBE_POLICY } from "./probe.ts";
import { type Installed, survey } from "./survey.ts";
import { doctorJson, doctorText } from "./text.ts";
import { type HookState, hookState } from "./unguarded.ts";

/** A rule that an agent cannot follow as it is written. */
export interface RuleGap extends AgentGap {
  readonly rule: Rule;
}

/** The test results of one installed command. */
export interface Examined extends HookState {
  readonly agent: AgentName;
  /** The settings file that holds the command. */
  readonly place: AgentPlace;
  readonly command: string;
  /** The results of its probes. */
  readonly probes: readonly Probe[];
  /** The rules that it cannot enforce. */
  readonly gaps: readonly RuleGap[];
}

export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const named = flagValue(invocation, "agent");
  const agents = named === undefined ? AGENT_NAMES : [agentNamed(named)];
  const policy = await openPolicyFor(invocation, runtime);
  const settings = await loadEach(agents, loadSettings);
  const { installed, broken: unread, program } = await survey({
    agents,
    settings,
    policy,
    runtime,
  });
  const { location } = policy;
  const switchFiles = new Map(
    [...new Set(installed.map(({ agent }) => agent))].map((name) =>
      [name, readSwitchFiles(runtime, { name, settings: settings[name], location })] as const
    ),
  );
  const broken = [
    ...new Set([...unread, ...[...switchFiles.values()].flatMap((each) => each.broken)]),
  ];
  const probed = installed.length === 0 ? [] : await tried(installed, { runtime, policy });
  const examined: Examined[] = [];
  for (const [index, each] of installed.entries()) {
    const siblings = installed.filter(({ agent }) => agent === each.agent);
    const views = switchFiles.get(each.agent)?.views ?? [];
    const state = await hookState(each, { runtime, location, views, siblings, program });
    const { agent, place, command } = each;
    const probes = probed[index] ?? [];
    examined.push({ agent, place, command, ...state, probes, gaps: gapsOf(agent, policy) });
  }
  const isMissing = named !== undefined && examined.length === 0 && broken.length === 0;
  const isGood = !isMissing && broken.length === 0 &&
    examined.every(({ probes, faults }) =>
      faults.length === 0 && probes.every((each) => each.isGood)
    );
  const outcome = { isGood, examined, broken, missing: isMissing ? named : undefined };
  if (hasFlag(invocation, "json")) await writeJson(runtime, doctorJson(outcome));
  else await runtime.write("stdout", doctorText(outcome, colorFor(invocation, runtime)));
  return isGood ? 0 : 1;
}

/** The results of the probes of each command. */
async function tried(
  installed: readonly Installed[],
  { runtime, policy }: { readonly runtime: Runtime; readonly policy: LoadedPolicy },
): Promise<readonly (readonly Probe[])[]> {
  await requireHooks(runtime);
  const { withProbeFolder } = await import("../../io/write/own_files.ts");
  const start = await hookStarter(runtime);
  return await withProbeFolder(PROBE_POLICY, async (folders) => {
    const results: (readonly Probe[])[] = [];
    for (const { agent, settings: { sample }, command } of installed) {
      const capabilities = agentProfile(agent).hook;
      const { home } = policy.location;
      const probing = { sample, command, capabilities, ...folders, home };
      results.push(await probe(probing, { start, runtime }));
    }
    return results;
  });
}

function gapsOf(agent: AgentName, { rules }: LoadedPolicy): readonly RuleGap[] {
  return rules.filter(({ source }) => source.kind !== "builtin")
    .flatMap((rule) => enforceable(agent, rule).map((gap) => ({ ...gap, rule })));
}

/** Events that an agent never sends to its hook, one sentence each. */
export function unseenBy(agent: AgentName): readonly string[] {
  const { title, hook } = agentProfile(agent);
  return hook.unseen.map(({ what }) => `${title}: ${what}`);
}
