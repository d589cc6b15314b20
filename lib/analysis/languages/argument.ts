import { COMMAND_CLASSES, type CommandClass, type ToolProfile } from "../../model/call.ts";
import type { PathContext } from "../../pattern/path/call_path.ts";
import type { FieldTest, Specifier, ValueTest } from "../../pattern/parse_pattern.ts";
import type { CommandMode } from "../../policy/compile/value_matcher.ts";
import type { ToolRule } from "../../policy/compile/compiled_policy.ts";
import type { Automata } from "../automata/automaton.ts";
import type { State } from "../automata/state.ts";
import { classDomain } from "./class_language.ts";
import { commandDomain } from "./command_language.ts";
import { MISSING, only, UNCLEAR } from "../automata/char_set.ts";
import { pathDomain } from "./path_language.ts";
import { urlDomain } from "./url_language.ts";

/** The texts of an argument that an answer holds for. */
export type ArgumentKind = "every text" | "commands" | "paths" | "URLs";

/** An argument of a tool that its rules compare. */
export interface Argument {
  readonly key: string;
  /** `first`: the tool's first argument. `searched`: the folder that it searches. `class`: the classes of its command. */
  readonly role: "first" | "searched" | "field" | "class";
  /** The texts of it that are analysed. */
  readonly kind: ArgumentKind;
  /** Its values: those texts, missing, not comparable. */
  readonly domain: State;
  /** The classes that rules name, for the role `class`. */
  readonly classes?: readonly CommandClass[];
}

/** The tool and the way its rules are read. */
export interface ArgumentOptions {
  /** The store of automata. */
  readonly automata: Automata;
  readonly profile: ToolProfile;
  /** The way in which its commands are read. */
  readonly shell: CommandMode;
  /** The folders and links that paths are resolved with. */
  readonly context: PathContext;
}

/** The arguments that a tool's rules compare, the first one first; undefined if one is compared in two incompatible ways. */
export function argumentsOf(
  toolRules: readonly ToolRule[],
  options: ArgumentOptions,
): readonly Argument[] | undefined {
  const { profile, automata } = options;
  const classes = classesOf(toolRules);
  // Only a parsed line has classes.
  if (classes.length > 0 && (profile.kind !== "command" || options.shell !== "parsed")) {
    return undefined;
  }
  const found: Argument[] = [];
  const first = profile.firstArg?.[0];
  if (first !== undefined) {
    const kind = firstKind(options);
    const domain = automata.either([textsOf(kind, options), special(automata, UNCLEAR)]);
    found.push({ key: first, role: "first", kind, domain });
  }
  for (const [key, tests] of fieldsOf(toolRules, profile)) {
    const kind = kindOf(tests);
    // The folder that is searched may be the first argument too: one text, not two.
    if (kind === undefined || profile.firstArg?.includes(key)) return undefined;
    const domain = automata.either([
      textsOf(kind, options),
      special(automata, UNCLEAR),
      special(automata, MISSING),
    ]);
    const role = key === profile.searches?.path ? "searched" : "field";
    found.push({ key, role, kind, domain });
  }
  if (classes.length > 0) {
    const domain = classDomain(classes, automata);
    found.push({ key: "", role: "class", kind: "every text", domain, classes });
  }
  return found;
}

/** The classes that rules name. */
function classesOf(toolRules: readonly ToolRule[]): readonly CommandClass[] {
  const named = new Set(
    toolRules.flatMap(({ specifier }) => specifier?.kind === "class" ? [specifier.name] : []),
  );
  return COMMAND_CLASSES.filter((name) => named.has(name));
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
      return oneWay(commandDomain(automata), automata);
    case "paths":
      return oneWay(pathDomain({ automata, context }), automata);
    case "URLs":
      return oneWay(urlDomain(automata), automata);
  }
}

/** The same texts with one way to each: every search goes through them beside the languages of rules. */
function oneWay(texts: State, automata: Automata): State {
  return automata.not([automata.not([texts])]);
}

/** The fields besides the first argument that rules compare, with their tests; the most compared first. */
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
    for (const specifier of specifiersOf(toolRule)) {
      if (specifier.kind === "argument" && searches && specifier.test.kind === "path") {
        add(searches.path, specifier.test);
      }
      if (specifier.kind !== "fields") continue;
      for (const field of specifier.fields) {
        // The first argument is an argument of its own, whichever of its names the field uses.
        if (isSearched(field, searches)) add(searches!.path, field.test);
        else if (!field.isArgument) add(field.key, field.test);
      }
    }
  }
  return [...fields].sort(([, a], [, b]) => b.length - a.length);
}

/** The specifiers of a rule: of the tool's own input, and of the file if the rule is for another tool. */
export function specifiersOf({ specifier, also }: ToolRule): readonly Specifier[] {
  return [...(specifier ? [specifier] : []), ...(also ? [also] : [])];
}

/** True if a field is another tool's path, for a tool that searches. */
export function isSearched(field: FieldTest, searches: ToolProfile["searches"]): boolean {
  return searches !== undefined && field.isArgument && field.test.kind === "path";
}

function kindOf(tests: readonly ValueTest[]): ArgumentKind | undefined {
  const isPath = tests.some(({ kind }) => kind === "path");
  const isUrl = tests.some(({ kind }) => kind === "url" || kind === "domain");
  if (isPath && isUrl) return undefined;
  return isPath ? "paths" : isUrl ? "URLs" : "every text";
}
