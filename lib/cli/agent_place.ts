import type { AgentName } from "../agents/agent_name.ts";
import type { AgentSettings, SettingsScope } from "../agents/agent.ts";
import { findFacts, type PolicyFacts } from "../io/load/find_facts.ts";
import type { Runtime } from "../io/runtime/runtime.ts";
import { pathStyle } from "../policy/sources/path_style.ts";
import { NO_OPTIONS } from "../policy/sources/source.ts";
import { userFolder } from "../policy/sources/user_folder.ts";
import { UsageError } from "./errors.ts";
import { writing } from "./write_file.ts";

/** Where an agent's settings are. */
export interface AgentPlace {
  /** Whose settings. */
  readonly scope: SettingsScope;
  /** Absolute path of the file. */
  readonly path: string;
  /** Where the text stands that was there before ours. */
  readonly backup: string;
  /** The workspace that it belongs to, out of which no link leads the writing; null for the person's own. */
  readonly within: string | null;
}

/** The file of an agent's settings. Throws UsageError where no home is known. */
export function agentPlace(
  runtime: Runtime,
  { settings, scope, facts }: {
    readonly settings: AgentSettings;
    readonly scope: SettingsScope;
    readonly facts: PolicyFacts;
  },
): AgentPlace {
  const style = pathStyle(runtime.platform);
  const [first = "", ...rest] = settings.path(scope);
  const named = settings.homeVariable === undefined ? "" : runtime.env(settings.homeVariable) ?? "";
  const path = scope === "project"
    ? style.join(facts.workspace, first, ...rest)
    : style.isAbsolute(named)
    ? style.join(named, ...rest)
    : style.join(homeOf(facts), first, ...rest);
  const within = scope === "project" ? facts.workspace : null;
  return { scope, path, backup: `${path}.before-caliban`, within };
}

/** A project comes with its links: none leads what we write to elsewhere. Throws WriteError for one that would. */
export async function checkInside({ path, within }: AgentPlace): Promise<void> {
  if (within === null) return;
  const { requireInside } = await import("../io/write/inside_workspace.ts");
  writing(() => requireInside(path, within));
}

function homeOf({ home }: PolicyFacts): string {
  if (home !== undefined) return home;
  throw new UsageError("Cannot tell where your settings are: no home folder is known", {
    hint: "Set HOME, or say --scope project",
  });
}

/** Where the program for agents stands. Throws UsageError where no home is known, and on Windows. */
export function programFolder(runtime: Runtime, facts: PolicyFacts, agent: AgentName): string {
  if (runtime.platform === "windows") {
    throw new UsageError(`Cannot install a hook for ${agent}: its command is for a POSIX shell`, {
      hint: "Write a command of your own into its settings, which runs: caliban hook",
    });
  }
  const { platform, workspace, cwd, home } = facts;
  const env = (name: string) => runtime.env(name);
  const surroundings = { platform, workspace, cwd, home, env, options: NO_OPTIONS };
  const folder = userFolder(surroundings, {
    variable: "XDG_DATA_HOME",
    below: [".local", "share"],
  });
  if (folder !== undefined) return folder;
  throw new UsageError("Cannot tell where the program is to stand: no home folder is known", {
    hint: "Set HOME or XDG_DATA_HOME",
  });
}

/** The facts of a command line that may name the workspace. */
export function factsFor(runtime: Runtime, workspace: string | undefined): PolicyFacts {
  return findFacts(runtime, workspace === undefined ? {} : { workspace });
}
