import type { Runtime } from "../io/runtime/runtime.ts";

/** Prints what a verb did as one JSON object. */
export async function writeJson(runtime: Runtime, result: object): Promise<void> {
  await runtime.write("stdout", JSON.stringify(result, null, 2) + "\n");
}
