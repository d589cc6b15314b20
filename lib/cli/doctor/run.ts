import type { AgentSettings, Wire } from "../../agents/agent.ts";
import { AGENT_NAMES, type AgentName } from "../../agents/agent_name.ts";
import { type AgentGap, enforceable } from "../../agents/enforceable.ts";
import { agentFacts } from "../../agents/tool_names.ts";
import { WIRES } from "../../agents/wires.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import { hookStarter, whyNoHooks } from "../../io/process/hook_process.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import type { Rule } from "../../model/rule.ts";
import { agentCommand } from "../agent_command.ts";
import { agentNamed } from "../agent_named.ts";
import { type AgentPlace, agentPlace, programFolder } from "../agent_place.ts";
import { chooseColor } from "../choose_color.ts";
import { InputError, UsageError } from "../errors.ts";
import { logFolder } from "../hook/log.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { openFor } from "../policy_flags.ts";
import { inSettings, unmarked } from "../settings_text.ts";
import type { Invocation } from "../verb.ts";
import { writeJson } from "../write_json.ts";
import { type Probe, probe, PROBE_POLICY } from "./probe.ts";
import { doctorJson, doctorText } from "./text.ts";

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
  const { withProbeFolder } = await import("../../io/write/probe_folder.ts");
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

/** Whether a command line is one that `hook install` writes for an agent on this machine, in this version or another. */
type IsKnown = (agent: AgentName, command: string) => boolean;

/** Tells commands of `hook install` from what a project may have come with. */
async function knownCommands(policy: LoadedPolicy, runtime: Runtime): Promise<IsKnown> {
  const { agentProgram } = await import("../../io/process/agent_program.ts");
  const writes = logFolder(runtime);
  return (agent, command) => {
    const below = folderFor(agent, { policy, runtime });
    if (below === undefined) return false;
    const options = [{ below }, ...(writes === undefined ? [] : [{ below, writes }])];
    return options.some((each) => {
      const { words } = agentProgram(runtime, each);
      const own = agentCommand(agent, { words, wire: WIRES[agent] });
      return withoutVersion(own) === withoutVersion(command);
    });
  };
}

function folderFor(
  agent: AgentName,
  { policy, runtime }: { readonly policy: LoadedPolicy; readonly runtime: Runtime },
): string | undefined {
  try {
    return programFolder(runtime, policy.facts, agent);
  } catch (error) {
    // Without a home, nothing was installed.
    if (!(error instanceof UsageError)) throw error;
    return undefined;
  }
}

/** Copies of other versions stand in the same folder, which is nobody's but the person's own. */
function withoutVersion(command: string): string {
  return command.replaceAll(/\/hooks\/[0-9a-f]{12}\//g, "/hooks/VERSION/");
}
