import type { HookProtocol } from "../../agents/hook/hook_protocol.ts";
import { type AgentName, loadEach, loadHook } from "../../agents/registry.ts";
import type { AgentSettings, TextEdits } from "../../agents/settings/agent_settings.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { AgentProgram } from "../../io/process/agent_program.ts";
import { WORKSPACE_BOUND } from "../../io/load/read_places.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import {
  agentCommand,
  type AgentPlace,
  agentPlace,
  editsOf,
  inSettings,
  unmarked,
} from "../write/agent_settings.ts";
import { hookProgram } from "../write/hook_program.ts";
import { InputError, UsageError } from "../errors/errors.ts";
import { logFolder } from "../hook/log.ts";

/** An installed command. */
export interface Installed {
  readonly agent: AgentName;
  readonly settings: AgentSettings;
  readonly hook: HookProtocol;
  readonly place: AgentPlace;
  readonly edits: TextEdits;
  /** The text of its file, without a byte order mark. */
  readonly text: string;
  readonly command: string;
}

/** The commands of ours in all settings. */
export interface Survey {
  readonly installed: readonly Installed[];
  /** Settings that cannot be read or tested, one sentence each. */
  readonly broken: readonly string[];
  /** The program that `hook install` would write now; undefined where it would refuse. */
  readonly program: AgentProgram | undefined;
}

/** The inputs of a survey. */
export interface Surveying {
  readonly agents: readonly AgentName[];
  readonly settings: Readonly<Record<AgentName, AgentSettings>>;
  readonly policy: Pick<LoadedPolicy, "location">;
  readonly runtime: Runtime;
}

const NOT_TRIED =
  'its command was not tested: the file belongs to the project, and "caliban hook install" does not write this command';

/** Finds our commands in the settings of the person, of the workspace and of the administrator. */
export async function survey(surveying: Surveying): Promise<Survey> {
  const { agents, settings } = surveying;
  const hooks = await loadEach(agents, loadHook);
  const programs = await knownPrograms(surveying);
  const broken: string[] = [];
  const installed = agents.flatMap((agent) =>
    installedFor({ agent, settings: settings[agent], hook: hooks[agent] }, { surveying, broken })
  );
  const isTried = ({ agent, hook, place, command }: Installed) =>
    place.scope !== "project" || programs.some((program) => {
      const own = agentCommand(agent, { ...program, hook });
      return withoutVersion(own) === withoutVersion(command);
    });
  for (const { place } of installed.filter((each) => !isTried(each))) {
    broken.push(`${place.path}: ${NOT_TRIED}`);
  }
  return { installed: installed.filter(isTried), broken, program: programs[0] };
}

type About = Pick<Installed, "agent" | "settings" | "hook">;

function installedFor(
  about: About,
  { surveying: { policy: { location }, runtime }, broken }: {
    readonly surveying: Surveying;
    readonly broken: string[];
  },
): readonly Installed[] {
  const { agent, settings } = about;
  const paths = new Set<string>();
  return (["user", "project", "managed"] as const).flatMap((scope) => {
    try {
      const place = agentPlace(runtime, { name: agent, settings, scope, location });
      if (paths.has(place.path) || runtime.stat(place.path) === undefined) return [];
      paths.add(place.path);
      const bound = place.scope === "project" ? WORKSPACE_BOUND.bytes : undefined;
      const { text } = unmarked(runtime.readText(place.path, bound));
      const edits = editsOf(settings, scope);
      const own = inSettings(place.path, () => edits.commands(text));
      // A line that somebody else wrote may be the only one that starts caliban.
      const found = own.length > 0 ? own : inSettings(place.path, () => edits.mentions(text));
      return found.map((command) => ({ ...about, place, edits, text, command }));
    } catch (error) {
      // Without a home or a platform there is no such file; one agent's broken file hides nothing of the others.
      if (error instanceof UsageError) return [];
      if (!(error instanceof InputError || error instanceof FileError)) throw error;
      broken.push(error.message);
      return [];
    }
  });
}

/** The programs that `hook install` writes for a person on this machine: without the audit log, and with it. */
async function knownPrograms(
  { agents, policy: { location }, runtime }: Surveying,
): Promise<readonly AgentProgram[]> {
  const [agent] = agents;
  if (agent === undefined) return [];
  const about = { agent, scope: "user", location } as const;
  const folder = logFolder(runtime);
  try {
    const plain = await hookProgram(runtime, about);
    if (folder === undefined) return [plain];
    return [plain, await hookProgram(runtime, { ...about, writes: folder })];
  } catch (error) {
    // Nothing that would last: then nothing in a project is ours.
    if (!(error instanceof UsageError)) throw error;
    return [];
  }
}

/** Copies of other versions stand in the same folder, which belongs to the person alone. */
function withoutVersion(command: string): string {
  return command.replaceAll(/\/hooks\/[0-9a-f]{12}\//g, "/hooks/VERSION/");
}
