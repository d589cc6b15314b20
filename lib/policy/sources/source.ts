import type { Action, SourceKind } from "../../model/call.ts";
import type { PlacedRule } from "../../model/rule.ts";
import type { Platform } from "./path_style.ts";

/** The folder in a workspace that holds its policy files. */
export const POLICY_FOLDER = ".caliban";

/** The name of a workspace's own policy file. */
export const PROJECT_FILE = "permissions.toml";

/** The name of the policy file that one person keeps in a workspace. */
export const LOCAL_FILE = "permissions.local.toml";

/** A rule given on the command line. */
export interface CliRule {
  /** The flag: `allow` for `--allow`. */
  readonly action: Action;
  /** The pattern's text. */
  readonly pattern: string;
}

/** A source that a flag can turn off; `project` (`--no-project`) is both files of the workspace. */
export type OffSwitch = "user" | "project" | "builtin";

/** Sources that the caller adds or turns off. */
export interface SourceOptions {
  /** `--allow`, `--deny` and `--ask`, in the order given on the line. */
  readonly cli: readonly CliRule[];
  /** The files of `--rules`, in the order given on the line; `CALIBAN_RULES` is read when there is none. */
  readonly rules: readonly string[];
  /** Rules added while running, newest first. */
  readonly session: readonly PlacedRule[];
  /** Rules that a command or skill carries for its own run. */
  readonly command: readonly PlacedRule[];
  /** The sources that flags turned off (`--no-user`). */
  readonly off: readonly OffSwitch[];
}

/** The default options: nothing added, nothing turned off. */
export const NO_OPTIONS: SourceOptions = { cli: [], rules: [], session: [], command: [], off: [] };

/** The environment that determines the places of the sources. */
export interface Surroundings {
  readonly platform: Platform;
  /** An environment variable; undefined when it is not set. */
  readonly env: (name: string) => string | undefined;
  /** The home directory (absolute); undefined when the environment names none. */
  readonly home: string | undefined;
  /** The workspace's folder, absolute. */
  readonly workspace: string;
  /** The current directory, absolute. */
  readonly cwd: string;
  /** Sources that the caller adds or turns off. */
  readonly options: SourceOptions;
}

/** One place where rules of a source stand or could stand. */
export type Place =
  | {
    /** A file to read. */
    readonly kind: "file";
    /** Its absolute path. */
    readonly path: string;
    /** True if a person named the file: then it must exist. */
    readonly named: boolean;
  }
  | {
    /** Nothing to look for, or (`off`) a flag turned it off. */
    readonly kind: "absent" | "off";
    /** The path that it would have. */
    readonly path: string;
    /** The reason, for people. */
    readonly note: string;
  }
  | {
    /** Rules that are in no file to read. */
    readonly kind: "rules";
    /** The text shown in place of a path: a flag's name, or `defaults/permissions.toml`. */
    readonly path: string;
    /** The rules, in order; never empty. */
    readonly rules: readonly PlacedRule[];
  };

/** One kind of source, and the places of its rules. */
export interface Source {
  readonly kind: SourceKind;
  /** The target of new rules: a file that `caliban add` writes, memory, or neither. */
  readonly writable: "no" | "memory" | "file";
  /** One line for docs/policy.md and the help, without a final full stop. */
  readonly title: string;
  /** The place of its rules, for people. */
  readonly where: string;
  /** Its places, highest first. Throws SourceError if the environment does not name them. */
  places(surroundings: Surroundings): readonly Place[];
}

/**
 * The environment does not name the place of a source, so that its rules cannot be read: wrong usage, not a broken file. The
 * message names what to set, in one sentence without a final full stop.
 */
export class SourceError extends Error {
  /** The name of the class. */
  override readonly name = "SourceError";
}
