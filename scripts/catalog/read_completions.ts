/**
 * Reads completion specifiers of `@withfig/autocomplete` and prints their facts as JSON: a process of its own, for they are programs
 * of others. `read_completions.ts FOLDER NAME…`: the folder of the built files, and the programs to look for. Of a text only the sign is
 * kept that it speaks of a change.
 */
import { pathToFileURL } from "node:url";
import type { ArgumentFact, CommandFact, OptionFact } from "./witness.ts";

/** An argument, an option or a command as these files have it; nothing is certain. */
type Written = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 4;
const MAX_COMMANDS = 20_000;

/** Verbs of texts that say that an option writes, removes, sends or runs something. */
const OPTION_VERBS = [
  "create delete download edit erase execute fix force forcefully forcibly generate install kill launch open",
  "overwrite patch publish purge push rebuild remove rename replace restart rewrite run save send start store",
  "submit uninstall unlink update upgrade upload write",
];

/** Those of texts that say so of a command. */
const COMMAND_VERBS = [
  ...OPTION_VERBS,
  "add apply archive attach cancel change clean clear clone close commit configure copy deploy destroy disable",
  "discard drop enable enter import init initialize initiate log mark merge migrate modify move prune pull register",
  "reset restore revert revoke roll rotate set stop terminate toggle unset",
];

const changeBy = (verbs: readonly string[]) =>
  new RegExp(
    `^\\W*(?:(?:permanently|automatically|interactively|also|then|and|will) )*(?:${
      verbs.flatMap((each) => each.split(" ")).map((verb) => verb.replace(/[ey]$/, "(?:$&|ies|es)"))
        .join("|")
    })s?\\b`,
    "i",
  );

const CHANGES_BY_OPTION = changeBy(OPTION_VERBS);
const CHANGES_BY_COMMAND = changeBy(COMMAND_VERBS);

function listOf(value: unknown): readonly Written[] {
  const all = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return all.filter((each): each is Written => typeof each === "object" && each !== null);
}

function textsOf(value: unknown): readonly string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.filter((each): each is string => typeof each === "string");
}

/** Names of arguments that stand for files. */
const FILE =
  /^(?:files?|file[-_ ]?names?|file[-_ ]?paths?|paths?|pathname|input[-_ ]?file|output[-_ ]?file|source[-_ ]?file)$/i;
const FOLDER = /^(?:dirs?|director(?:y|ies)|folders?|output[-_ ]?dir(?:ectory)?)$/i;

function kindOf(argument: Written): ArgumentFact["kind"] {
  if (argument["isCommand"] || argument["isScript"]) return "command";
  const templates = [argument, ...listOf(argument["generators"])]
    .flatMap(({ template }) => textsOf(template));
  const name = String(argument["name"] ?? "");
  const isListing = listOf(argument["generators"]).some(({ custom }) =>
    /1ApL/.test(String(custom))
  );
  if (templates.includes("filepaths") || isListing || FILE.test(name)) return "file";
  return templates.includes("folders") || FOLDER.test(name) ? "folder" : "any";
}

function argumentOf(argument: Written): ArgumentFact {
  return {
    kind: kindOf(argument),
    ...(argument["isOptional"] === true ? { isOptional: true } : {}),
    ...(argument["isVariadic"] === true ? { isVariadic: true } : {}),
  };
}

function speaksOfChange(written: Written, verbs: RegExp): { readonly changes?: true } {
  const isChange = written["isDangerous"] === true ||
    verbs.test(String(written["description"] ?? ""));
  return isChange ? { changes: true } : {};
}

function optionOf(option: Written): OptionFact {
  return {
    names: textsOf(option["name"]).map((name) => name.trim().replace(/=$/, ""))
      .filter((name) => /^-[^\s=,|!~]+$/.test(name)),
    values: listOf(option["args"]).map(argumentOf),
    ...(option["requiresSeparator"] || option["requiresEquals"] ? { isGlued: true } : {}),
    ...speaksOfChange(option, CHANGES_BY_OPTION),
  };
}

class Reader {
  readonly found: Record<string, CommandFact> = {};
  readonly #folder: URL;
  #left = 0;

  constructor(folder: URL) {
    this.#folder = folder;
  }

  /** The content of a file; undefined if it is none, or makes its content when it is asked. */
  async load(name: string): Promise<Written | undefined> {
    if (!/^[\w@+.-]+(?:\/[\w@+.-]+)*$/.test(name) || name.includes("..")) return undefined;
    try {
      const { default: written } = await import(new URL(`${name}.js`, this.#folder).href);
      return typeof written === "object" && written !== null ? written : undefined;
    } catch {
      return undefined;
    }
  }

  /** Reads a program and its sub-commands. */
  async readProgram(name: string) {
    const written = await this.load(name);
    this.#left = MAX_COMMANDS;
    if (written) await this.#read([name], written);
  }

  async #read(words: readonly string[], first: Written, above: readonly Written[] = []) {
    if (--this.#left < 0 || words.length > MAX_DEPTH) return;
    const { loadSpec } = first;
    const loaded = typeof loadSpec === "string" ? await this.load(loadSpec) : undefined;
    const written = { ...first, ...loaded };
    const options = [...listOf(written["options"]), ...above];
    const key = words.join(" ");
    if (Object.hasOwn(this.found, key)) return;
    this.found[key] = {
      options: options.map(optionOf).filter(({ names }) => names.length > 0),
      operands: listOf(written["args"]).map(argumentOf),
      ...speaksOfChange(first, CHANGES_BY_COMMAND),
    };
    const handed = options.filter(({ isPersistent }) => isPersistent === true);
    for (const sub of listOf(written["subcommands"])) {
      for (const name of textsOf(sub["name"])) {
        if (/^[\w][\w:.-]*$/.test(name)) await this.#read([...words, name], sub, handed);
      }
    }
  }
}

if (import.meta.main) {
  const [folder = "", ...names] = Deno.args;
  const reader = new Reader(pathToFileURL(`${folder}/`));
  for (const name of names) await reader.readProgram(name);
  console.log(JSON.stringify(reader.found));
}
