import { VERBS } from "./registry.ts";
import type { Verb } from "./verb.ts";

/** The word that stands before the verbs about rules, and can be left out. */
export const FAMILY = "perms";

/** A verb, and the words behind it. */
export interface FoundVerb {
  /** The verb. */
  readonly verb: Verb;
  /** The rest of the line. */
  readonly args: readonly string[];
}

/** The verb that a command line begins with, the longest name first; undefined when there is none. */
export function findVerb(argv: readonly string[]): FoundVerb | undefined {
  let found: FoundVerb | undefined;
  let longest = 0;
  for (const verb of VERBS) {
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
