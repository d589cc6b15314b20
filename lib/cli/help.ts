import { COLUMNS, wrapped } from "../report/layout.ts";
import { textWidth } from "../text/visible.ts";
import { EVERYWHERE } from "./args/flags.ts";
import { DONE, ERROR_MEANINGS, type ExitMeaning } from "./errors/errors.ts";
import {
  type Example,
  FAMILY,
  type Flag,
  flagUsage,
  type Verb,
  verbName,
  type VerbStep,
} from "./args/verb.ts";

/** The groups of verbs that `caliban` alone shows. */
const STEPS: readonly (readonly [step: VerbStep, heading: string])[] = [
  ["start", "Start here"],
  ["ask", "Ask"],
  ["keep", "Keep a policy in shape"],
];

/** The topics of `caliban help` that are no verb. */
export const TOPICS: readonly string[] = ["--all", "exit-statuses"];

/**
 * Help for `caliban` in one screen, or for the words behind `help`: `--all`, `exit-statuses`, the first word of several verbs.
 * Ends in a newline.
 */
export function generalHelp(words: readonly string[], verbs: readonly Verb[]): string {
  if (words.includes("--all")) return fullHelp(verbs);
  if (words[0] === "exit-statuses") {
    return text(["Exit statuses of caliban:", "", ...statusRows(allStatuses(verbs))]);
  }
  const group = verbs.filter(({ path }) => path[0] === words[0]);
  return words[0] === undefined || group.length === 0
    ? firstHelp(verbs)
    : groupHelp(words[0], group);
}

const INTRODUCTION =
  "caliban decides whether a coding agent may make a tool call: allow, deny or ask.";

/** The first screen: at most 24 lines of 80 columns. */
function firstHelp(verbs: readonly Verb[]): string {
  const groups = STEPS.map(([step, heading]) => ({
    heading,
    rows: verbs.flatMap((verb) => verb.step === step ? [shortRow(verb)] : []),
  }));
  const width = Math.max(0, ...groups.flatMap(({ rows }) => rows.map(([name]) => name.length)));
  const example = verbs.find(({ step }) => step === "ask")?.examples[0]?.command ?? "";
  return text([
    INTRODUCTION,
    "",
    "Usage: caliban <verb> [flags]",
    ...groups.flatMap(({ heading, rows }) =>
      section(heading, rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`))
    ),
    "",
    `Example: ${example}`,
    "",
    `More:    caliban help VERB; caliban help --all; caliban help exit-statuses`,
  ]);
}

/** Every verb, the global flags and the exit statuses. */
function fullHelp(verbs: readonly Verb[]): string {
  const rules = verbs.filter(({ path }) => path[0] === FAMILY);
  const others = verbs.filter(({ path }) => path[0] !== FAMILY);
  return text([
    INTRODUCTION,
    "",
    "Usage: caliban <verb> [flags]",
    ...section(`Rules ("${FAMILY}" is optional)`, columns(rules.map(verbRow))),
    ...section("Others", columns(others.map(verbRow))),
    ...section("Global flags", flagRows(EVERYWHERE)),
    ...section("Exit status", statusRows(allStatuses(verbs))),
    "",
    'Run "caliban <verb> --help" or "caliban help <verb>" for more about a verb.',
  ]);
}

/** The verbs that begin with one word. */
function groupHelp(word: string, verbs: readonly Verb[]): string {
  const note = word === FAMILY ? ` (the word "${FAMILY}" is optional)` : "";
  return text([
    `Usage: caliban ${word} <verb> [flags]${note}`,
    ...section("Verbs", columns(verbs.map(verbRow))),
    ...section("Example", exampleLines(verbs[0]?.examples.slice(0, 1) ?? [])),
    "",
    `Run "caliban help ${word} VERB" for more about a verb.`,
  ]);
}

/** Help for one verb, `loaded` being what its `loadDetails` gives; ends in a newline. */
export function verbHelp(verb: Verb, loaded: readonly string[] = []): string {
  return text([
    ...paragraph(`${verbName(verb)}: ${verb.summary}`, 0),
    ...section(verb.examples.length === 1 ? "Example" : "Examples", exampleLines(verb.examples)),
    "",
    ...paragraph(`Usage: ${usage(verb)}`, 0),
    ...[...loaded, ...(verb.details ?? [])].flatMap((details) => ["", ...paragraph(details, 0)]),
    ...section(
      "Operands",
      columns(verb.operands.map(({ name, summary, choices }) => {
        const words = choices === undefined ? "" : ` (${choices.join(", ")})`;
        return [name, `${summary}${words}`];
      })),
    ),
    ...section("Flags", flagRows(dangerousLast([...verb.flags, ...EVERYWHERE]))),
    ...section("Exit status", statusRows(verb.statuses ?? DONE)),
  ]);
}

/** The usage line of a verb: `caliban perms check <tool> [input] [flags]`. */
export function usage(verb: Verb): string {
  const operands = verb.operands.map(({ name, optional, repeatable }) => {
    const word = repeatable ? `${name}…` : name;
    return optional ? `[${word}]` : `<${word}>`;
  });
  return [verbName(verb), ...operands, "[flags]"].join(" ");
}

function exampleLines(examples: readonly Example[]): readonly string[] {
  return examples.flatMap(({ command, says }) => [
    ...command.split("\n").map((line) => `  ${line}`),
    ...paragraph(says, 6),
  ]);
}

/** A verb with its summary as the first screen shows it: without the word that is optional. */
function shortRow(verb: Verb): readonly [string, string] {
  return [(verb.path[0] === FAMILY ? verb.path.slice(1) : verb.path).join(" "), verb.summary];
}

function verbRow(verb: Verb): readonly [string, string] {
  return [verb.path.join(" "), verb.summary];
}

/** The flags with those at the end whose summary warns of them. */
function dangerousLast(flags: readonly Flag[]): readonly Flag[] {
  const isDangerous = ({ summary }: Flag) => summary.startsWith("Dangerous:");
  return [...flags.filter((flag) => !isDangerous(flag)), ...flags.filter(isDangerous)];
}

function flagRows(flags: readonly Flag[]): readonly string[] {
  return columns(flags.map((flag) => [flagUsage(flag), flag.summary]));
}

/** The statuses of every verb that has its own, and what is left to the others. */
function allStatuses(verbs: readonly Verb[]): readonly ExitMeaning[] {
  const own = verbs.flatMap(({ path, statuses }) => {
    const name = (path[0] === FAMILY ? path.slice(1) : path).join(" ");
    return (statuses ?? []).map(({ status, meaning }) => ({
      status,
      meaning: `${name}: ${meaning}`,
    }));
  });
  const others = DONE.map(({ status, meaning }) => ({ status, meaning: `others: ${meaning}` }));
  return [...own, ...(own.length === 0 ? DONE : others)];
}

function statusRows(own: readonly ExitMeaning[]): readonly string[] {
  return columns([...own, ...ERROR_MEANINGS].map(({ status, meaning }) => [`${status}`, meaning]));
}

/** A blank line, a heading and its lines; nothing when there are none. */
function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `${heading}:`, ...lines];
}

function text(lines: readonly string[]): string {
  return lines.join("\n") + "\n";
}

/** A paragraph, every line indented by `indent` blanks. */
export function paragraph(text: string, indent: number): readonly string[] {
  return wrapped(text, COLUMNS - indent).map((line) => `${" ".repeat(indent)}${line}`.trimEnd());
}

/** Rows of a term and what it means: the meanings aligned, below their term where that is too long. */
function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const longest = 26;
  const fitting = rows.map(([term]) => textWidth(term)).filter((width) => width <= longest);
  const width = Math.max(0, ...fitting);
  return rows.flatMap(([term, meaning]) => {
    const [first = "", ...rest] = paragraph(meaning, width + 4);
    if (textWidth(term) > width) return [`  ${term}`, first, ...rest];
    return [`  ${term}${" ".repeat(width - textWidth(term))}  ${first.trimStart()}`, ...rest];
  });
}
