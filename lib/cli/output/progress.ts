import type { Runtime } from "../../io/runtime/runtime.ts";

export interface Progress {
  /** Says how much is done; shows it from time to time. */
  tick(count: number): Promise<void>;
  /** Takes away what is shown. */
  clear(): Promise<void>;
}

export interface ProgressOptions {
  /** The noun of the counted things, in the plural. */
  readonly noun: string;
  /** The part that is done, from 0 to 1; undefined where that is not known. */
  readonly part: () => number | undefined;
}

/** Nothing is shown before, in ms. */
const PATIENCE = 1000;

/** Ticks between two looks at the clock. */
const STRIDE = 512;

/** The interval between two updates, in ms. */
const PAUSE = 200;

const BAR = 24;

/** Shows progress in a line on stderr: on a terminal only, and only after a second. */
export function startProgress(runtime: Runtime, { noun, part }: ProgressOptions): Progress {
  const shows = runtime.isTerminal("stderr");
  let next = shows ? runtime.now() + PATIENCE : Infinity;
  let left = STRIDE;
  let isShown = false;
  return {
    async tick(count) {
      if (--left > 0) return;
      left = STRIDE;
      if (next === Infinity) return;
      const now = runtime.now();
      if (now < next) return;
      next = now + PAUSE;
      isShown = true;
      await runtime.write("stderr", `\r\x1b[K${barOf(part())}${count} ${noun}`);
    },
    async clear() {
      if (isShown) await runtime.write("stderr", "\r\x1b[K");
      isShown = false;
    },
  };
}

function barOf(part: number | undefined): string {
  if (part === undefined) return "";
  const whole = Math.max(0, Math.min(1, part));
  const full = Math.round(whole * BAR);
  const percent = `${Math.floor(whole * 100)}`.padStart(3);
  return `[${"#".repeat(full)}${" ".repeat(BAR - full)}] ${percent} %  `;
}
