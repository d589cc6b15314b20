import defaults from "../../../defaults/permissions.json" with { type: "json" };
import { type Action, isAction, type SourceKind } from "../../model/call.ts";
import type { PlacedRule, RuleSource } from "../../model/rule.ts";
import { pathStyle } from "./path_style.ts";
import {
  LOCAL_FILE,
  type Place,
  POLICY_FOLDER,
  PROJECT_FILE,
  type Source,
  SourceError,
  type Surroundings,
} from "./source.ts";

const BUILTIN_PATH = "defaults/permissions.toml";

/** Every kind of source, highest first. INVARIANT: this order is the priority of rules, and nothing else is. */
export const SOURCES: readonly Source[] = [
  {
    kind: "managed",
    writable: "no",
    title: "the administrator's rules for every user of the machine",
    where:
      "/etc/caliban/permissions.toml (%ProgramData%\\caliban\\, /Library/Application Support/caliban/), then $CALIBAN_MANAGED_FILE",
    places: managedPlaces,
  },
  {
    kind: "session",
    writable: "memory",
    title: 'rules added while running ("always" answers), newest first',
    where: "in memory",
    places: ({ options }) => inMemory("session", options.session),
  },
  {
    kind: "command",
    writable: "memory",
    title: "rules that a command or skill carries for its own run",
    where: "in memory (library only)",
    places: ({ options }) => inMemory("command", options.command),
  },
  {
    kind: "cli",
    writable: "no",
    title: "rules of the command line, in the order given",
    where: "--allow P, --deny P, --ask P",
    places: ({ options }) =>
      options.cli.map(({ action, pattern }, index) => {
        const path = `--${action}`;
        const source = { kind: "cli", path, line: index + 1, column: 1 } as const;
        return { kind: "rules", path, rules: [singleRule(pattern, { action, source })] };
      }),
  },
  {
    kind: "flag",
    writable: "no",
    title: "rule files named for one run",
    where: "--rules FILE, else $CALIBAN_RULES",
    places: namedFiles,
  },
  {
    kind: "local",
    writable: "file",
    title: "one person's rules for the workspace, kept out of git",
    where: "<workspace>/.caliban/permissions.local.toml",
    places: (surroundings) => [workspaceFile(LOCAL_FILE, surroundings)],
  },
  {
    kind: "project",
    writable: "file",
    title: "the workspace's rules, kept in git",
    where: "<workspace>/.caliban/permissions.toml",
    places: (surroundings) => [workspaceFile(PROJECT_FILE, surroundings)],
  },
  {
    kind: "user",
    writable: "file",
    title: "a person's own rules for every workspace",
    where:
      "$XDG_CONFIG_HOME/caliban/permissions.toml, else ~/.config/caliban/permissions.toml (%APPDATA%\\caliban\\)",
    places: (surroundings) => [userPlace(surroundings)],
  },
  {
    kind: "builtin",
    writable: "no",
    title: "caliban's own rules: allow calls that only read, ask about the rest",
    where: BUILTIN_PATH,
    places: ({ options, home }) =>
      options.off.includes("builtin")
        ? [{ kind: "off", path: BUILTIN_PATH, note: "--no-builtin" }]
        : [{ kind: "rules", path: BUILTIN_PATH, rules: builtinRules(home) }],
  },
];

/** The priority of a kind of source: 0 is the highest. */
export function rankOf(kind: SourceKind): number {
  return RANKS.get(kind) ?? -1;
}

const RANKS: ReadonlyMap<SourceKind, number> = new Map(SOURCES.map(({ kind }, at) => [kind, at]));

function managedPlaces(surroundings: Surroundings): readonly Place[] {
  const named = surroundings.env("CALIBAN_MANAGED_FILE");
  const machine: Place = { kind: "file", path: machineFile(surroundings), named: false };
  if (named === undefined || named === "") return [machine];
  // With a relative path the current directory would choose the highest rules.
  if (!pathStyle(surroundings.platform).isAbsolute(named)) {
    throw new SourceError(`Cannot use CALIBAN_MANAGED_FILE "${named}": it is not an absolute path`);
  }
  return [machine, { kind: "file", path: named, named: true }];
}

function machineFile({ platform, env }: Surroundings): string {
  const style = pathStyle(platform);
  switch (platform) {
    case "linux":
      return "/etc/caliban/permissions.toml";
    case "darwin":
      return "/Library/Application Support/caliban/permissions.toml";
    case "windows": {
      const folder = env("ProgramData") ?? "";
      const base = style.isAbsolute(folder) ? folder : "C:\\ProgramData";
      return style.join(base, "caliban", "permissions.toml");
    }
  }
}

function inMemory(path: string, rules: readonly PlacedRule[]): readonly Place[] {
  return rules.length === 0 ? [] : [{ kind: "rules", path, rules }];
}

function namedFiles({ options, env, platform, cwd }: Surroundings): readonly Place[] {
  const style = pathStyle(platform);
  const named = options.rules.length > 0 ? options.rules : [env("CALIBAN_RULES") ?? ""];
  // A flag with an empty value is kept and fails, as it names a folder; an empty variable counts as not set.
  return named.filter((path) => path !== "" || options.rules.length > 0)
    .map((path) => ({ kind: "file", path: style.absolute(path, cwd), named: true }));
}

function workspaceFile(name: string, { platform, workspace, options }: Surroundings): Place {
  const path = pathStyle(platform).join(workspace, POLICY_FOLDER, name);
  return options.off.includes("project")
    ? { kind: "off", path, note: "--no-project" }
    : { kind: "file", path, named: false };
}

function userPlace(surroundings: Surroundings): Place {
  const { platform, options } = surroundings;
  const folder = userConfigFolder(surroundings);
  const path = folder && pathStyle(platform).join(folder, "permissions.toml");
  if (options.off.includes("user")) {
    return { kind: "off", path: path ?? "~/.config/caliban/permissions.toml", note: "--no-user" };
  }
  if (path !== undefined) return { kind: "file", path, named: false };
  // Without the file the user's denies would not count.
  const names = platform === "windows" ? "APPDATA nor USERPROFILE" : "XDG_CONFIG_HOME nor HOME";
  throw new SourceError(
    `Cannot find the user's rules: neither ${names} is set to an absolute path; ` +
      "set one or pass --no-user",
  );
}

/** A folder that a user's environment names. */
interface UserFolder {
  /** The variable that names it; a relative value is ignored, as the XDG Base Directory Specification says. */
  readonly variable: string;
  /** Its default place below the home directory. */
  readonly below: readonly string[];
}

/** Absolute path of caliban's folder in a user folder; undefined when neither the variable nor the home is known. */
export function userFolder(
  surroundings: Pick<Surroundings, "platform" | "home" | "env">,
  folder: UserFolder,
): string | undefined {
  const { platform, home, env } = surroundings;
  const style = pathStyle(platform);
  const named = env(folder.variable) ?? "";
  if (style.isAbsolute(named)) return style.join(named, "caliban");
  return home === undefined ? undefined : style.join(home, ...folder.below, "caliban");
}

/** The folder of the user's own files; undefined when the environment names none. */
export function userConfigFolder(
  surroundings: Parameters<typeof userFolder>[0],
): string | undefined {
  return surroundings.platform === "windows"
    ? userFolder(surroundings, { variable: "APPDATA", below: ["AppData", "Roaming"] })
    : userFolder(surroundings, { variable: "XDG_CONFIG_HOME", below: [".config"] });
}

/** The built-in rules, in order; where the home folder is unknown without those about it, which could not be evaluated. */
export function builtinRules(home: string | undefined): readonly PlacedRule[] {
  const known = defaults.rules.filter(({ pattern }) =>
    home !== undefined || !pattern.includes(":~/")
  );
  return known.map(({ pattern, action, comment, line, column }) => {
    if (!isAction(action)) {
      throw new TypeError(`Cannot use ${BUILTIN_PATH}:${line}: "${action}" is not an action`);
    }
    const source = { kind: "builtin", path: BUILTIN_PATH, line, column } as const;
    const rule = singleRule(pattern, { action, source });
    return comment === "" ? rule : { ...rule, comment };
  });
}

/** A rule with a pattern and an action alone, as a flag has it; its text is the pattern's own. */
export function singleRule(
  pattern: string,
  { action, source }: { readonly action: Action; readonly source: RuleSource },
): PlacedRule {
  const span = { start: 0, end: pattern.length, line: 1, column: 1 };
  return { pattern: { value: pattern, span }, action, span, source, text: pattern };
}
