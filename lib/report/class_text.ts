import type { LineCommand } from "../decide/classes/line_command.ts";
import type { CommandClass } from "../model/call.ts";
import { CLASS_PHRASES } from "../model/class_phrases.ts";
import { cut } from "../text/call_text.ts";
import { visible } from "../text/visible.ts";

/** The most files or URLs of a class that are named. */
const NAMED = 3;

/** The columns that each of them may take. */
const COLUMNS = 60;

/** The classes of a command in words, one line each: `@delete: removes files: build/`. */
export function classLines(command: LineCommand): readonly string[] {
  const { classes } = command;
  const reads = classes.includes("read") ? [] : command.names("read");
  return [
    ...classes.map((name) => `@${name}: ${phraseOf(name, command)}`),
    // Every other class implies reading.
    ...(reads.length === 0 ? [] : [`@read: ${phraseOf("read", command)}`]),
  ];
}

function phraseOf(name: CommandClass, command: LineCommand): string {
  const { does, to, names } = CLASS_PHRASES[name];
  if (name === "unknown") {
    const why = command.whyUnknown();
    return why === undefined ? "its effect is unknown" : visible(why);
  }
  const named = names === undefined ? [] : command.names(names);
  if (to === undefined || named.length === 0) return does;
  const more = named.length - NAMED;
  const shown = named.slice(0, NAMED).map((text) => cut(visible(text), COLUMNS));
  return `${to} ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
