import type { Action } from "../../model/action.ts";
import type { SourceKind } from "../../model/source.ts";
import type { PlacedRule } from "../../model/source_entry.ts";
import type { Platform } from "./path_style.ts";

/** A rule given on the command line. */
export interface CliRule {
  /** Which flag it was given with: `allow` for `--allow`. */
  readonly action: Action;
  /** The pattern's text. */
  readonly pattern: string;
}

/** A source that a flag can turn off; `project` (`--no-project`) is both files of the workspace. */
export type OffSwitch = "user" | "project" | "builtin";

/** What the caller adds to or takes from the sources. */
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

/** The options of who adds nothing and takes nothing away. */
export const NO_OPTIONS: SourceOptions = { cli: [], rules: [], session: [], command: [], off: [] };

/** What decides where the sources stand. */
export interface Surroundings {
  /** The platform. */
  readonly platform: Platform;
  /** An environment variable; undefined when it is not set. */
  readonly env: (name: string) => string | undefined;
  /** The home directory (absolute); undefined when the environment names none. */
  readonly home: string | undefined;
  /** The workspace's folder, absolute. */
  readonly workspace: string;
  /** The current directory, absolute. */
  readonly cwd: string;
  /** What the caller adds or takes. */
  readonly options: SourceOptions;
}

/** One place where rules of a source stand or could stand. */
export type Place =
  | {
    /** A file to read. */
    readonly kind: "file";
    /** Its absolute path. */
    readonly path: string;
    /** Whether a person named it: then it must be there. */
    readonly named: boolean;
  }
  | {
    /** Nothing to look for, or (`off`) a flag turned it off. */
    readonly kind: "absent" | "off";
    /** The path that it would have. */
    readonly path: string;
    /** Why, for people. */
    readonly note: string;
  }
  | {
    /** Rules that are in no file to read. */
    readonly kind: "rules";
    /** What is shown in place of a path: a flag's name, or `defaults/permissions.toml`. */
    readonly path: string;
    /** The rules, in order; never empty. */
    readonly rules: readonly PlacedRule[];
  };

/** One kind of source: says where its rules stand. */
export interface Source {
  /** The kind. */
  readonly kind: SourceKind;
  /** Whether `caliban add` can write it: a file, rules in memory, or neither. */
  readonly writable: "no" | "memory" | "file";
  /** One line for the README and the help, without a final full stop. */
  readonly title: string;
  /** Where its rules stand, for people. */
  readonly where: string;
  /** Its places, highest first. Throws SourceError when the environment does not say where they are. */
  places(surroundings: Surroundings): readonly Place[];
}
