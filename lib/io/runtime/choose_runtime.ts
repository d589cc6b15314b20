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

/** The part of Bun that is needed. */
interface BunCalls {
  readonly unsafe?: { readonly setJITPolicy?: (scale: number) => void };
}

/**
 * Has Bun compile functions to machine code as soon as it usually does. The compiled program starts with a later moment
 * (`scripts/release/compile_into.ts`): for one decision that costs more than it saves, for a longer run it pays. Does nothing elsewhere.
 */
export function compileEarly(): void {
  const { Bun } = globalThis as { readonly Bun?: BunCalls };
  Bun?.unsafe?.setJITPolicy?.(1);
}
