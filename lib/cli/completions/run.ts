import type { Runtime } from "../../io/runtime/runtime.ts";
import type { Invocation, Verb } from "../args/verb.ts";
import { EXIT } from "../errors/errors.ts";
import { completionScript, isShell } from "./scripts.ts";
import { removablePatterns } from "./patterns.ts";

export async function run(
  invocation: Invocation,
  runtime: Runtime,
  verbs: readonly Verb[],
): Promise<number> {
  const word = invocation.operands[0] ?? "";
  if (isShell(word)) {
    await runtime.write("stdout", completionScript(word, verbs));
    return EXIT.ok;
  }
  if (word !== "patterns") throw new RangeError(`No completions for "${word}"`);
  const lines = removablePatterns(runtime).map((pattern) => `${pattern}\n`);
  await runtime.write("stdout", lines.join(""));
  return EXIT.ok;
}
