import type { AgentSettings } from "../../agents/settings/agent_settings.ts";
import {
  AGENT_NAMES,
  type AgentName,
  loadEach,
  loadHook,
  loadSettings,
} from "../../agents/registry.ts";
import { type AgentGap, enforceable } from "../../agents/enforceable.ts";
import { agentProfile } from "../../agents/profile.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import { WORKSPACE_BOUND } from "../../io/load/read_places.ts";
import { hookStarter, whyNoHooks } from "../../io/process/hook_process.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import type { Rule } from "../../model/rule.ts";
import {
  agentCommand,
  agentNamed,
  type AgentPlace,
  agentPlace,
  inSettings,
  programFolder,
  unmarked,
} from "../write/agent_settings.ts";
import { colorFor } from "../output/choose_color.ts";
import { InputError, UsageError } from "../errors/errors.ts";
import { logFolder } from "../hook/log.ts";
import { openPolicyFor } from "../input/open_policy.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { writeJson } from "../output/print.ts";
import { type Probe, probe, PROBE_POLICY } from "./probe.ts";
import { doctorJson, doctorText } from "./text.ts";

/** A rule that an agent cannot follow as it is written. */
export interface RuleGap extends AgentGap {
  readonly rule: Rule;
}

/** The test results of one installed command. */
export interface Examined {
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
  const broken: string[] = [];
  const isKnown = await knownCommands(agents, { policy, runtime });
  const found = agents.flatMap((agent) =>
    commandsOf(agent, { runtime, policy, settings: settings[agent], broken, isKnown })
  );
  const examined = found.length === 0 ? [] : await tried(found, { runtime, policy });
  const isMissing = named !== undefined && examined.length === 0 && broken.length === 0;
  const isGood = !isMissing && broken.length === 0 &&
    examined.every(({ probes }) => probes.every((each) => each.isGood));
  const outcome = { isGood, examined, broken, missing: isMissing ? named : undefined };
  if (hasFlag(invocation, "json")) await writeJson(runtime, doctorJson(outcome));
  else {
    const color = colorFor(invocation, runtime);
    await runtime.write("stdout", doctorText(outcome, color));
  }
  return isGood ? 0 : 1;
}

interface Found {
  readonly agent: AgentName;
  readonly settings: AgentSettings;
  readonly place: AgentPlace;
  readonly command: string;
}

interface Looking {
  readonly runtime: Runtime;
  readonly policy: LoadedPolicy;
  readonly settings: AgentSettings;
  /** Gets what cannot be read, one sentence each. */
  readonly broken: string[];
  /** True if installing wrote a command. */
  readonly isKnown: IsKnown;
}

const NOT_TRIED =
  'its command was not tested: the file belongs to the project, and "caliban hook install" does not write this command';

const CHANGED = "the installed hook was changed and may miss calls; install it again: " +
  "caliban hook install";

function commandsOf(
  agent: AgentName,
  { runtime, policy, settings, broken, isKnown }: Looking,
): readonly Found[] {
  const { location } = policy;
  const scopes = location.home === undefined ? ["project"] as const : ["user", "project"] as const;
  const paths = new Set<string>();
  return scopes.flatMap((scope) => {
    try {
      const place = agentPlace(runtime, { settings, scope, location });
      if (paths.has(place.path) || runtime.stat(place.path) === undefined) return [];
      paths.add(place.path);
      const bound = place.scope === "project" ? WORKSPACE_BOUND.bytes : undefined;
      const { text } = unmarked(runtime.readText(place.path, bound));
      const commands = inSettings(place.path, () => settings.commands(text));
      const off = commands.length === 0 ? undefined : settings.offBy?.(text);
      if (off !== undefined) broken.push(`${place.path}: "${off}" disables all hooks`);
      return commands.flatMap((command) => {
        const again = inSettings(place.path, () => settings.install(text, { command }));
        if (again !== text) broken.push(`${place.path}: ${CHANGED} ${agent}`);
        if (place.scope === "user" || isKnown(agent, command)) {
          return [{ agent, settings, place, command }];
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
  const { withProbeFolder } = await import("../../io/write/own_files.ts");
  const start = await hookStarter(runtime);
  return await withProbeFolder(PROBE_POLICY, async ({ folder, elsewhere }) => {
    const examined: Examined[] = [];
    for (const each of found) {
      const { agent, settings: { sample }, place, command } = each;
      const capabilities = agentProfile(agent).hook;
      const { home } = policy.location;
      const probing = { sample, command, capabilities, folder, elsewhere, home };
      const probes = await probe(probing, { start, runtime });
      examined.push({ agent, place, command, probes, gaps: gapsOf(agent, policy) });
    }
    return examined;
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

/** True if a command line is one that `hook install` writes for an agent on this machine, in this version or another. */
type IsKnown = (agent: AgentName, command: string) => boolean;

/** Tells commands of `hook install` from what a project may have come with. */
async function knownCommands(
  agents: readonly AgentName[],
  { policy, runtime }: { readonly policy: LoadedPolicy; readonly runtime: Runtime },
): Promise<IsKnown> {
  const { agentProgram } = await import("../../io/process/agent_program.ts");
  const hooks = await loadEach(agents, loadHook);
  const writes = logFolder(runtime);
  return (agent, command) => {
    const below = folderFor(agent, { policy, runtime });
    if (below === undefined) return false;
    const options = [{ below }, ...(writes === undefined ? [] : [{ below, writes }])];
    return options.some((each) => {
      const own = agentCommand(agent, { ...agentProgram(runtime, each), hook: hooks[agent] });
      return withoutVersion(own) === withoutVersion(command);
    });
  };
}

function folderFor(
  agent: AgentName,
  { policy, runtime }: { readonly policy: LoadedPolicy; readonly runtime: Runtime },
): string | undefined {
  try {
    return programFolder(runtime, policy.location, agent);
  } catch (error) {
    // Without a home, nothing was installed.
    if (!(error instanceof UsageError)) throw error;
    return undefined;
  }
}

/** Copies of other versions stand in the same folder, which belongs to the person alone. */
function withoutVersion(command: string): string {
  return command.replaceAll(/\/hooks\/[0-9a-f]{12}\//g, "/hooks/VERSION/");
}
