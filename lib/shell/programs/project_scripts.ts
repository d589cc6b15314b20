import type { Word } from "../parse/tree.ts";
import type { CommandReading } from "./program_use.ts";

/** A program that a wrapper looks for in a folder of the workspace first. */
export interface OwnBinary {
  readonly name: string;
  /** A folder, in that of the command or one above. */
  readonly folder: string;
}

/** Names of scripts and targets that do what a workspace is worked on with; more may follow one. */
const VERB =
  /^(?:test|lint|check|typecheck|build|format|fmt|bench|doc|coverage)(?:[:.-][\w:.-]*)?$/;

/** Words that say of a script that it does more: it publishes, starts, installs, removes or changes what others use. */
const MORE: ReadonlySet<string> = new Set([
  ...[
    "deploy",
    "deployment",
    "undeploy",
    "publish",
    "unpublish",
    "release",
    "push",
    "upload",
    "ship",
    "submit",
    "send",
    "notify",
  ],
  ...[
    "promote",
    "rollback",
    "sync",
    "tag",
    "bump",
    "version",
    "commit",
    "merge",
    "login",
    "apply",
    "provision",
    "destroy",
  ],
  ...[
    "install",
    "uninstall",
    "setup",
    "bootstrap",
    "upgrade",
    "clean",
    "cleanup",
    "clear",
    "reset",
    "delete",
    "remove",
    "rm",
  ],
  ...[
    "purge",
    "wipe",
    "prune",
    "drop",
    "migrate",
    "migration",
    "migrations",
    "seed",
    "teardown",
    "up",
    "down",
    "start",
    "stop",
  ],
  ...["restart", "kill", "serve", "remote", "ssh", "staging", "live"],
]);

/** True if a name such as `build:deploy` says that a script does more than its first word. */
export function saysMore(name: string): boolean {
  const [first, ...others] = name.replace(/([a-z\d])(?=[A-Z])/g, "$1-").toLowerCase().split(
    /[:._-]/,
  );
  // A build for production stays here; a test of it may not.
  return others.some((word) =>
    MORE.has(word) || first !== "build" && /^prod(?:uction)?$/.test(word)
  );
}

/** A file of code: where no script has the name, a runner may run that. */
const CODE_FILE = /\.(?:[cm]?[jt]sx?|json|html?|wasm|sh|py|rb)$/;

/** True if each script that a command names is such a verb, and it hands no arguments to one. */
export function namesVerbs(
  words: readonly Word[],
  { scripts, operands }: { scripts: "none" | "first" | "all"; operands: readonly number[] },
): boolean {
  const isVerb = (at: number) => {
    const { shape } = words[at]!;
    return VERB.test(shape) && !saysMore(shape) && !CODE_FILE.test(shape);
  };
  switch (scripts) {
    case "none":
      return operands.length === 0;
    case "first":
      return operands.length === 1 && isVerb(operands[0]!);
    case "all":
      return operands.length > 0 && operands.every(isVerb);
  }
}

/** The program that a wrapper looks for in a folder; undefined for a path, a version or a name that is not fixed. */
export function binaryOf(
  words: readonly Word[],
  { wrapped, folder }: Pick<CommandReading, "wrapped"> & { readonly folder: string },
): OwnBinary | undefined {
  const [first, ...others] = wrapped;
  if (first?.kind !== "argv" || others.length > 0) return undefined;
  const name = words[first.from]?.shape ?? "";
  return /^[\w.-]+$/.test(name) ? { name, folder } : undefined;
}
