import type { CommandLine, Effect } from "../../shell/effect.ts";
import { defaultCatalog, ProgramCatalog } from "../../shell/programs/program_catalog.ts";
import { readLine } from "../../shell/read_line.ts";
import type { PolicyParts } from "./compiled_policy.ts";
import type { LineEffect, ParseCommand } from "./request_options.ts";
import { hashed } from "./rule_keys.ts";

/** The most lines that are kept, and the longest one, in UTF-16 code units. */
const MOST_LINES = 1_024;
const LONGEST = 512;

/** The places for hashes of lines that were read once, a power of two, in groups: lines of one group leave each other a place. */
const MOST_SEEN = 4_096;
const GROUP = 4;

/**
 * The readings of lines that came more than once lately. A line is kept at its second sight only: most come once, and what is kept
 * for those costs more than it saves.
 */
class LineMemo {
  readonly #seen = new Int32Array(MOST_SEEN);
  /** By the hash of their text: engines hash a new text themselves for longer. */
  readonly #lines = new Map<number, CommandLine>();
  #tables: unknown;

  /** The reading of a line; `tables`: the programs that it is read with. */
  read(text: string, tables: unknown, read: () => CommandLine): CommandLine {
    if (text.length > LONGEST) return read();
    if (this.#tables !== tables) {
      this.#lines.clear();
      this.#tables = tables;
    }
    const hash = hashed(text);
    const known = this.#lines.get(hash);
    if (known?.text === text) return known;
    if (!this.#isSeen(hash)) return read();
    const line = { ...read(), isKept: true } as const;
    if (this.#lines.size >= MOST_LINES) this.#lines.clear();
    this.#lines.set(hash, line);
    return line;
  }

  /** True if a line was read before; records that it is now. Two lines may share a hash, and one of them is kept too early. */
  #isSeen(hash: number): boolean {
    const start = hash & (MOST_SEEN - GROUP);
    const seen = this.#seen;
    for (let at = start; at < start + GROUP; at++) if (seen[at] === hash) return true;
    for (let at = start + GROUP - 1; at > start; at--) seen[at] = seen[at - 1]!;
    seen[start] = hash;
    return false;
  }
}

/** The only parser of command lines: with the default programs and the policy's own names, found when a line is first read. */
export function lineParser(
  { merged: { settings: { wrappers, variables, classes } }, context: { ignoreCase } }: PolicyParts,
): ParseCommand {
  const isPlain = [wrappers, variables, classes].every((each) => each.length === 0) && !ignoreCase;
  let own: ProgramCatalog | undefined;
  const memo = new LineMemo();
  /** The readings of lines whose wildcards name files with plain names now. */
  let plain: LineMemo | undefined;
  return (text, shell, more) => {
    const catalog = isPlain
      ? defaultCatalog()
      : own ??= new ProgramCatalog(wrappers, variables, ignoreCase ? "folded" : "exact", classes);
    const options = { wantsClasses: true, catalog };
    if (shell !== undefined) return readLine(text, { ...options, shell, ...more });
    const kept = more === undefined ? memo : plain ??= new LineMemo();
    return kept.read(text, catalog, () => {
      return isPlain && more === undefined
        ? plainly(text, catalog)
        : uniform(readLine(text, { ...options, ...more }));
    });
  };
}

/** The line that was read last with the default programs alone. A suggestion tries a call on a policy that differs by a rule. */
let last: { readonly line: CommandLine; readonly catalog: ProgramCatalog } | undefined;

/** The reading of a line with the default programs; nothing that a policy finds of it is kept with it. */
function plainly(text: string, catalog: ProgramCatalog): CommandLine {
  if (last?.line.text === text && last.catalog === catalog) return last.line;
  const line = uniform(readLine(text, { wantsClasses: true, catalog }));
  if (text.length <= LONGEST) last = { line, catalog };
  return line;
}

/** A line with every member, so that all have one shape: each part of it asks for them again and again. */
function uniform({ text, effects, spacedText, bareTexts, plainNames }: CommandLine): CommandLine {
  return { text, effects, spacedText, bareTexts, plainNames, isKept: undefined } as CommandLine;
}

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
