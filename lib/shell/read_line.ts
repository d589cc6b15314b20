import { UnitReader } from "./unit_reader.ts";
import { Knowledge } from "./programs.ts";
import { parseLine } from "./parse_line.ts";
import { spacedLine } from "./spaced_line.ts";
import { printsOf } from "./prints.ts";
import type { Node } from "./tree.ts";
import type { CommandLine, Unit } from "./unit.ts";

/** How a line is read. */
export interface ReadLineOptions {
  /** What is known of programs; the defaults when left out. */
  readonly knowledge?: Knowledge;
}

let defaults: Knowledge | undefined;

/**
 * Takes a command line apart: every command that it may run, however it is reached, every file that it opens, and what
 * cannot be known of it. Never throws.
 */
export function readLine(text: string, options: ReadLineOptions = {}): CommandLine {
  const knowledge = options.knowledge ?? (defaults ??= new Knowledge());
  // A function of the line may have the name of a program.
  const shadows = /\(\s*\)|\bfunction\b/.test(text);
  const line = parseLine(text, (node) => shadows ? undefined : printsOf(node, knowledge));
  const units = unitsOf(text, { node: line.node, knowledge });
  const { fault } = line;
  const more = fault !== undefined
    ? [faultUnit(text, fault)]
    : units.length === 0
    ? [idleUnit(text)]
    : [];
  const whole = { text, units: [...units, ...more] };
  if (line.node) nodes.set(whole, line.node);
  return whole;
}

function unitsOf(
  text: string,
  { node, knowledge }: { node: Node | undefined; knowledge: Knowledge },
): readonly Unit[] {
  if (!node) return [];
  const reader = new UnitReader(text, { knowledge, root: node });
  reader.read(node);
  if (!reader.facts.isLoopMistaken()) return reader.finish();
  // Something else sets the variable of a loop whose words were believed.
  const again = new UnitReader(text, { knowledge, root: node, believesLoops: false });
  again.read(node);
  return again.finish();
}

/** The trees of lines, for what is seldom asked. */
const nodes = new WeakMap<CommandLine, Node>();

const spacedTexts = new WeakMap<Node, string>();

/** The line with quoting undone and single spaces round its operators; undefined where that is the line. */
export function spacedText(line: CommandLine): string | undefined {
  const node = nodes.get(line);
  if (!node) return undefined;
  let spaced = spacedTexts.get(node);
  if (spaced === undefined) spacedTexts.set(node, spaced = spacedLine(node));
  return spaced === line.text ? undefined : spaced;
}

/** A line that runs nothing: blanks, a comment. */
function idleUnit(text: string): Unit {
  const { why: _why, ...unit } = faultUnit(text, "");
  return { ...unit, kind: "command", companion: true };
}

function faultUnit(text: string, why: string): Unit {
  return {
    kind: "opaque",
    text,
    via: null,
    depth: 0,
    why,
    judged: "own",
    companion: false,
    covers: [{ text, need: Infinity, limit: Infinity }],
    wide: [{ text, shape: text }],
  };
}
