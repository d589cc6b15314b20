import type { JsonObject, ToolCall } from "../model/call.ts";
import type { ModeName } from "../model/settings.ts";

/** What an agent makes of a hook's answer. */
export interface Capabilities {
  /** Whether an allow lets the call run without the agent's own question, or does nothing that silence does not. */
  readonly allow: "grants" | "nothing";
  /** Whether a hook can have a person asked. */
  readonly ask: "prompts" | "nothing";
  /** What happens when the hook says nothing: the agent asks or judges by itself, or the call runs. */
  readonly silence: "judges" | "runs";
  /** Whether exit status 2 stops the call. */
  readonly exitTwo: "stops" | "nothing";
  /** How long the agent waits for the hook as it is installed, in ms. */
  readonly waitMs: number;
  /** Whether the agent names its project folder, or only the folder that the call runs in. */
  readonly folder: "project" | "cwd";
  /** What a hook of this agent never sees. */
  readonly unseen: readonly Unseen[];
}

/** Calls that an agent makes without asking its hooks. */
export interface Unseen {
  /** Our name of the tool, where it has one: rules for it are not enforced at all. */
  readonly tool?: string;
  /** What it is, in one sentence without a final full stop. */
  readonly what: string;
}

/** What an agent asks about, read from its event. */
export interface AgentEvent {
  /** The event's own name. */
  readonly name: string;
  /** The calls, in our names, at least one; the strictest answer counts for all. */
  readonly calls: readonly ToolCall[];
  /** Other readings of the same call whose written rules count too, but which decide nothing by themselves. */
  readonly readings: readonly ToolCall[];
  /** The agent's project folders, the call's own first; empty where it names none. */
  readonly folders: readonly string[];
  /** The folder that the call runs in; absent where the event has none. */
  readonly cwd?: string;
  /** The mode that the agent is in, by its meaning here; absent where it names none. */
  readonly mode?: ModeName;
  /** Set where the agent is in a mode in which nobody is asked. */
  readonly nobodyAsked?: true;
}

/** What a hook makes known to its agent. */
export type Emission = "allow" | "ask" | "deny" | "silence";

/** What is said to the agent, and why. */
export interface Saying {
  /** What. */
  readonly emission: Emission;
  /** For the model, or for the person asked; one line, never empty. */
  readonly reason: string;
  /** The event that is answered; absent where it could not be read. */
  readonly event?: string;
  /** The command that may run without a further question in this session; only with an allow. */
  readonly exactCommand?: string;
}

/** What a hook prints, and how it ends. */
export interface Reply {
  /** Its standard output; may be empty. */
  readonly stdout: string;
  /** Its standard error; may be empty. */
  readonly stderr: string;
  /** Its exit status. */
  readonly status: 0 | 2;
}

/** What reading an event may know besides. */
export interface EventSurroundings {
  /** An environment variable; undefined when it is not set. */
  readonly env: (name: string) => string | undefined;
}

/** How an agent speaks with its hooks. */
export interface Wire {
  /** What it makes of answers. */
  readonly capabilities: Capabilities;
  /** The same for the event `PermissionRequest`, where that is different. */
  readonly requestCapabilities?: Capabilities;
  /** Reads an event. Throws EventFault for anything that it is not sure of. */
  read(event: JsonObject, surroundings: EventSurroundings): AgentEvent;
  /** Says it in the agent's own words. */
  reply(saying: Saying): Reply;
}

/** Where and how hooks stand in an agent's settings. */
export interface AgentSettings {
  /** The path of the file below the home (`user`) or the project folder, as segments. */
  path(scope: SettingsScope): readonly string[];
  /** The variable that names the folder in place of the first segment of the user's path; absent when there is none. */
  readonly homeVariable?: string;
  /** The text with the hook in it. Throws SettingsFault when the text cannot be read. */
  install(text: string | undefined, hook: InstalledHook): string;
  /** The text without any hook of ours; undefined when nothing is left that was not ours. Throws SettingsFault. */
  uninstall(text: string): string | undefined;
  /** The command lines of ours in a text, each once. Throws SettingsFault. */
  commands(text: string): readonly string[];
  /** What in a text switches every hook off, by its name there; undefined for nothing. Throws SettingsFault. */
  offBy?(text: string): string | undefined;
  /** What a person has to do besides, one sentence each. */
  readonly notes: readonly string[];
}

/** Whose settings: those of a person, or of a project, which its git has. */
export type SettingsScope = "user" | "project";

/** What is written into an agent's settings. */
export interface InstalledHook {
  /** The command line, for a POSIX shell. */
  readonly command: string;
}
