import type { Runtime } from "../../io/runtime/runtime.ts";

/** The time in which an agent wants its answer is nearly over. */
export class TooLate extends Error {
  override readonly name = "TooLate";

  constructor() {
    super("the decision took too long");
  }
}

/**
 * Values of variables that answer questions with allow, or lift the mode of a file. A project's settings can set variables
 * for its agent, and so for the hook, which goes by the flags of its own command. Stricter values count.
 */
const LOOSENING: Readonly<Record<string, (value: string) => boolean>> = {
  CALIBAN_AUTO_ALLOW: () => true,
  CALIBAN_DEFAULT_PERMISSION_MODE: (value) =>
    ["default", "acceptEdits", "auto", "dontAsk"].includes(value),
};

/**
 * The runtime as a hook sees it: no variable answers a question, and after the deadline no file is read. Policies are decoded
 * in one step each, during which no timer fires.
 */
export function hookRuntime(runtime: Runtime, { lastMs }: { readonly lastMs: number }): Runtime {
  return {
    ...strictRuntime(runtime),
    readText(path, most) {
      if (performance.now() > lastMs) throw new TooLate();
      return runtime.readText(path, most);
    },
  };
}

/** A runtime in which no variable answers a question. */
export function strictRuntime(runtime: Runtime): Runtime {
  return {
    ...runtime,
    env(name) {
      const value = runtime.env(name);
      const loosens = Object.hasOwn(LOOSENING, name) ? LOOSENING[name]! : () => false;
      return value !== undefined && loosens(value.trim()) ? undefined : value;
    },
  };
}
