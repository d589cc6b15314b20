import type { Runtime } from "../../io/runtime/runtime.ts";
import { bashCompletions } from "./bash.ts";
import { fishCompletions } from "./fish.ts";
import { zshCompletions } from "./zsh.ts";
import { EXIT } from "../errors/errors.ts";
import type { Invocation, Verb } from "../args/verb.ts";

/** The scripts by shell; the names are those that the verb's table offers. */
const SCRIPTS: ReadonlyMap<string, (verbs: readonly Verb[]) => string> = new Map([
  ["bash", bashCompletions],
  ["zsh", zshCompletions],
  ["fish", fishCompletions],
]);

export async function run(
  invocation: Invocation,
  runtime: Runtime,
  verbs: readonly Verb[],
): Promise<number> {
  const shell = invocation.operands[0] ?? "";
  const script = SCRIPTS.get(shell);
  if (script === undefined) throw new RangeError(`No completions for "${shell}"`);
  await runtime.write("stdout", script(verbs));
  return EXIT.ok;
}
