import type { CommandLine, Effect } from "../../shell/effect.ts";
import type { LineEffect } from "./request_options.ts";

/** The parts of lines that a policy keeps, by the place of their effects; what is found of them holds for the line. */
const kept = new WeakMap<CommandLine, (LineEffect | undefined)[]>();

/** The parts of a line that is kept, which are filled in one by one; undefined for any other. */
export function keptParts(line: CommandLine): (LineEffect | undefined)[] | undefined {
  if (line.isKept !== true) return undefined;
  let parts = kept.get(line);
  if (parts === undefined) kept.set(line, parts = []);
  return parts;
}

/** A part of a line of which nothing is found yet; all have one shape. */
export function partOf(effect: Effect, line: CommandLine): LineEffect {
  return { effect, line, begins: undefined, length: undefined, rules: undefined };
}
