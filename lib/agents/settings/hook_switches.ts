import { parse, TomlError } from "smol-toml";
import type { Json, JsonObject } from "../../model/call.ts";
import { isJsonObject } from "../../text/json_value.ts";
import { jsonValue } from "../../text/json_node.ts";
import { type ManagedSettings, namesHook, SettingsFault } from "./agent_settings.ts";
import { parseObject } from "./json_text.ts";
import type { AgentName } from "../registry.ts";

/** The owner of a file that an agent reads. */
export type FileScope = "defaults" | "user" | "project" | "local" | "managed";

/** A file in which an agent's hooks can be switched off. */
export interface SwitchFile {
  readonly scope: FileScope;
  /** Its path below the home, the project, or the folder of the managed settings, as segments; a last `*.json` is every such file. */
  readonly path: readonly string[];
  /** The variable that names the file itself, which then counts instead. */
  readonly variable?: string;
  /** Another folder than that of the agent's managed settings, by platform. */
  readonly folder?: ManagedSettings["folder"];
}

/** A file that is there, with its contents; TOML as JSON. */
export interface ReadFile {
  readonly scope: FileScope;
  /** Absolute. */
  readonly path: string;
  readonly value: JsonObject;
}

/** An installed hook. */
export interface PlacedHook {
  readonly agent: AgentName;
  readonly scope: FileScope;
  /** The path of its file. */
  readonly path: string;
  readonly command: string;
}

/** The reason why an agent passes over a hook. */
export interface HookOff {
  /** The file that says so. */
  readonly path: string;
  readonly scope: FileScope;
  /** A clause about the file: `"disableAllHooks" switches all hooks off`. */
  readonly what: string;
  /** True if a hook in managed settings runs all the same. */
  readonly sparesManaged: boolean;
}

/** Returns the reason why an agent passes over a hook, by its files in the order of SwitchFile; undefined for none. Total. */
export type SwitchCheck = (files: readonly ReadFile[], hook: PlacedHook) => HookOff | undefined;

/** The facts about the files that can leave an agent's calls unguarded. */
export interface HookSwitches {
  /** The files, the one whose values win last. */
  readonly files: readonly SwitchFile[];
  readonly checks: readonly SwitchCheck[];
  /** A sentence for people about hooks of a project that count only where the project is trusted; absent where they always do. */
  readonly projectTrust?: string;
  /** A sentence for people about a flag or variable of a run that no file shows; absent where none is known. */
  readonly perRun?: string;
}

/** A member that switches hooks off. */
export interface SwitchMember {
  /** The names that lead to it. */
  readonly path: readonly string[];
  /** The value that switches hooks off. */
  readonly off: boolean;
  /** The scopes of files in which it counts; all by default. */
  readonly in?: readonly FileScope[];
  /** True if it lets the hooks of managed settings run, unless it stands there itself. */
  readonly sparesManaged?: true;
  /** The end of the path of the files in which it counts; all by default. */
  readonly file?: string;
}

/** The check for a switch: the value of the last file that has one counts. */
export function switchedOff(
  { path, off, in: scopes, sparesManaged, file = "" }: SwitchMember,
): SwitchCheck {
  return (files, hook) => {
    const last = files.findLast((each) =>
      (scopes === undefined || scopes.includes(each.scope)) && each.path.endsWith(file) &&
      typeof valueAt(each.value, path) === "boolean"
    );
    if (last === undefined || valueAt(last.value, path) !== off) return undefined;
    if (sparesManaged && hook.scope === "managed" && last.scope !== "managed") return undefined;
    return offIn(last, `"${path.join(".")}" switches all hooks off`, last.scope !== "managed");
  };
}

/** The check for a managed member that lets no other hooks run than those of managed settings. */
export function managedOnly(path: readonly string[], counts = isEngaged): SwitchCheck {
  return (files, hook) => {
    if (hook.scope === "managed") return undefined;
    const file = files.find(({ scope, value }) =>
      scope === "managed" && counts(valueAt(value, path))
    );
    return file && offIn(file, `"${path.join(".")}" lets only hooks of managed settings run`, true);
  };
}

function isEngaged(value: Json | undefined): boolean {
  return value !== undefined && value !== false;
}

/** The check for a list of hooks that do not run, by their names or commands; any file that has ours counts. */
export function listedAsOff(path: readonly string[]): SwitchCheck {
  return (files, { agent }) => {
    const file = files.find(({ value }) => {
      const list = valueAt(value, path);
      return Array.isArray(list) &&
        list.some((each) => typeof each === "string" && namesHook(each, agent));
    });
    return file && offIn(file, `"${path.join(".")}" names the hook`);
  };
}

/**
 * The check for variables that switch hooks off, in files of variables (`.env`) and below the members `env` of settings; one file is
 * enough, for a variable may be set before any settings are read.
 */
export function variableOff(names: readonly string[]): SwitchCheck {
  return (files) => {
    for (const file of files) {
      const values = isVariables(file.path) ? file.value : valueAt(file.value, ["env"]) ?? null;
      const name = names.find((each) => isSet(valueAt(values, [each])));
      if (name !== undefined) return offIn(file, `"${name}" switches all hooks off`);
    }
    return undefined;
  };
}

function isVariables(path: string): boolean {
  return path.endsWith(".env");
}

function isSet(value: Json | undefined): boolean {
  return value !== undefined && !/^(?:|0|false|no|off)$/i.test(String(value).trim());
}

/** The check for a member of which the last file that has one replaces those of all others. */
export function replaced(path: readonly string[]): SwitchCheck {
  return (files, hook) => {
    const last = files.findLast(({ value }) => valueAt(value, path) !== undefined);
    return last === undefined || last.path === hook.path
      ? undefined
      : offIn(last, `its "${path.join(".")}" replaces that of ${hook.path}`);
  };
}

function offIn({ path, scope }: ReadFile, what: string, sparesManaged = false): HookOff {
  return { path, scope, what, sparesManaged };
}

/** The value behind some names; undefined without one. */
export function valueAt(root: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (value, name) => isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined,
    root,
  );
}

/** The contents of a settings file by its name: TOML, variables, or JSON that may have comments. Throws SettingsFault. */
export function settingsValue(path: string, text: string): JsonObject {
  if (text.trim() === "") return {};
  if (isVariables(path)) return variablesIn(text);
  if (!path.endsWith(".toml")) return jsonValue(parseObject(text)) as JsonObject;
  try {
    return parse(text) as JsonObject;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    throw new SettingsFault("it is not valid TOML", { line, column });
  }
}

/** The variables of a `.env` file, each line as it stands: a quote around a value goes. */
function variablesIn(text: string): JsonObject {
  const lines = [...text.matchAll(/^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*[=:][ \t]*(.*)$/gm)];
  return Object.fromEntries(
    lines.map((
      [, name = "", value = ""],
    ) => [name, value.trim().replace(/^(["'`])(.*)\1.*$/, "$2")]),
  );
}
