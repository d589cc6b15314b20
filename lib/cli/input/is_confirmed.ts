import type { Runtime } from "../../io/runtime/runtime.ts";

/** Asks a person on the terminal; true for a yes. */
export async function isConfirmed(runtime: Runtime, question: string): Promise<boolean> {
  await runtime.write("stderr", `${question} [y/N] `);
  const decoder = new TextDecoder();
  let line = "";
  for await (const chunk of runtime.stdin()) {
    line += decoder.decode(chunk, { stream: true });
    if (line.includes("\n") || line.length > 100) break;
  }
  return /^\s*y(?:es)?\s*$/i.test(line.split("\n")[0] ?? "");
}
