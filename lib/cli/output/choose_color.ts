import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { ANSI, type Color, PLAIN } from "../../report/color.ts";
import { flagValue, type Invocation } from "../args/verb.ts";

/** The style for a stream: `--color` decides; without it, or with `auto`, colour is for terminals without NO_COLOR. */
export function chooseColor(
  runtime: Runtime,
  options: { readonly flag: string | undefined; readonly stream: "stdout" | "stderr" },
): Color {
  if (options.flag === "always") return ANSI;
  if (options.flag === "never" || !runtime.isTerminal(options.stream)) return PLAIN;
  const noColor = setting(runtime, "NO_COLOR");
  return noColor === "" && setting(runtime, "TERM") !== "dumb" ? ANSI : PLAIN;
}

/** The style that a command line asks for on a stream. */
export function colorFor(
  invocation: Invocation,
  runtime: Runtime,
  stream: "stdout" | "stderr" = "stdout",
): Color {
  return chooseColor(runtime, { flag: flagValue(invocation, "color"), stream });
}

/** A variable, empty when it is not set. One that may not be read means no colour: what cannot be known stays plain. */
function setting(runtime: Runtime, name: string): string {
  try {
    return runtime.env(name) ?? "";
  } catch (error) {
    if (error instanceof FileError) return "dumb";
    throw error;
  }
}
