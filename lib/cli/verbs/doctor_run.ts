import { AGENT_NAMES, type AgentName } from "../../agents/agent_name.ts";
import type { AgentSettings, Wire } from "../../agents/agent.ts";
import { type AgentGap, enforceable } from "../../agents/enforceable.ts";
import { agentFacts } from "../../agents/tool_names.ts";
import { WIRES } from "../../agents/wires.ts";
import { hookStarter, whyNoHooks } from "../../io/hook_process.ts";
import type { LoadedPolicy } from "../../io/load_policy.ts";
import { FileError, type Runtime } from "../../io/runtime.ts";
import type { Rule } from "../../model/rule.ts";
import { agentNamed } from "../agent_named.ts";
import { type AgentPlace, agentPlace } from "../agent_place.ts";
import { chooseColor } from "../choose_color.ts";
import { type Probe, probe, PROBE_POLICY } from "../doctor_probe.ts";
import { doctorJson, doctorText } from "../doctor_text.ts";
import { InputError, UsageError } from "../errors.ts";
import { type IsKnown, knownCommands } from "../known_commands.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { openFor } from "../policy_flags.ts";
import { inSettings, unmarked } from "../settings_text.ts";
import type { Invocation } from "../verb.ts";
import { writeJson } from "../write_json.ts";

/** A rule that an agent cannot follow as it is written. */
export interface RuleGap extends AgentGap {
  /** The rule. */
  readonly rule: Rule;
}

/** What was found out about one installed command. */
export interface Examined {
  /** The agent. */
  readonly agent: AgentName;
  /** Where the command stands. */
  readonly place: AgentPlace;
  /** The command line. */
  readonly command: string;
  /** What came of trying it. */
  readonly probes: readonly Probe[];
  /** What of the policy it cannot enforce. */
  readonly gaps: readonly RuleGap[];
}

/** Tries every installed hook. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const named = flagValue(invocation, "agent");
  const agents = named === undefined ? AGENT_NAMES : [agentNamed(named)];
  const policy = await openFor(invocation, runtime);
  const { SETTINGS } = await import("../../agents/settings_registry.ts");
  const broken: string[] = [];
  const isKnown = await knownCommands(policy, runtime);
  const found = agents.flatMap((agent) =>
    commandsOf(agent, { runtime, policy, settings: SETTINGS[agent], broken, isKnown })
  );
  const examined = found.length === 0 ? [] : await tried(found, { runtime, policy });
  const isMissing = named !== undefined && examined.length === 0 && broken.length === 0;
  const isGood = !isMissing && broken.length === 0 &&
    examined.every(({ probes }) => probes.every((each) => each.isGood));
  const outcome = { isGood, examined, broken, missing: isMissing ? named : undefined };
  if (hasFlag(invocation, "json")) await writeJson(runtime, doctorJson(outcome));
  else {
    const color = chooseColor(runtime, { flag: flagValue(invocation, "color"), stream: "stdout" });
    await runtime.write("stdout", doctorText(outcome, color));
  }
  return isGood ? 0 : 1;
}

interface Found {
  readonly agent: AgentName;
  readonly place: AgentPlace;
  readonly command: string;
}

interface Looking {
  readonly runtime: Runtime;
  readonly policy: LoadedPolicy;
  readonly settings: AgentSettings;
  /** Gets what cannot be read, one sentence each. */
  readonly broken: string[];
  /** Whether installing wrote a command. */
  readonly isKnown: IsKnown;
}

const NOT_TRIED =
  'its command is not tried: the file came with the project, and the command is not what "caliban hook install" writes';

const CHANGED =
  "the hook does not stand there as it was installed, so that it may not be asked about every call; install it again: " +
  "caliban hook install";

function commandsOf(
  agent: AgentName,
  { runtime, policy, settings, broken, isKnown }: Looking,
): readonly Found[] {
  const { facts } = policy;
  const scopes = facts.home === undefined ? ["project"] as const : ["user", "project"] as const;
  const paths = new Set<string>();
  return scopes.flatMap((scope) => {
    try {
      const place = agentPlace(runtime, { settings, scope, facts });
      if (paths.has(place.path) || runtime.stat(place.path) === undefined) return [];
      paths.add(place.path);
      const { text } = unmarked(runtime.readText(place.path));
      const commands = inSettings(place.path, () => settings.commands(text));
      const off = commands.length === 0 ? undefined : settings.offBy?.(text);
      if (off !== undefined) broken.push(`${place.path}: "${off}" switches all hooks off`);
      return commands.flatMap((command) => {
        const again = inSettings(place.path, () => settings.install(text, { command }));
        if (again !== text) broken.push(`${place.path}: ${CHANGED} ${agent}`);
        if (place.scope === "user" || isKnown(agent, command)) {
          return [{ agent, place, command }];
        }
        broken.push(`${place.path}: ${NOT_TRIED}`);
        return [];
      });
    } catch (error) {
      // One agent's broken file hides nothing of the others.
      if (!(error instanceof InputError || error instanceof FileError)) throw error;
      broken.push(error.message);
      return [];
    }
  });
}

async function tried(
  found: readonly Found[],
  { runtime, policy }: { readonly runtime: Runtime; readonly policy: LoadedPolicy },
): Promise<readonly Examined[]> {
  const why = await whyNoHooks(runtime);
  if (why !== undefined) throw new UsageError(`Cannot run hooks: ${why}`);
  const { withProbeFolder } = await import("../../io/probe_folder.ts");
  const start = await hookStarter(runtime);
  return await withProbeFolder(PROBE_POLICY, async ({ folder, elsewhere }) => {
    const examined: Examined[] = [];
    for (const each of found) {
      const { capabilities }: Wire = WIRES[each.agent];
      const { home } = policy.facts;
      const probing = { ...each, capabilities, folder, elsewhere, home };
      const probes = await probe(probing, { start, runtime });
      examined.push({ ...each, probes, gaps: gapsOf(each.agent, policy) });
    }
    return examined;
  });
}

function gapsOf(agent: AgentName, { rules }: LoadedPolicy): readonly RuleGap[] {
  return rules.filter(({ source }) => source.kind !== "builtin")
    .flatMap((rule) => enforceable(agent, rule).map((gap) => ({ ...gap, rule })));
}

/** What an agent's hook is never told, whatever the rules say. */
export function unseenBy(agent: AgentName): readonly string[] {
  return WIRES[agent].capabilities.unseen.map(({ what }) => `${agentFacts(agent).title}: ${what}`);
}
