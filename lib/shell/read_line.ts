import type { CommandLine, Effect } from "./effect.ts";
import { exactText } from "./effects/command_context.ts";
import { effectsOf } from "./effects/effect_reader.ts";
import { parseOwnLine } from "./own_functions.ts";
import { redirectText } from "./effects/simple_command.ts";
import type { Shell } from "./parse/shell.ts";
import type { Node } from "./parse/tree.ts";
import { defaultCatalog, type ProgramCatalog } from "./programs/program_catalog.ts";

/** Options of `readLine`. */
export interface ReadLineOptions {
  /** The known programs; the defaults if left out. */
  readonly catalog?: ProgramCatalog;
  /** The shell that runs the line; `posix` if left out. */
  readonly shell?: Shell;
  /** True if the files that the line's `plainNames` name have plain names. */
  readonly hasPlainNames?: boolean;
  /** True if effects tell the classes of their commands. */
  readonly wantsClasses?: boolean;
}

/**
 * Parses a command line into its effects: every command that it may run, however nested, every file and URL that it
 * accesses, and every part that is unknown. Never throws.
 */
export function readLine(text: string, options: ReadLineOptions = {}): CommandLine {
  const catalog = options.catalog ?? defaultCatalog();
  const { shell = "posix", hasPlainNames = false, wantsClasses = false } = options;
  const { node, fault, hasFunctions } = parseOwnLine(text, { catalog, shell });
  const read = node &&
    effectsOf({ hasFunctions, node, catalog, shell, hasPlainNames, wantsClasses });
  const effects = [...read?.effects ?? []];
  if (fault !== undefined) effects.push(faultEffect(text, fault));
  else if (effects.length === 0) effects.push(emptyEffect(text));
  const spacedText = node ? spacedTextOf(node) : text;
  return {
    text,
    ...(spacedText === text ? {} : { spacedText }),
    effects,
    ...(read?.plainNames ? { plainNames: read.plainNames } : {}),
  };
}

/**
 * The effect of a line that runs nothing, as a comment. A blank one needs a rule: an agent may take an empty argument for a
 * missing one, and run what another says.
 */
function emptyEffect(text: string): Effect {
  const { why: _why, ...effect } = faultEffect(text, "");
  return {
    ...effect,
    kind: "command",
    isHarmless: true,
    ...(text.trim() === "" ? {} : { runsNothing: true }),
  };
}

function faultEffect(text: string, why: string): Effect {
  return {
    kind: "opaque",
    text,
    via: null,
    depth: 0,
    why,
    checkedAgainst: "allRules",
    isHarmless: false,
    allowTexts: [exactText(text)],
    denyTexts: [{ text, template: text }],
  };
}

/** The text in canonical spacing, so that the rule `curl * | sh*` matches `curl x|sh` too. Compound commands stay as written. */
function spacedTextOf(node: Node): string {
  switch (node.kind) {
    case "simple": {
      const assignments = node.assignments.map(({ name, value }) => `${name}=${value.text}`);
      const words = node.words.map(({ text }) => text);
      return [...assignments, ...words, ...node.redirects.map((each) => redirectText(each).text)]
        .join(" ");
    }
    case "pipe":
      return node.nodes.map(spacedTextOf).join(" | ");
    case "sequence": {
      let line = "";
      for (const [index, each] of node.nodes.entries()) {
        line += spacedTextOf(each);
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
