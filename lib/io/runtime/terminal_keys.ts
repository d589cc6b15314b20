import process from "node:process";
import { fileError } from "./file_fault.ts";
import type { Keys } from "./runtime.ts";

/**
 * `Runtime.keys` by Node's calls, under Deno too: a pending read of Deno's own cannot be cancelled, so that it would keep the
 * process alive and take the next key after its question was abandoned.
 */
export function openKeys(): Keys {
  const { stdin } = process;
  const about = { path: "standard input", verb: "read" } as const;
  const typed: (Uint8Array | undefined)[] = [];
  let arrived = () => {};
  const push = (bytes: Uint8Array | undefined) => {
    typed.push(bytes);
    arrived();
  };
  const onData = (chunk: Uint8Array | string) =>
    push(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
  const onEnd = () => push(undefined);
  try {
    stdin.setRawMode(true);
  } catch (error) {
    throw fileError(error, about);
  }
  stdin.on("data", onData).on("end", onEnd).on("error", onEnd).resume();
  return {
    async read() {
      while (typed.length === 0) await new Promise<void>((resolve) => arrived = resolve);
      return typed.shift();
    },
    close() {
      stdin.off("data", onData).off("end", onEnd).off("error", onEnd).pause();
      stdin.setRawMode(false);
    },
  };
}
