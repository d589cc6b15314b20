/** Random command lines about few words, so that rules often fit: quoted, wrapped, joined, with variables and files. */
import denied from "../cases/shell/corpus/denied.json" with { type: "json" };
import ordinary from "../cases/shell/corpus/ordinary.json" with { type: "json" };
import { readLine } from "../../lib/shell/read_line.ts";
import fc from "./seeded.ts";

const { array, constantFrom, oneof, tuple } = fc;

/** Names of programs that random rules speak of, and others. */
const NAMES = ["git", "rm", "ls", "a", "GIT", "Key", "curl", "cat"];
const ARGUMENTS = ["push", "-rf", "a", "status", "rm", "git", "origin", "src/a", ".env", "ls"];
const FILES = ["a", "src/a", "secrets/b", ".env", "/etc/a", "~/a", "/dev/null"];

/** The ways to spell a word without making it another. */
export const SPELLINGS: Readonly<Record<string, (word: string) => string>> = {
  "single quotes": (word) => `'${word}'`,
  "double quotes": (word) => `"${word}"`,
  "a backslash": (word) => `\\${word}`,
  "empty quotes inside": (word) => `${word[0]}''${word.slice(1)}`,
  "a part in quotes": (word) => `${word[0]}"${word.slice(1)}"`,
  "its first letter in hexadecimal": (word) =>
    `$'\\x${word.charCodeAt(0).toString(16).padStart(2, "0")}${word.slice(1)}'`,
  "a line that goes on": (word) => `${word[0]}\\\n${word.slice(1)}`,
};

/** The wrappers of a simple command; a wrapper may wrap another. */
export const BEFORE: Readonly<Record<string, (command: string) => string>> = {
  "sudo": (command) => `sudo ${command}`,
  "sudo with options": (command) => `sudo -n -u root ${command}`,
  "env": (command) => `env ${command}`,
  "env with a variable": (command) => `env A=1 ${command}`,
  "timeout": (command) => `timeout 5 ${command}`,
  "nice": (command) => `nice -n 5 ${command}`,
  "command": (command) => `command ${command}`,
  "xargs": (command) => `xargs ${command}`,
  "find -exec": (command) => `find . -exec ${command} \\;`,
};

/** The prefixes and spellings of a simple command that no wrapper runs. */
export const FRONT: Readonly<Record<string, (command: string) => string>> = {
  "an assignment": (command) => `A=1 ${command}`,
  "a folder": (command) => `/bin/${command}`,
  "a redirection": (command) => `2>/dev/null ${command}`,
  "blanks": (command) => `  ${command.replaceAll(" ", "   ")}  `,
};

/** The constructs that run any line as a whole. */
export const AROUND: Readonly<Record<string, (line: string) => string>> = {
  "bash -c": (line) => `bash -c ${singleQuoted(line)}`,
  "sh -ec": (line) => `sh -ec ${singleQuoted(line)}`,
  "eval": (line) => `eval ${singleQuoted(line)}`,
  "a substitution": (line) => `echo "$(${line}\n)"`,
  "a subshell": (line) => `( ${line}\n)`,
  "a group": (line) => `{ ${line}\n}`,
  "a condition": (line) => `if ${line}\nthen :; fi`,
  "a loop": (line) => `while ${line}\ndo break; done`,
  "a process substitution": (line) => `cat <( ${line}\n)`,
  "a function": (line) => `zq() { ${line}\n}; zq`,
};

/** Text as one word in single quotes. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Simple commands of few plain words. */
export const plainCommand: fc.Arbitrary<string> = tuple(
  constantFrom(...NAMES),
  array(constantFrom(...ARGUMENTS), { maxLength: 3 }),
).map(([name, words]) => [name, ...words].join(" "));

const spelling = constantFrom(...Object.values(SPELLINGS));
const spelledWord = oneof(
  { weight: 4, arbitrary: constantFrom(...ARGUMENTS) },
  tuple(constantFrom(...ARGUMENTS), spelling).map(([word, spell]) => spell(word)),
  constantFrom(
    "$x",
    '"$x"',
    '"$@"',
    "$(git push)",
    "`rm a`",
    "*",
    ".en*",
    "{a,b}",
    "a{b,c}",
    "~",
    "--",
  ),
);
const spelledName = oneof(
  { weight: 4, arbitrary: constantFrom(...NAMES) },
  tuple(constantFrom(...NAMES), spelling).map(([name, spell]) => spell(name)),
  constantFrom("$x", "{git,push}", "g*", "echo", "cd", "test", "awk", "sed"),
);
const redirection = tuple(
  constantFrom(">", ">>", "<", "2>", "&>", "> "),
  oneof(constantFrom(...FILES), constantFrom("$x", '"a"', "$(rm a)", "&1")),
).map((parts) => parts.join(""));
const simple = tuple(
  spelledName,
  array(spelledWord, { maxLength: 3 }),
  constantFrom(" ", "  ", "\t"),
  oneof({ weight: 4, arbitrary: constantFrom("") }, redirection.map((text) => ` ${text}`)),
).map(([name, words, blank, redirected]) => [name, ...words].join(blank) + redirected);

const wrapped = tuple(
  oneof({ weight: 3, arbitrary: simple }, plainCommand),
  array(constantFrom(...Object.values(BEFORE)), { maxLength: 2 }),
  array(constantFrom(...Object.values(FRONT)), { maxLength: 1 }),
  array(constantFrom(...Object.values(AROUND)), { maxLength: 1 }),
).map(([command, before, front, around]) =>
  [...before, ...front, ...around].reduce((line, wrap) => wrap(line), command)
);

/** The joints of two lines that both run. */
export const JOINTS: readonly string[] = ["; ", " && ", " || ", " | ", " |& ", " & ", "\n", ";"];

/** Command lines of one to three commands. */
export const anyLine: fc.Arbitrary<string> = oneof(
  { weight: 4, arbitrary: wrapped },
  { weight: 2, arbitrary: tuple(wrapped, constantFrom(...JOINTS), wrapped).map(joined) },
  { weight: 1, arbitrary: simple },
  tuple(wrapped, constantFrom(...JOINTS), wrapped, constantFrom(...JOINTS), simple).map(joined),
  tuple(plainCommand, constantFrom("'", '"', "$(", "(", "\uF8FF", "\0", ")", "<<E\na", "# a"))
    .map(([command, odd]) => `${command} ${odd}`),
);

function joined(parts: readonly string[]): string {
  return parts.join("");
}

/** Lines of the corpus that stand on one row, end where they end, and neither change folders nor set anything. */
export const CORPUS: readonly string[] = [...ordinary.cases, ...denied.cases]
  .map(({ command }) => command)
  .filter((command) => isSelfContained(command));

/** Simple commands of the corpus: a program and its words, nothing in front, nothing behind. */
export const CORPUS_COMMANDS: readonly string[] = CORPUS.filter((command) =>
  /^[a-z][\w.-]*(?: [\w./:=@%+,^-]+)*$/.test(command) && !isReserved(command)
);

function isSelfContained(command: string): boolean {
  if (
    /[\n#]|<<|\\$|^\s|\s$|\b(?:cd|pushd|popd|exit|exec|return|break|alias|trap)\b/.test(command)
  ) {
    return false;
  }
  // A line that cannot be parsed is unknowable as a whole.
  return readLine(command).effects.every(({ kind, text }) => kind !== "opaque" || text !== command);
}

function isReserved(command: string): boolean {
  return /^(?:if|for|while|until|case|select|function|time|coproc|in|do|done|then|fi)\b/.test(
    command,
  );
}
