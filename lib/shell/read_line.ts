import { redirectText } from "./command_texts.ts";
import { parseLine } from "./parse/parse_line.ts";
import type { Node } from "./parse/tree.ts";
import { printsOf } from "./programs/prints.ts";
import { ProgramCatalog } from "./programs/programs.ts";
import type { CommandLine, Effect } from "./unit.ts";
import { EffectReader } from "./unit_reader.ts";

/** How a line is read. */
export interface ReadLineOptions {
  /** What is known of programs; the defaults when left out. */
  readonly catalog?: ProgramCatalog;
}

let defaults: ProgramCatalog | undefined;

/**
 * Takes a command line apart: every command that it may run, however it is reached, every file that it opens, and what
 * cannot be known of it. Never throws.
 */
export function readLine(text: string, options: ReadLineOptions = {}): CommandLine {
  const catalog = options.catalog ?? (defaults ??= new ProgramCatalog());
  // A function of the line may have the name of a program.
  const shadows = /\(\s*\)|\bfunction\b/.test(text);
  const line = parseLine(text, (node) => shadows ? undefined : printsOf(node, catalog));
  const effects = unitsOf(text, { node: line.node, knowledge: catalog });
  const { fault } = line;
  const more = fault !== undefined
    ? [faultEffect(text, fault)]
    : effects.length === 0
    ? [emptyEffect(text)]
    : [];
  const whole = { text, units: [...effects, ...more] };
  if (line.node) nodes.set(whole, line.node);
  return whole;
}

function unitsOf(
  text: string,
  { node, knowledge: catalog }: { node: Node | undefined; knowledge: ProgramCatalog },
): readonly Effect[] {
  if (!node) return [];
  const reader = new EffectReader(text, { catalog, root: node });
  reader.read(node);
  if (!reader.facts.isLoopMistaken()) return reader.finish();
  // Something else sets the variable of a loop whose words were believed.
  const again = new EffectReader(text, { catalog, root: node, believesLoops: false });
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
function emptyEffect(text: string): Effect {
  const { why: _why, ...unit } = faultEffect(text, "");
  return { ...unit, kind: "command", isHarmless: true };
}

function faultEffect(text: string, why: string): Effect {
  return {
    kind: "opaque",
    text,
    via: null,
    depth: 0,
    why,
    checkedAgainst: "own",
    isHarmless: false,
    allowTexts: [{ text, minLiteral: Infinity, maxLiteral: Infinity }],
    denyTexts: [{ text, template: text }],
  };
}

/**
 * The line with quoting undone and single spaces between its words and round its operators, so that `curl * | sh*` fits
 * `curl x|sh` too. Compound commands are left as they are written.
 */
function spacedLine(node: Node): string {
  switch (node.kind) {
    case "simple": {
      const assignments = node.assignments.map(({ name, value }) => `${name}=${value.text}`);
      const words = node.words.map(({ text }) => text);
      return [...assignments, ...words, ...node.redirects.map((each) => redirectText(each).text)]
        .join(" ");
    }
    case "pipe":
      return node.nodes.map(spacedLine).join(" | ");
    case "sequence": {
      let line = "";
      for (const [index, each] of node.nodes.entries()) {
        line += spacedLine(each);
        const operator = node.operators[index];
        if (operator === undefined || operator === ";" && index === node.nodes.length - 1) break;
        line += operator === ";" ? "; " : ` ${operator} `;
      }
      return line.trimEnd();
    }
    case "block":
      return node.text;
  }
}
