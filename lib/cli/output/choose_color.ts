import type { Runtime } from "../../io/runtime/runtime.ts";
import { wantsColor } from "../../io/runtime/wants_color.ts";
import { ANSI, type Color, PLAIN, type TextStyle } from "../../report/color.ts";
import { flagValue, type Invocation } from "../args/verb.ts";

/**
 * The style for a stream. `--color` decides; without it, or with `auto`, NO_COLOR means none, FORCE_COLOR and CLICOLOR_FORCE mean
 * colour, and else colour is for terminals.
 */
export function chooseColor(
  runtime: Runtime,
  options: { readonly flag: string | undefined; readonly stream: "stdout" | "stderr" },
): Color {
  if (options.flag === "always") return ANSI;
  if (options.flag === "never") return PLAIN;
  return wantsColor(runtime, () => runtime.isTerminal(options.stream)) ? ANSI : PLAIN;
}

/** The style that a command line asks for on a stream. */
export function colorFor(
  invocation: Invocation,
  runtime: Runtime,
  stream: "stdout" | "stderr" = "stdout",
): Color {
  return chooseColor(runtime, { flag: flagValue(invocation, "color"), stream });
}

/** The style of a report on stdout: its colours, and the columns of the window. */
export function styleFor(invocation: Invocation, runtime: Runtime): TextStyle {
  return { ...colorFor(invocation, runtime), columns: windowColumns(runtime) };
}

/** The narrowest window that text is laid out for. */
const LEAST = 40;

/** The columns of the window that stdout is; undefined where it goes elsewhere. */
export function windowColumns(runtime: Runtime): number | undefined {
  return runtime.isTerminal("stdout") ? Math.max(LEAST, runtime.columns()) : undefined;
}
