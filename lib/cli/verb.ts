import type { Runtime } from "../io/runtime/runtime.ts";
import type { ExitMeaning } from "./exit_status.ts";
import type { Flag } from "./flag.ts";

/** A permission of Deno that a verb needs, as its flag is written after `--allow-`. */
export type Permission = "read" | "env" | "write" | "run" | "run=git" | "net";

/** A word of the command line that is not a flag. */
export interface Operand {
  /** Its name in help. */
  readonly name: string;
  /** One line for help, without a final full stop. */
  readonly summary: string;
  /** Whether it may be left out; only the last ones can. */
  readonly optional?: true;
  /** The words it can be, when there are only these. */
  readonly choices?: readonly string[];
  /** Whether people forget to quote it: words too many are then shown in quotes. Only the last can be. */
  readonly freeText?: true;
  /** Whether more of it may follow; only the last can be. */
  readonly repeatable?: true;
}

/** A command to paste. */
export interface Example {
  /** The whole command line, as a shell reads it; it works in any folder with a policy. */
  readonly command: string;
  /** What it does, without a final full stop. */
  readonly says: string;
}

/** A flag as it was given. */
export interface GivenFlag {
  /** The flag's name without the dashes. */
  readonly name: string;
  /** Its value; absent when the flag takes none. */
  readonly value?: string;
}

/** What a verb was called with. */
export interface Invocation {
  /** The operands, in order; the required ones are there, and none too many. */
  readonly operands: readonly string[];
  /** The flags, in the order given. */
  readonly flags: readonly GivenFlag[];
}

/** What a verb's module exports. */
export interface VerbModule {
  /** Does the verb's work and answers the exit status. Errors are thrown; the frame reports them. */
  run(invocation: Invocation, runtime: Runtime): Promise<number>;
}

/** One verb: what help, the README, completions and the parser know about it without loading it. */
export interface Verb {
  /** Its words: `["perms", "check"]`. The word `perms` can be left out on the command line. */
  readonly path: readonly string[];
  /** One line for help, without a final full stop. */
  readonly summary: string;
  /** Its operands, in order. */
  readonly operands: readonly Operand[];
  /** Its own flags; those of EVERYWHERE are added by the frame. */
  readonly flags: readonly Flag[];
  /** Paragraphs for help. */
  readonly details?: readonly string[];
  /** Commands to paste; at least one. */
  readonly examples: readonly Example[];
  /** Its own exit statuses; 0 alone when left out. */
  readonly statuses?: readonly ExitMeaning[];
  /** The permissions it needs, and no more. */
  readonly permissions: readonly Permission[];
  /** Loads the verb's code. */
  load(): Promise<VerbModule>;
}

/** The verb as it is typed: `caliban perms check`. */
export function verbName(verb: Verb): string {
  return ["caliban", ...verb.path].join(" ");
}
