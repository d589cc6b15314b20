import type { Runtime } from "../../io/runtime/runtime.ts";

/** A line on stderr that tells how much is done. */
export interface Progress {
  /** Tells how much is done; shows it from time to time. */
  tick(count: number): void;
  /** Takes away what is shown. */
  clear(): Promise<void>;
}

interface ProgressOptions {
  /** The noun of the counted things, in the plural. */
  readonly noun: string;
  /** The part that is done, from 0 to 1; undefined where that is not known. */
  readonly part?: () => number | undefined;
  /** The number of ticks between two looks at the clock. */
  readonly stride?: number;
  /** True if nothing is shown, on a terminal either. */
  readonly isOff?: boolean;
}

/** Nothing is shown before, in ms. */
const PATIENCE = 1000;

/** Ticks between two looks at the clock. */
const STRIDE = 512;

/** The interval between two updates, in ms. */
const PAUSE = 200;

const BAR = 24;

/** Shows progress in a line on stderr: on a terminal only, and only after a second. */
export function startProgress(
  runtime: Runtime,
  { noun, part, stride = STRIDE, isOff = false }: ProgressOptions,
): Progress {
  const shows = !isOff && runtime.isTerminal("stderr");
  let next = shows ? runtime.now() + PATIENCE : Infinity;
  let left = stride;
  let shown: Promise<boolean> | undefined;
  // A line that cannot be written is no fault of the command.
  const show = (text: string) => runtime.write("stderr", `\r\x1b[K${text}`).catch(() => false);
  return {
    tick(count) {
      if (next === Infinity || --left > 0) return;
      left = stride;
      const now = runtime.now();
      if (now < next) return;
      next = now + PAUSE;
      shown = show(`${barOf(part?.())}${count} ${noun}`);
    },
    async clear() {
      if (shown === undefined) return;
      await shown;
      shown = undefined;
      await show("");
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
