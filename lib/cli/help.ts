import { COLUMNS, wrapped } from "../report/layout.ts";
import { textWidth } from "../text/visible.ts";
import { EVERYWHERE } from "./args/flags.ts";
import { DONE, ERROR_MEANINGS, type ExitMeaning } from "./errors/errors.ts";
import { FAMILY, type Flag, flagUsage, type Verb, verbName } from "./args/verb.ts";

/** Help for `caliban`, or for `caliban perms` when that is what the line begins with; ends in a newline. */
export function generalHelp(argv: readonly string[], verbs: readonly Verb[]): string {
  const family = argv[0] === FAMILY;
  const rules = verbs.filter(({ path }) => path[0] === FAMILY);
  const others = verbs.filter(({ path }) => path[0] !== FAMILY);
  const example = (rules[0] ?? verbs[0])?.examples[0]?.command ?? "";
  return text([
    ...paragraph(
      "caliban decides whether a coding agent may make a tool call: allow, deny or ask.",
      0,
    ),
    "",
    `Usage: caliban ${family ? "perms " : ""}<verb> [flags]`,
    ...section(`Rules ("${FAMILY}" is optional)`, columns(rules.map(verbRow))),
    ...(family ? [] : section("Others", columns(others.map(verbRow)))),
    ...section("Global flags", flagRows(EVERYWHERE)),
    ...section("Example", [`  ${example}`]),
    ...section("Exit status", statusRows(allStatuses(verbs))),
    "",
    'Run "caliban <verb> --help" or "caliban help <verb>" for more about a verb.',
  ]);
}

/** Help for one verb, `loaded` being what its `loadDetails` gives; ends in a newline. */
export function verbHelp(verb: Verb, loaded: readonly string[] = []): string {
  return text([
    ...paragraph(`${verbName(verb)}: ${verb.summary}`, 0),
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
    ...section("Flags", flagRows([...verb.flags, ...EVERYWHERE])),
    ...section(
      verb.examples.length === 1 ? "Example" : "Examples",
      verb.examples.flatMap(
        ({ command, says }) => [
          ...command.split("\n").map((line) => `  ${line}`),
          ...paragraph(says, 6),
        ],
      ),
    ),
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

function verbRow(verb: Verb): readonly [string, string] {
  return [verb.path.join(" "), verb.summary];
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
