import { EVERYWHERE } from "../../lib/cli/args/flags.ts";
import { FAMILY, type Flag, takesValue, type Verb } from "../../lib/cli/args/verb.ts";
import { DONE, ERROR_MEANINGS, type ExitMeaning } from "../../lib/cli/errors/errors.ts";
import { SOURCES } from "../../lib/policy/sources/source_order.ts";
import { wrapped } from "../../lib/report/layout.ts";

/** The variables that the program reads, and what each is for. */
export const VARIABLES: Readonly<Record<string, string>> = {
  CALIBAN_RULES: "A file of rules with priority over the workspace's, as --rules names it.",
  CALIBAN_DEFAULT_PERMISSION_MODE:
    "The mode, as --permission-mode names it. For a hook only plan counts.",
  CALIBAN_AUTO_ALLOW:
    "With 1, every question is answered with allow, as with --auto-allow. It counts for no hook.",
  CALIBAN_DISABLE_AUTO_MODE: "With 1, auto mode consults neither a model nor its lists.",
  CALIBAN_MANAGED_FILE: "The absolute path of a managed policy beside that of the machine.",
  CALIBAN_DEBUG: "With 1, a bug in caliban is shown with its stack.",
  XDG_CONFIG_HOME: "The folder of your own policy; ~/.config where it is not set.",
  XDG_STATE_HOME:
    "The folder of the audit log and of the record of trust; ~/.local/state where it is not set.",
  XDG_DATA_HOME: "The folder of the copy that hooks start; ~/.local/share where it is not set.",
  NO_COLOR: "If it is set, output has no colour.",
  FORCE_COLOR:
    "If it is set, output has colour without a terminal too; 0 and false switch colour off.",
  CLICOLOR_FORCE: "If it is set and not 0, output has colour without a terminal too.",
};

/** Facts about the page. */
interface Page {
  readonly version: string;
  /** The day of the version: `2026-11-23`. */
  readonly date: string;
}

/** The manual page of the program, in mdoc; ends in a newline. */
export async function manPage(verbs: readonly Verb[], { version, date }: Page): Promise<string> {
  const commands = await Promise.all(verbs.map(command));
  return [
    `.Dd ${mdocDate(date)}`,
    ".Dt CALIBAN 1",
    ".Os",
    ".Sh NAME",
    ".Nm caliban",
    ".Nd decide whether a coding agent may make a tool call",
    ".Sh SYNOPSIS",
    ...verbs.flatMap((verb) => [".Nm", ...synopsis(verb)]),
    ".Sh DESCRIPTION",
    ".Nm",
    ...prose("decides whether a coding agent may make a tool call: allow, deny or ask."),
    ...prose(
      `Policy is a TOML file in git; every verdict names its rule, the file and the line. The word ${FAMILY} may be left out.`,
    ),
    ".Sh COMMANDS",
    ...commands.flat(),
    ".Sh GLOBAL OPTIONS",
    ...items(EVERYWHERE.map((flag) => [flagItem(flag), `${flag.summary}.`])),
    ".Sh ENVIRONMENT",
    ...items(Object.entries(VARIABLES).map(([name, says]) => [`.It Ev ${name}`, says])),
    ".Sh FILES",
    ...prose("Rules come from these sources, highest first."),
    ...items(
      SOURCES.map((
        { kind, title, where },
      ) => [`.It ${kind}`, `${sentence(title)} Where: ${where}.`]),
    ),
    ".Sh EXIT STATUS",
    ...prose("The status of a verb that has its own stands with it. For every verb:"),
    ...statuses([...DONE, ...ERROR_MEANINGS]),
    ".Sh SEE ALSO",
    ...prose(
      `The documents in the folder docs of the package, and caliban help. This is version ${version}.`,
    ),
  ].join("\n") + "\n";
}

async function command(verb: Verb): Promise<readonly string[]> {
  const details = [...await verb.loadDetails?.() ?? [], ...verb.details ?? []];
  const flags = verb.flags.map((flag) => [flagItem(flag), `${flag.summary}.`] as const);
  const operands = verb.operands.map(({ name, summary, choices }) => {
    const words = choices === undefined ? "" : ` One of ${choices.join(", ")}.`;
    return [`.It Ar ${name}`, `${summary}.${words}`] as const;
  });
  return [
    `.Ss ${verb.path.join(" ")}`,
    ...prose(`${verb.summary}.`),
    ...details.flatMap((text) => [".Pp", ...prose(text)]),
    ...items([...operands, ...flags]),
    ...(verb.statuses === undefined ? [] : [".Pp", "Exit status:", ...statuses(verb.statuses)]),
    ...verb.examples.flatMap(({ command, says }) => [
      ".Pp",
      ...prose(`${sentence(says)}`.replace(/\.$/, ":")),
      ".Bd -literal -offset indent",
      ...command.split("\n").map(text),
      ".Ed",
    ]),
  ];
}

/** The words of a verb behind the program's name, as macros. */
function synopsis({ path, operands }: Verb): readonly string[] {
  return [
    `.Cm ${path.join(" ")}`,
    ...operands.map(({ name, optional, repeatable }) => {
      const word = `Ar ${name}${repeatable ? " ..." : ""}`;
      return optional ? `.Op ${word}` : `.${word}`;
    }),
    ".Op Ar options",
  ];
}

function flagItem(flag: Flag): string {
  const { name, short, value, choices = [] } = flag;
  const head = short === undefined ? ".It" : `.It Fl ${short} , `;
  if (!takesValue(flag)) return `${head} Fl \\-${name}`.replace("  ", " ");
  const words = value ?? choices.map(text).join(" | ");
  return `${head} Fl \\-${name} Ar ${words}`.replace("  ", " ");
}

function statuses(rows: readonly ExitMeaning[]): readonly string[] {
  return items(rows.map(({ status, meaning }) => [`.It ${status}`, sentence(meaning)]));
}

/** A list of terms, each with its macro line, and what they mean; nothing when there are none. */
function items(rows: readonly (readonly [string, string])[]): readonly string[] {
  if (rows.length === 0) return [];
  const body = rows.flatMap(([term, says]) => [term, ...prose(says)]);
  return [".Bl -tag -width Ds", ...body, ".El"];
}

/** Text as lines of the page: each sentence begins a line, as mdoc wants it. */
function prose(paragraph: string): readonly string[] {
  return paragraph.split(/(?<=[a-z0-9"')\]][.!?:]) (?=[A-Z"])/).flatMap((each) =>
    wrapped(each, 68).map(text)
  );
}

/** A line of text in which nothing is a request, and what people paste stays ASCII. */
function text(line: string): string {
  const escaped = line.replaceAll("\\", "\\e").replaceAll(NAME, HELD + "$&")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq").replaceAll("`", "\\(ga").replaceAll("~", "\\(ti")
    .replaceAll("^", "\\(ha").replaceAll("\u2026", "...").replaceAll(HELD, "\\%");
  return escaped.startsWith(".") ? `\\&${escaped}` : escaped;
}

/** A name, path or flag, which is broken at no hyphen: it could be pasted. */
const NAME = /(?<!\S)(?=\S*[_/=.-]\S*[a-z0-9])\S+/gi;

/** The mark of such a word while its line is escaped. */
const HELD = "\x00";

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, "")}.`;
}

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July", "August", "September"],
  ...["October", "November", "December"],
];

function mdocDate(date: string): string {
  const [year, month, day] = date.split("-").map(Number);
  return `${MONTHS[month! - 1]} ${day}, ${year}`;
}
