import type { PlaceScope } from "../../agents/settings/agent_settings.ts";
import type { AgentName } from "../../agents/registry.ts";
import type { PolicyLocation } from "../../io/load/policy_location.ts";
import type { AgentProgram } from "../../io/process/agent_program.ts";
import type { LastingPlace } from "../../io/process/lasting_program.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { ancestors } from "../../policy/sources/path_style.ts";
import { userFolder } from "../../policy/sources/source_order.ts";
import { UsageError } from "../errors/errors.ts";

/** The hook whose program is chosen. */
export interface ProgramFor {
  readonly agent: AgentName;
  readonly scope: PlaceScope;
  readonly location: PolicyLocation;
  /** The folder (absolute) in which it may write, if any. */
  readonly writes?: string | undefined;
}

/** The program for an agent's settings. Throws UsageError where none would last, and FileError. */
export async function hookProgram(runtime: Runtime, about: ProgramFor): Promise<AgentProgram> {
  const { agentProgram, runningProgram } = await import("../../io/process/agent_program.ts");
  const { lastingProgram, whyShortLived } = await import("../../io/process/lasting_program.ts");
  const { scope, writes } = about;
  const below = copiesFolder(runtime, about);
  const place = surroundings(about);
  const whyNot = scope === "managed"
    ? undefined
    : whyShortLived(below, { files: runtime, options: place });
  if (whyNot !== undefined) {
    throw new UsageError(`Cannot keep caliban's copy in "${below}": ${whyNot}`, {
      hint: "Unset XDG_DATA_HOME, or set it to a folder that stays",
    });
  }
  const program = lastingProgram(runtime, { ...place, ...runningProgram() });
  if (program.kind === "none") {
    throw new UsageError(`Cannot write "${program.path}" into settings: ${program.why}`, {
      hint: scope === "managed"
        ? `Install ${runtime.name} for all people of this machine, then try again`
        : `Install ${runtime.name} for good, so that it is on the PATH, then try again`,
    });
  }
  const isShared = scope === "managed";
  return agentProgram(runtime, {
    below,
    program,
    isShared,
    ...(writes !== undefined && { writes }),
  });
}

/** A home folder within the workspace makes that no project of a clone. */
function surroundings(
  { scope, location: { home, workspace, workspaceReal, platform } }: Pick<
    ProgramFor,
    "scope" | "location"
  >,
): LastingPlace {
  const isHome = home !== undefined &&
    (home === workspace || ancestors(home, platform).includes(workspace));
  return {
    home,
    outside: isHome ? [] : [workspace, workspaceReal],
    isShared: scope === "managed",
  };
}

/** The folders of the copies that the agents of all people start. */
const SHARED = {
  linux: "/usr/local/lib/caliban",
  darwin: "/Library/Application Support/caliban",
} as const;

/** The folder of the program for agents. Throws UsageError if the home folder is unknown, and on Windows. */
export function copiesFolder(
  runtime: Runtime,
  { agent, scope, location }: Omit<ProgramFor, "writes">,
): string {
  if (runtime.platform === "windows") {
    throw new UsageError(`Cannot install a hook for ${agent}: its command needs a POSIX shell`, {
      hint: "Add a command to its settings yourself that runs: caliban hook",
    });
  }
  if (scope === "managed") return SHARED[runtime.platform];
  const { platform, home } = location;
  const env = (name: string) => runtime.env(name);
  const own = { variable: "XDG_DATA_HOME", below: [".local", "share"] };
  const folder = userFolder({ platform, home, env }, own);
  if (folder !== undefined) return folder;
  throw new UsageError("Cannot choose a folder for the program: the home folder is unknown", {
    hint: "Set HOME or XDG_DATA_HOME",
  });
}

/** The reason why a program in settings may be gone tomorrow, as a clause; undefined if it lasts. */
export async function whyProgramGoes(
  runtime: Runtime,
  { program, scope, location }: Pick<ProgramFor, "scope" | "location"> & {
    readonly program: string;
  },
): Promise<string | undefined> {
  const { whyShortLived } = await import("../../io/process/lasting_program.ts");
  return whyShortLived(program, { files: runtime, options: surroundings({ scope, location }) });
}
