import type { Runtime } from "./runtime.ts";

/** Returns the Runtime of the current runtime; the other one's file is not loaded. */
export async function chooseRuntime(): Promise<Runtime> {
  if ("Deno" in globalThis) {
    const { denoRuntime } = await import("./deno_runtime.ts");
    return denoRuntime();
  }
  const { nodeRuntime } = await import("./node_runtime.ts");
  return await nodeRuntime();
}
