import type { Runtime } from "../../io/runtime/runtime.ts";
import { type Action, isAction } from "../../model/call.ts";
import type { ExitMeaning } from "../errors/errors.ts";

/** A permission of Deno that a verb needs, as its flag is written after `--allow-`. */
export type Permission = "read" | "env" | "write" | "run" | "run=git" | "net";

/**
 * Words that completions offer and the parser does not check. `patterns`, those of the rules that can be removed, are asked for at
 * completion.
 */
export type WordList = "agents" | "findings" | "tools" | "patterns";

/** A word of the command line that is not a flag. */
export interface Operand {
  readonly name: string;
  /** One line for help, without a final full stop. */
  readonly summary: string;
  /** True if it is optional; only the last operands can be. */
  readonly optional?: true;
  /** The words it can be, when there are only these. */
  readonly choices?: readonly string[];
  /** The choice that an example shows; the first by default. */
  readonly sample?: string;
  /** The words that completions offer where it can be any. */
  readonly completes?: WordList;
  /** True if people forget to quote it: words too many are then shown in quotes. Only the last can be. */
  readonly freeText?: true;
  /** True if more of it may follow; only the last can be. */
  readonly repeatable?: true;
}

export interface Example {
  /** The whole command line, as a shell reads it; it works in any folder with a policy. */
  readonly command: string;
  /** Its effect, without a final full stop. */
  readonly says: string;
}

/** A flag as it was given. */
export interface GivenFlag {
  /** The flag's name without the dashes. */
  readonly name: string;
  /** Its value; absent when the flag takes none. */
  readonly value?: string;
}

/** The arguments of a verb. */
export interface Invocation {
  /** The operands, in order; the required ones are there, and none too many. */
  readonly operands: readonly string[];
  /** The flags, in the order given. */
  readonly flags: readonly GivenFlag[];
}

/** The exports of a verb's module. */
export interface VerbModule {
  /** Runs the verb and returns the exit status. Throws every error; `run` of cli/run.ts reports it. `verbs`: all that there are. */
  run(invocation: Invocation, runtime: Runtime, verbs: readonly Verb[]): Promise<number>;
}

/** The step of a person's way with caliban in which a verb is needed; help begins with these verbs. */
export type VerbStep = "start" | "ask" | "keep";

/** One verb: what help, docs/cli.md, completions and the parser know about it without loading it. */
export interface Verb {
  /** Its words: `["perms", "check"]`. The word `perms` is optional on the command line. */
  readonly path: readonly string[];
  /** One line for help, without a final full stop. */
  readonly summary: string;
  /** The group of the first screen of help that it is in; none for most. */
  readonly step?: VerbStep;
  /** Its operands, in order. */
  readonly operands: readonly Operand[];
  /** Its own flags; those of EVERYWHERE are added by the frame. */
  readonly flags: readonly Flag[];
  readonly details?: readonly string[];
  /** Paragraphs that come first in help and are loaded for it alone. */
  readonly loadDetails?: () => Promise<readonly string[]>;
  /** Commands to paste; at least one. */
  readonly examples: readonly Example[];
  /** Its own exit statuses; only 0 by default. */
  readonly statuses?: readonly ExitMeaning[];
  /** The permissions it needs, and no more. */
  readonly permissions: readonly Permission[];
  load(): Promise<VerbModule>;
}

/** The verb as it is typed: `caliban perms check`. */
export function verbName(verb: Verb): string {
  return ["caliban", ...verb.path].join(" ");
}

/** A flag that a verb takes. */
export interface Flag {
  /** Its name without the dashes. */
  readonly name: string;
  /** One line for help, without a final full stop. */
  readonly summary: string;
  /**
   * The name of its value in help (`DIR`); a flag without it and without `choices` takes no value. `DIR` and `FILE` complete
   * as such.
   */
  readonly value?: string;
  /** The values it takes, when there are only these; help shows them where the value has no name. */
  readonly choices?: readonly string[];
  /** The words that completions offer where it can be any; those of a value `IDS` with commas between. */
  readonly completes?: WordList;
  /** True if it may be given more than once. */
  readonly repeatable?: true;
  readonly short?: string;
}

/** A flag as help shows it: `--workspace DIR`, `-h, --help`. */
export function flagUsage(flag: Flag): string {
  const short = flag.short === undefined ? "" : `-${flag.short}, `;
  const value = flag.value ?? flag.choices?.join("|");
  return `${short}--${flag.name}${value === undefined ? "" : ` ${value}`}`;
}

/** True if the flag takes a value. */
export function takesValue(flag: Flag): boolean {
  return flag.value !== undefined || flag.choices !== undefined;
}

/** The optional word in front of the verbs about rules. */
export const FAMILY = "perms";

/** A verb, and the words behind it. */
export interface FoundVerb {
  readonly verb: Verb;
  /** The rest of the line. */
  readonly args: readonly string[];
}

/** The verb that a command line begins with, the longest name first; undefined for none. */
export function findVerb(
  argv: readonly string[],
  verbs: readonly Verb[],
): FoundVerb | undefined {
  let found: FoundVerb | undefined;
  let longest = 0;
  for (const verb of verbs) {
    for (const path of pathsOf(verb)) {
      if (path.length <= longest || !path.every((word, index) => argv[index] === word)) continue;
      longest = path.length;
      found = { verb, args: argv.slice(path.length) };
    }
  }
  return found;
}

/** Every way to write a verb's name, the full one first. */
export function pathsOf(verb: Verb): readonly (readonly string[])[] {
  return verb.path[0] === FAMILY ? [verb.path, verb.path.slice(1)] : [verb.path];
}

/** The value of a flag that can be given once; undefined when it was not. */
export function flagValue(invocation: Invocation, name: string): string | undefined {
  return invocation.flags.find((flag) => flag.name === name)?.value;
}

/** All values of a repeatable flag, in order; empty when it was not given. */
export function flagValues(invocation: Invocation, name: string): readonly string[] {
  return invocation.flags.flatMap((flag) =>
    flag.name === name && flag.value !== undefined ? [flag.value] : []
  );
}

/** True if a flag was given. */
export function hasFlag(invocation: Invocation, name: string): boolean {
  return invocation.flags.some((flag) => flag.name === name);
}

/** The rules of `--allow`, `--deny` and `--ask`, in the order of the line. */
export function ruleFlags(
  invocation: Invocation,
): readonly { readonly action: Action; readonly pattern: string }[] {
  return invocation.flags.flatMap(({ name, value }) =>
    isAction(name) && value !== undefined ? [{ action: name, pattern: value }] : []
  );
}
