import type { HookProtocol } from "../../agents/hook/hook_protocol.ts";
import { agentProfile } from "../../agents/profile.ts";
import { AGENT_NAMES, type AgentName, isAgentName, loadSettings } from "../../agents/registry.ts";
import {
  type AgentSettings,
  type ManagedSettings,
  type PlaceScope,
  SettingsFault,
  type TextEdits,
} from "../../agents/settings/agent_settings.ts";
import { watchedByAnswer, watchedByStatus } from "../../agents/settings/watchdog.ts";
import { findPolicyLocation, type PolicyLocation } from "../../io/load/policy_location.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { flagValue, type Invocation } from "../args/verb.ts";
import { InputError, UsageError } from "../errors/errors.ts";
import { writing } from "./write_file.ts";

/** The location of an agent's settings file. */
export interface AgentPlace {
  readonly scope: PlaceScope;
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
  readonly settings: AgentSettings;
  readonly place: AgentPlace;
  /** Reads and edits the file. */
  readonly edits: TextEdits;
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
  const scope = placeScope(flagValue(invocation, "scope"));
  const place = agentPlace(runtime, { name, settings, scope, location });
  await checkInside(place);
  return { name, settings, place, edits: editsOf(settings, scope), location };
}

function placeScope(word: string | undefined): PlaceScope {
  return word === "project" || word === "managed" ? word : "user";
}

/** The edits of an agent's settings of that owner. */
export function editsOf(settings: AgentSettings, scope: PlaceScope): TextEdits {
  return scope === "managed" ? settings.managed ?? settings : settings;
}

/** The machine, as far as the paths of settings depend on it. */
type PlaceRuntime = Pick<Runtime, "env" | "platform">;

/** An agent's settings on this machine. */
export interface PlaceOptions {
  readonly name: AgentName;
  readonly settings: AgentSettings;
  readonly scope: PlaceScope;
  readonly location: PolicyLocation;
}

/** The file of an agent's settings. Throws UsageError if the home folder is unknown, or the agent has no such settings. */
export function agentPlace(runtime: PlaceRuntime, options: PlaceOptions): AgentPlace {
  const { settings, scope, location, name } = options;
  const style = pathStyle(runtime.platform);
  const within = scope === "project" ? location.workspace : null;
  const path = scope === "managed"
    ? managedPath(runtime, options)
    : settings.readsProject === false && scope === "project"
    ? noSettings(name, "of a project")
    : scope === "project"
    ? style.join(location.workspace, ...settings.path(scope))
    : style.join(userFolderOf(runtime, options), ...settings.path(scope).slice(1));
  return { scope, path, backup: `${path}.before-caliban`, within };
}

/** The folder that the first segment of an agent's paths of a user stands for. Throws UsageError if the home is unknown. */
export function userFolderOf(
  runtime: PlaceRuntime,
  { settings, location }: Pick<PlaceOptions, "settings" | "location">,
): string {
  const style = pathStyle(runtime.platform);
  const named = settings.homeVariable === undefined ? "" : runtime.env(settings.homeVariable) ?? "";
  const [first = ""] = settings.path("user");
  return style.isAbsolute(named) ? named : style.join(homeOf(location), first);
}

function managedPath(runtime: PlaceRuntime, { name, settings: { managed } }: PlaceOptions): string {
  const path = managed && managedFile(runtime, managed);
  return path ?? noSettings(name, "of an administrator that caliban knows on this system");
}

/** The file of managed settings; undefined where the platform has none. */
export function managedFile(
  { env, platform }: PlaceRuntime,
  { folder, path, variable }: Omit<ManagedSettings, keyof TextEdits>,
): string | undefined {
  const style = pathStyle(platform);
  const named = variable === undefined ? "" : env(variable) ?? "";
  if (style.isAbsolute(named)) return named;
  const top = platform === "windows" ? undefined : folder[platform];
  return top === undefined ? undefined : style.join(top, ...path);
}

function noSettings(name: AgentName, whose: string): never {
  const { title } = agentProfile(name);
  throw new UsageError(`Cannot install for ${title}: it has no settings ${whose}`, {
    hint: "Leave --scope out, for your own settings",
  });
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
  /** The flags of a person behind the agent's name; none by default. */
  readonly flags?: readonly string[];
}

/**
 * The command line for an agent's settings. INVARIANT: it stops the call where the program cannot start or does not answer in
 * time, by the status where the agent goes by that, else by the agent's own words for deny.
 */
export function agentCommand(
  name: AgentName,
  { words, file, hook, flags = [] }: HookProgram,
): string {
  const { exitTwo, waitMs } = agentProfile(name).hook;
  const program = {
    words: [...words, "hook", name, "--watched", ...flags.filter((flag) => flag !== "--watched")],
    file,
    waitMs,
  };
  const reason =
    `caliban gave no answer, so the call is stopped. A person can run: caliban doctor --agent ${name}`;
  if (exitTwo === "stops") return watchedByStatus(program, reason);
  return watchedByAnswer(program, hook.render({ decision: "deny", reason }).stdout.trimEnd());
}
