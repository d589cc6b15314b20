import type { ToolProfile } from "../../model/tool_profile.ts";
import type { PathContext } from "../../pattern/path/path_facts.ts";
import type { FieldTest, Specifier, ValueTest } from "../../pattern/pattern.ts";
import type { CommandMode } from "../../policy/compile/value_matcher.ts";
import type { ToolRule } from "../../policy/compile/rule_table.ts";
import type { Automata } from "../automata/automaton.ts";
import type { State } from "../automata/state.ts";
import { commandDomain } from "./command_language.ts";
import { only } from "../automata/char_set.ts";
import { MISSING, UNCLEAR } from "../automata/marks.ts";
import { pathDomain } from "./path_language.ts";
import { urlDomain } from "./url_language.ts";

/** Which texts of an argument an answer speaks of. */
export type ArgumentKind = "every text" | "commands" | "paths" | "URLs";

/** One argument of a tool that its rules look at. */
export interface Argument {
  /** Its name. */
  readonly key: string;
  /** `first`: the tool's first argument. `searched`: the folder that it searches. */
  readonly role: "first" | "searched" | "field";
  /** Which of its texts are looked at. */
  readonly kind: ArgumentKind;
  /** What it can be: those texts, not there, not comparable. */
  readonly domain: State;
}

/** What the arguments of a tool are found with. */
export interface ArgumentOptions {
  /** Where states are made. */
  readonly automata: Automata;
  /** The tool. */
  readonly profile: ToolProfile;
  /** How its commands are read. */
  readonly shell: CommandMode;
  /** What paths are measured against. */
  readonly context: PathContext;
}

/** The arguments that a tool's rules look at, the first one first; undefined when one is compared in ways that do not go together. */
export function argumentsOf(
  toolRules: readonly ToolRule[],
  options: ArgumentOptions,
): readonly Argument[] | undefined {
  const { profile, automata } = options;
  const found: Argument[] = [];
  const first = profile.firstArg?.[0];
  if (first !== undefined) {
    const kind = firstKind(options);
    const domain = automata.either([textsOf(kind, options), special(automata, UNCLEAR)]);
    found.push({ key: first, role: "first", kind, domain });
  }
  for (const [key, tests] of fieldsOf(toolRules, profile)) {
    const kind = kindOf(tests);
    // The folder that is searched may be the first argument, too: one text, not two.
    if (kind === undefined || profile.firstArg?.includes(key)) return undefined;
    const domain = automata.either([
      textsOf(kind, options),
      special(automata, UNCLEAR),
      special(automata, MISSING),
    ]);
    const role = key === profile.searches?.path ? "searched" : "field";
    found.push({ key, role, kind, domain });
  }
  return found;
}

function special(automata: Automata, symbol: number): State {
  return automata.one(only(symbol), automata.end);
}

function firstKind({ profile, shell }: ArgumentOptions): ArgumentKind {
  switch (profile.kind) {
    case "command":
      return shell === "literal" ? "every text" : "commands";
    case "path":
      return "paths";
    case "url":
      return "URLs";
    case "text":
      return "every text";
  }
}

function textsOf(kind: ArgumentKind, { automata, context }: ArgumentOptions): State {
  switch (kind) {
    case "every text":
      return automata.everything;
    case "commands":
      return commandDomain(automata);
    case "paths":
      return pathDomain({ automata, context });
    case "URLs":
      return urlDomain(automata);
  }
}

/** The fields besides the first argument that rules look at, and what they are compared with; the most asked first. */
function fieldsOf(
  toolRules: readonly ToolRule[],
  { searches }: ToolProfile,
): readonly (readonly [string, readonly ValueTest[]])[] {
  const fields = new Map<string, ValueTest[]>();
  const add = (key: string, test: ValueTest) => {
    const known = fields.get(key);
    if (known) known.push(test);
    else fields.set(key, [test]);
  };
  for (const toolRule of toolRules) {
    for (const specifier of specsOf(toolRule)) {
      if (specifier.kind === "argument" && searches && specifier.test.kind === "path") {
        add(searches.path, specifier.test);
      }
      if (specifier.kind !== "fields") continue;
      for (const field of specifier.fields) {
        // The first argument is an argument of its own, by whichever of its names a field speaks of it.
        if (isSearched(field, searches)) add(searches!.path, field.test);
        else if (!field.first) add(field.key, field.test);
      }
    }
  }
  return [...fields].sort(([, a], [, b]) => b.length - a.length);
}

/** What an entry says, of the tool's own input and of the file that it shares with others. */
export function specsOf({ specifier, also }: ToolRule): readonly Specifier[] {
  return [...(specifier ? [specifier] : []), ...(also ? [also] : [])];
}

/** Whether a field is another tool's path, for a tool that searches. */
export function isSearched(field: FieldTest, searches: ToolProfile["searches"]): boolean {
  return searches !== undefined && field.first && field.test.kind === "path";
}

function kindOf(tests: readonly ValueTest[]): ArgumentKind | undefined {
  const isPath = tests.some(({ kind }) => kind === "path");
  const isUrl = tests.some(({ kind }) => kind === "url" || kind === "domain");
  if (isPath && isUrl) return undefined;
  return isPath ? "paths" : isUrl ? "URLs" : "every text";
}
