import { FileError, type Runtime } from "./runtime.ts";

/**
 * True if the environment wants colour: none with NO_COLOR, colour with FORCE_COLOR or CLICOLOR_FORCE, and else where a terminal
 * shows it. What may not be read means none: what cannot be known stays plain.
 */
export function wantsColor(runtime: Pick<Runtime, "env">, isTerminal: () => boolean): boolean {
  try {
    const setting = (name: string) => runtime.env(name) ?? "";
    if (setting("NO_COLOR") !== "") return false;
    const force = setting("FORCE_COLOR");
    if (force !== "") return !OFF.includes(force);
    const other = setting("CLICOLOR_FORCE");
    if (other !== "" && !OFF.includes(other)) return true;
    return isTerminal() && setting("TERM") !== "dumb";
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** Values that switch a variable off. */
const OFF: readonly string[] = ["0", "false"];
