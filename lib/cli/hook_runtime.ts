import type { Runtime } from "../io/runtime.ts";

/**
 * Values of variables that answer questions with allow, or lift the mode of a file. A project's settings can set variables
 * for its agent, and so for the hook, which goes by the flags of its own command. Stricter values count.
 */
const LOOSENING: Readonly<Record<string, readonly string[]>> = {
  CALIBAN_AUTO_ALLOW: ["1"],
  CALIBAN_DEFAULT_PERMISSION_MODE: ["default", "acceptEdits", "auto", "dontAsk"],
};

/** The runtime as a hook sees it: no variable answers a question. */
export function hookRuntime(runtime: Runtime): Runtime {
  return {
    ...runtime,
    env(name) {
      const value = runtime.env(name);
      const loosens = Object.hasOwn(LOOSENING, name) ? LOOSENING[name]! : [];
      return value !== undefined && loosens.includes(value.trim()) ? undefined : value;
    },
  };
}
