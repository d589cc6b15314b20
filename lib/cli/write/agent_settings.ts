import type { HookProtocol } from "../../agents/hook/hook_protocol.ts";
import { agentProfile } from "../../agents/profile.ts";
import { AGENT_NAMES, type AgentName, isAgentName, loadSettings } from "../../agents/registry.ts";
import {
  type AgentSettings,
  SettingsFault,
  type SettingsScope,
} from "../../agents/settings/agent_settings.ts";
import { watchedByAnswer, watchedByStatus } from "../../agents/settings/watchdog.ts";
import { findPolicyLocation, type PolicyLocation } from "../../io/load/policy_location.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { NO_OPTIONS } from "../../policy/sources/source.ts";
import { userFolder } from "../../policy/sources/source_order.ts";
import { flagValue, type Invocation } from "../args/verb.ts";
import { InputError, UsageError } from "../errors/errors.ts";
import { writing } from "./write_file.ts";

/** The location of an agent's settings file. */
export interface AgentPlace {
  readonly scope: SettingsScope;
  /** Absolute path of the file. */
  readonly path: string;
  /** The path of the backup of the previous text. */
  readonly backup: string;
  /** The workspace that it belongs to, out of which no link leads the writing; null for the person's own. */
  readonly within: string | null;
}

/** The agent that `hook install` or `hook uninstall` names, with its settings file. */
export interface AgentTarget {
  readonly name: AgentName;
  /** Reads and edits its settings. */
  readonly settings: AgentSettings;
  readonly place: AgentPlace;
  /** The location of the workspace. */
  readonly location: PolicyLocation;
}

/**
 * Finds the settings file that a command line names. Throws UsageError for an unknown agent or home folder, and WriteError
 * for a file of a project that a link leads out of it.
 */
export async function agentTarget(invocation: Invocation, runtime: Runtime): Promise<AgentTarget> {
  const [name = ""] = invocation.operands;
  if (!isAgentName(name)) throw new UsageError(`Unknown agent "${name}"`);
  const settings = await loadSettings(name);
  const workspace = flagValue(invocation, "workspace");
  const location = findPolicyLocation(runtime, workspace === undefined ? {} : { workspace });
  const scope: SettingsScope = flagValue(invocation, "scope") === "project" ? "project" : "user";
  const place = agentPlace(runtime, { settings, scope, location });
  await checkInside(place);
  return { name, settings, place, location };
}

/** The file of an agent's settings. Throws UsageError if the home folder is unknown. */
export function agentPlace(
  runtime: Runtime,
  { settings, scope, location }: {
    readonly settings: AgentSettings;
    readonly scope: SettingsScope;
    readonly location: PolicyLocation;
  },
): AgentPlace {
  const style = pathStyle(runtime.platform);
  const [first = "", ...rest] = settings.path(scope);
  const named = settings.homeVariable === undefined ? "" : runtime.env(settings.homeVariable) ?? "";
  const path = scope === "project"
    ? style.join(location.workspace, first, ...rest)
    : style.isAbsolute(named)
    ? style.join(named, ...rest)
    : style.join(homeOf(location), first, ...rest);
  const within = scope === "project" ? location.workspace : null;
  return { scope, path, backup: `${path}.before-caliban`, within };
}

/** A project comes with its links: none leads what we write to elsewhere. Throws WriteError for one that would. */
export async function checkInside({ path, within }: AgentPlace): Promise<void> {
  if (within === null) return;
  const { requireInside } = await import("../../io/write/edit_file.ts");
  writing(() => requireInside(path, within));
}

function homeOf({ home }: PolicyLocation): string {
  if (home !== undefined) return home;
  throw new UsageError("Cannot locate your settings: the home folder is unknown", {
    hint: "Set HOME, or pass --scope project",
  });
}

/** The folder of the program for agents. Throws UsageError if the home folder is unknown, and on Windows. */
export function programFolder(
  runtime: Runtime,
  location: PolicyLocation,
  agent: AgentName,
): string {
  if (runtime.platform === "windows") {
    throw new UsageError(`Cannot install a hook for ${agent}: its command needs a POSIX shell`, {
      hint: "Add a command to its settings yourself that runs: caliban hook",
    });
  }
  const { platform, workspace, cwd, home } = location;
  const env = (name: string) => runtime.env(name);
  const surroundings = { platform, workspace, cwd, home, env, options: NO_OPTIONS };
  const folder = userFolder(surroundings, {
    variable: "XDG_DATA_HOME",
    below: [".local", "share"],
  });
  if (folder !== undefined) return folder;
  throw new UsageError("Cannot choose a folder for the program: the home folder is unknown", {
    hint: "Set HOME or XDG_DATA_HOME",
  });
}

/** The agent of that name. Throws UsageError for an unknown one. */
export function agentNamed(name: string): AgentName {
  if (isAgentName(name)) return name;
  throw new UsageError(`Unknown agent "${name}"`, {
    unknown: { word: name, known: AGENT_NAMES },
    hint: `The agents are: ${AGENT_NAMES.join(", ")}`,
  });
}

/** Returns the result of `read`; a SettingsFault becomes an InputError with the file's path and place. */
export function inSettings<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof SettingsFault)) throw cause;
    const { line, column, message } = cause;
    throw new InputError(`${path}:${line}:${column}: Cannot read the settings: ${message}`, {
      hint: "Correct the file; it was not changed",
      cause,
    });
  }
}

/** A byte order mark, and the text behind it. */
export function unmarked(text: string): { readonly mark: string; readonly text: string } {
  return text.startsWith("\ufeff") ? { mark: "\ufeff", text: text.slice(1) } : { mark: "", text };
}

/** The program of a hook, and the protocol by which it answers. */
export interface HookProgram {
  /** The first words of its command line. */
  readonly words: readonly string[];
  /** A file without which it cannot start. */
  readonly file: string;
  /** The agent's protocol. */
  readonly hook: HookProtocol;
}

/**
 * The command line for an agent's settings. INVARIANT: it stops the call where the program cannot start or does not answer in
 * time, by the status where the agent goes by that, else by the agent's own words for deny.
 */
export function agentCommand(name: AgentName, { words, file, hook }: HookProgram): string {
  const { exitTwo, waitMs } = agentProfile(name).hook;
  const program = { words: [...words, "hook", name, "--watched"], file, waitMs };
  const reason =
    `caliban gave no answer, so the call is stopped. A person can run: caliban doctor --agent ${name}`;
  if (exitTwo === "stops") return watchedByStatus(program, reason);
  return watchedByAnswer(program, hook.render({ decision: "deny", reason }).stdout.trimEnd());
}
