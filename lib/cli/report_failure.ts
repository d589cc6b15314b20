import { FileError } from "../io/runtime/runtime.ts";
import type { Runtime } from "../io/runtime/runtime.ts";
import { chooseColor } from "./choose_color.ts";
import { failureOf } from "./failure.ts";

/** Writes what went wrong on stderr and answers the exit status. */
export async function reportFailure(
  error: unknown,
  options: { readonly argv: readonly string[]; readonly runtime: Runtime },
): Promise<number> {
  const { argv, runtime } = options;
  const color = chooseColor(runtime, { flag: colorFlag(argv), stream: "stderr" });
  const detail = debugging(runtime) ? "stack" : "message";
  const failure = failureOf(error, { argv, color, detail });
  try {
    await runtime.write("stderr", failure.text);
  } catch (unwritable) {
    // The status is all that is left to say it with.
    if (!(unwritable instanceof FileError)) throw unwritable;
  }
  return failure.status;
}

/** The value of `--color` in a line that may be wrong in other places. */
function colorFlag(argv: readonly string[]): string | undefined {
  const index = argv.findIndex((arg) => arg === "--color" || arg.startsWith("--color="));
  const arg = argv[index];
  return arg === "--color" ? argv[index + 1] : arg?.slice("--color=".length);
}

/** Whether CALIBAN_DEBUG is set; a variable that may not be read is not. */
function debugging(runtime: Runtime): boolean {
  try {
    return (runtime.env("CALIBAN_DEBUG") ?? "") !== "";
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}
