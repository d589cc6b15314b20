/** Random bash command lines, from a grammar: every construct, nested, with here-documents that end where they should. */
import { type Random, randomFrom } from "./random.ts";
import { foreignCommand, foreignWord } from "./shell_foreign.ts";
import { isHarmless, mutated } from "./shell_mutations.ts";
import { lineEnd, newline, redirection } from "./shell_redirections.ts";
import { wildCommand } from "./shell_wild.ts";
import {
  arithmetic,
  assignment,
  blank,
  choose,
  noise,
  once,
  type Pen,
  programName,
  variable,
  word,
} from "./shell_words.ts";
import { wrapper } from "./shell_wrappers.ts";

/** Lines of bash, or with what zsh and `sh` read differently. */
export type Dialect = "bash" | "mixed";

/** The command line of a seed, always the same; nothing in it can touch what is not in its folder. */
export function randomLine(seed: number, dialect: Dialect = "bash"): string {
  const random = randomFrom(seed);
  for (;;) {
    const line = random.below(5) > 0
      ? grown(random, dialect)
      : mutated(random, grown(random, dialect), grown(random, dialect));
    if (isHarmless(line)) return line;
  }
}

function grown(random: Random, dialect: Dialect): string {
  const wild = random.below(4) === 0;
  const foreign = dialect === "mixed" && random.below(2) > 0;
  const pen = penOf(random, `${wild ? "wild" : "tame"}${foreign ? " foreign" : ""}`);
  const line = list(pen, 1 + random.below(4));
  const rest = pen.heres.length > 0
    ? newline(pen)
    : random.pick(["", "", "", "\n", ";", " &", " # '"]);
  return `${line}${rest}`;
}

function penOf(random: Random, kind: string): Pen {
  const made: Pen = {
    random,
    heres: [],
    wild: kind.startsWith("wild"),
    inner: (depth) => {
      const pen = penOf(random, kind);
      const text = list(pen, depth);
      return pen.heres.length > 0 ? text + newline(pen) : text;
    },
  };
  if (!kind.endsWith("foreign")) return made;
  const pen = { ...made, foreignWord: (depth: number) => foreignWord(pen, depth) };
  return pen;
}

/** One to three commands and what joins them; ends in the middle of a line. */
export function list(pen: Pen, depth: number): string {
  const { random } = pen;
  let made = command(pen, depth);
  for (let left = random.below(3); left > 0; left--) {
    const joint = choose(pen, [
      [8, () => random.pick([";", "; ", " ; ", " & ", "&"])],
      [6, () => random.pick([" && ", "&&", " || ", "||", " && \\\n"])],
      [4, () => random.pick([" | ", "|", " |& ", "|&", " | \\\n"])],
      [7, () => lineEnd(pen)],
      [1, () => random.pick([" &\\\n& ", " |\\\n& ", " |\\\n| ", ";\\\n"])],
      [2, () => random.pick([" &&", " ||", " |"]) + lineEnd(pen)],
    ]);
    // A here-document of `a <<E; b` would else be open where a nested scope ends.
    made += joint + command(pen, depth);
  }
  return made;
}

function command(pen: Pen, depth: number): string {
  if (depth <= 0) return simple(pen, 0);
  return choose(pen, [
    [26, () => simple(pen, depth)],
    [
      13,
      () => `${compound(pen, depth - 1)}${once(pen, 4) ? ` ${redirection(pen, depth - 1)}` : ""}`,
    ],
    [7, () => wrapper(pen, depth - 1)],
    [2, () => functionCall(pen, depth - 1)],
    [
      2,
      () =>
        `${pen.random.pick(["! ", "time ", "time -p ", "! ! ", "!\\\n "])}${
          command(pen, depth - 1)
        }`,
    ],
    [pen.wild ? 9 : 0, () => wildCommand(pen, depth - 1)],
    [pen.foreignWord ? 5 : 0, () => foreignCommand(pen, depth - 1)],
  ]);
}

/** Assignments, a name, words and redirections, these anywhere. */
function simple(pen: Pen, depth: number): string {
  const { random } = pen;
  const pieces: string[] = [];
  if (once(pen, 8)) pieces.push(redirection(pen, depth));
  for (let left = once(pen, 5) ? 1 + random.below(2) : 0; left > 0; left--) {
    pieces.push(assignment(pen, depth));
  }
  if (pieces.length === 0 || !once(pen, 3)) pieces.push(...called(pen, depth));
  return pieces.reduce((made, piece) => made + blank(pen) + piece);
}

function called(pen: Pen, depth: number): readonly string[] {
  const { random } = pen;
  const name = once(pen, 4) ? builtin(pen, depth) : programName(pen);
  const pieces = [name];
  for (let left = random.below(4); left > 0; left--) {
    pieces.push(once(pen, 7) ? redirection(pen, depth) : word(pen, depth));
  }
  return pieces;
}

function builtin(pen: Pen, depth: number): string {
  const { random } = pen;
  return choose(pen, [
    [6, () => random.pick([":", "true", "echo", "echo -n", "printf %s", "pwd", "shift", "wait"])],
    [2, () => random.pick(["false", "set -e;", "set -- a b;", "set -u;", "shopt -s extglob\n"])],
    [3, () => `[ ${word(pen, 0)} = ${word(pen, depth)} ] &&`],
    [2, () => `test -n ${word(pen, depth)};`],
    [1, () => random.pick(["cd .;", "cd d;", "cd nowhere ||", "type", "hash -r;", "exit"])],
  ]).replace(/(?<=[;&|\n])$/, ` ${random.pick(["p1", "p2", "p3"])}`);
}

/** A list with what ends it before a reserved word. */
function body(pen: Pen, depth: number): string {
  const { random } = pen;
  const begin = random.pick([" ", " ", "\n", "\t"]);
  const inner = list(pen, depth);
  return `${begin}${inner}${random.below(3) > 0 ? "; " : lineEnd(pen)}`;
}

function compound(pen: Pen, depth: number): string {
  const { random } = pen;
  const loop = () => `do${body(pen, depth)}${random.pick(["", "", "break; "])}done`;
  return choose(pen, [
    [
      4,
      () =>
        `(${random.pick(["", " ", "\n"])}${spaced(list(pen, depth))}${
          once(pen, 4) ? lineEnd(pen) : ""
        })`,
    ],
    [4, () => `{${body(pen, depth)}}`],
    [3, () => `if${body(pen, depth)}then${body(pen, depth)}fi`],
    [
      2,
      () =>
        `if${body(pen, 0)}then${body(pen, depth)}elif${body(pen, 0)}then${body(pen, 0)}else${
          body(pen, depth)
        }fi`,
    ],
    [
      3,
      () =>
        `for ${variable(pen)} in ${word(pen, depth)} ${word(pen, 0)}${
          once(pen, 2) ? ";" : newline(pen)
        } ${loop()}`,
    ],
    [1, () => `for ${variable(pen)}${random.pick([" ", ";", "\n", " in;"])} ${loop()}`],
    [
      1,
      () =>
        `for ((n=0; n<2; n++${once(pen, 3) ? `, ${arithmetic(pen, depth)}` : ""}))${
          random.pick([";", "\n", " "])
        } ${loop()}`,
    ],
    [
      2,
      () => `${random.pick(["while", "until"])}${body(pen, depth)}do${body(pen, depth)}break; done`,
    ],
    [4, () => caseOf(pen, depth)],
    [1, () => `select ${variable(pen)} in a b; ${loop()}`],
    [3, () => `[[ ${test(pen, depth)} ]]`],
    [2, () => `((${arithmetic(pen, depth)}))`],
    [1, () => `((${list(pen, 0)}); ${list(pen, 0)})`],
  ]);
}

/** Kept from becoming `((`. */
function spaced(text: string): string {
  return text.startsWith("(") ? ` ${text}` : text;
}

function caseOf(pen: Pen, depth: number): string {
  const { random } = pen;
  const pattern = () =>
    random.pick([
      "a",
      "*",
      '"a"',
      "a|b",
      "[ab]",
      "?",
      "a\\)",
      "'('",
      "@(a|b)",
      "$x",
      `"${noise(pen).replaceAll(/["\\$`]/g, "")}"`,
      "$(p8)",
      "(a",
      "(esac",
      "( * ",
    ]);
  const clause = () => {
    const start = `${random.pick([" ", "\n", "\t"])}${pattern()})`;
    const end = random.pick([";;", ";;", ";&", ";;&", "\n;;"]);
    return once(pen, 8) ? `${start} ${end}` : `${start} ${list(pen, depth)} ${end}`;
  };
  let clauses = clause();
  for (let left = random.below(3); left > 0; left--) clauses += clause();
  return `case ${random.pick(["a", "a", "b", word(pen, depth)])} in${clauses}${
    random.pick([" ", "\n"])
  }esac`;
}

function test(pen: Pen, depth: number): string {
  const { random } = pen;
  const side = () => random.pick(["a", "b", '"a b"', word(pen, depth)]);
  return choose(pen, [
    [3, () => `${side()} ${random.pick(["==", "=", "!=", "<", ">"])} ${side()}`],
    [
      1,
      () =>
        `${side()} =~ ${
          random.pick(["a|b", "(a|b)c", "^[ab]$", '"a"', "$x", "[[:space:]]", "a(b)"])
        }`,
    ],
    [2, () => `${random.pick(["-n", "-z", "-f", "!"])} ${side()}`],
    [1, () => `${random.pick(["1", "$#"])} -eq ${random.pick(["1", "$(p9)"])}`],
    [1, () => `a == ${random.pick(["@(a|b)", "!(x)", "*", "+([a-z])", "a\\ b", "?(a)*"])}`],
    [2, () => `${test(pen, 0)} ${random.pick(["&&", "||", "&&\n"])} ${test(pen, 0)}`],
    [1, () => `( ${test(pen, 0)} )`],
  ]);
}

function functionCall(pen: Pen, depth: number): string {
  const { random } = pen;
  const name = random.pick(["u", "u", "v-w", "rm", "p3", "u.v"]);
  const head = random.pick([
    `${name}()`,
    `${name} ()`,
    `function ${name}`,
    `function ${name}()`,
    `${name} ( )\n`,
  ]);
  const text = choose(pen, [
    [6, () => `{${body(pen, depth)}}`],
    [2, () => `( ${list(pen, depth)} )`],
    [2, () => compound(pen, depth)],
  ]);
  const redirected = once(pen, 5) ? ` ${redirection(pen, 0)}` : "";
  return `${head} ${text}${redirected}${once(pen, 3) ? newline(pen) : "; "}${name} ${word(pen, 0)}`;
}
