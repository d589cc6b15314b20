import { EVERYWHERE } from "./common_flags.ts";
import { DONE, ERROR_MEANINGS } from "./exit_status.ts";
import type { ExitMeaning } from "./exit_status.ts";
import { FAMILY } from "./find_verb.ts";
import { flagUsage } from "./flag.ts";
import type { Flag } from "./flag.ts";
import { columns, paragraph } from "./layout.ts";
import { VERBS } from "./registry.ts";
import type { Verb } from "./verb.ts";
import { verbName } from "./verb.ts";

/** Help for `caliban`, or for `caliban perms` when that is what the line begins with; ends in a newline. */
export function generalHelp(argv: readonly string[]): string {
  const family = argv[0] === FAMILY;
  const rules = VERBS.filter(({ path }) => path[0] === FAMILY);
  const others = VERBS.filter(({ path }) => path[0] !== FAMILY);
  const example = (rules[0] ?? VERBS[0])?.examples[0]?.command ?? "";
  return text([
    ...paragraph(
      "caliban decides whether a coding agent may make a tool call: allow, deny or ask.",
      0,
    ),
    "",
    `Usage: caliban ${family ? "perms " : ""}<verb> [flags]`,
    ...section(`Rules ("${FAMILY}" can be left out)`, columns(rules.map(verbRow))),
    ...(family ? [] : section("Others", columns(others.map(verbRow)))),
    ...section("Flags of every verb", flagRows(EVERYWHERE)),
    ...section("Example", [`  ${example}`]),
    ...section("Exit status", statusRows(allStatuses())),
    "",
    'Run "caliban <verb> --help" or "caliban help <verb>" for more about a verb.',
  ]);
}

/** Help for one verb; ends in a newline. */
export function verbHelp(verb: Verb): string {
  return text([
    ...paragraph(`${verbName(verb)}: ${verb.summary}`, 0),
    "",
    ...paragraph(`Usage: ${usage(verb)}`, 0),
    ...(verb.details ?? []).flatMap((details) => ["", ...paragraph(details, 0)]),
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

/** How a verb is called: `caliban perms check <tool> [input] [flags]`. */
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
function allStatuses(): readonly ExitMeaning[] {
  const own = VERBS.flatMap(({ path, statuses }) =>
    (statuses ?? []).map(({ status, meaning }) => ({
      status,
      meaning: `${path.at(-1)}: ${meaning}`,
    }))
  );
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
