/** Random words of bash command lines: program names under every spelling, quotes, expansions, assignments. */
import type { Random } from "./random.ts";

/** Programs that do nothing but record their name; the first fifteen and the last seven succeed. */
export const PROGRAMS: readonly string[] = [
  ...Array.from({ length: 20 }, (_, index) => `p${index}`),
  ..."rm git ls curl cat make npm".split(" "),
];

/** The means to write one random line. */
export interface Pen {
  /** The source of its choices. */
  readonly random: Random;
  /** Bodies of here-documents that wait for the next newline. */
  readonly heres: string[];
  /** True if the line may hold parts that are known only when it runs. */
  readonly wild: boolean;
  /** A word that the shells read differently; absent for a line of bash. */
  readonly foreignWord?: (depth: number) => string;
  /** A command list with its own here-documents, as a substitution holds it. */
  inner(depth: number): string;
}

/** Ways to go on, each with its weight. */
export type Choices = readonly (readonly [weight: number, write: () => string])[];

/** One of the choices, by weight. */
export function choose({ random }: Pen, choices: Choices): string {
  let left = random.below(choices.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, write] of choices) {
    if (left < weight) return write();
    left -= weight;
  }
  return "";
}

/** True once in `times`. */
export function once({ random }: Pen, times: number): boolean {
  return random.below(times) === 0;
}

/** Between two words. */
export function blank({ random }: Pen): string {
  return random.below(12) > 0 ? " " : random.pick(["  ", "\t", " \\\n ", " \\\n"]);
}

/** The name of a program, mostly as it is, and mostly of one of which nothing is known. */
export function programName(pen: Pen): string {
  const name = pen.random.pick(once(pen, 10) ? PROGRAMS : PROGRAMS.slice(0, 20));
  return once(pen, 4) ? spelled(pen, name) : name;
}

function spelled({ random }: Pen, name: string): string {
  const [first = "", rest = ""] = [name.slice(0, 1), name.slice(1)];
  const code = first.charCodeAt(0);
  return random.pick([
    `${first}''${rest}`,
    `${first}""${rest}`,
    `\\${name}`,
    `${first}\\${rest}`,
    `'${name}'`,
    `"${name}"`,
    `"${first}"'${rest}'`,
    `$'\\x${code.toString(16)}'${rest}`,
    `$'\\${code.toString(8)}${rest}'`,
    `$'\\u00${code.toString(16)}${rest}'`,
    `$"${name}"`,
    `${first}$""${rest}`,
    `${first}\\\n${rest}`,
    `\\\n${name}`,
    `${name}''`,
    `d/${name}`,
    `./d/${name}`,
    `./d/./\\${name}`,
    `"d"/${name}`,
    `./p1`,
    `"${first}\\\n${rest}"`,
    `$'${first}\\\n${rest}'`,
  ]);
}

const PLAIN = [
  "a",
  "b",
  "-n",
  "--k=v",
  "f0",
  "0",
  "1",
  "x.c",
  "a=b",
  "%s",
  "-",
  "é",
  "a#b",
  "+",
  "^",
];
const RESERVED =
  "if then elif else fi for while until do done case esac in select function { } ! [[ ]] time coproc"
    .split(" ");
const NOISE = [
  ...[";p1", "$(p2)", "`p3`", "#", "a b", "\\", "\n", "|p4", "<<E", "${", "}", ")", "((", "é"],
  ...["\t", "*", "p5 && p6", "{", "&", "# ", "esac", "<(p7)", "!", "\\\n", "$", "~", "a"],
];
const GLOBS = ["*", "f?", "[a-c]*", "[!a]", "[]a]", "f[[:alpha:]]", "*.c", "[a", "?"];
const BRACES = ["{a,b}", "{1..3}", "{a,}", "{,a}x", "{a..c}", "{a,{b,c}}", "{}", "{a}", "{a,b"];
const TILDES = ["~", "~/x", "~+", "~-", "a:~", "~nobody/x"];
const NAMES = ["x", "y", "a", "_v"];

/** A variable's name. */
export function variable({ random }: Pen): string {
  return random.pick(NAMES);
}

/** Text in which every character with a meaning is quoted away, of an unquoted kind of trouble. */
export function noise({ random }: Pen): string {
  return random.text(NOISE, 3);
}

/** A word that stands as an argument. */
export function word(pen: Pen, depth: number): string {
  const { random } = pen;
  return choose(pen, [
    [34, () => random.pick(PLAIN)],
    [pen.foreignWord ? 10 : 0, () => pen.foreignWord?.(depth) ?? ""],
    [4, () => random.pick(RESERVED)],
    [8, () => `'${noise(pen).replaceAll("'", "")}'`],
    [12, () => `"${quotedParts(pen, depth)}"`],
    [
      3,
      () => `$'${noise(pen).replaceAll("\\", "\\\\")}${random.pick(["", "\\'", "\\n", "\\x27"])}'`,
    ],
    // In a shell such as dash, in which $' is no quote, the program is started.
    [1, () => "$'\\';p1 #'"],
    [2, () => `$"${quotedParts(pen, depth)}"`],
    [9, () => expansion(pen, depth)],
    [6, () => substitution(pen, depth)],
    [3, () => processSubstitution(pen, depth)],
    [3, () => random.pick(GLOBS)],
    [3, () => random.pick(BRACES)],
    [1, () => `{${word(pen, depth - 1)},${word(pen, depth - 1)}}`],
    [2, () => random.pick(TILDES)],
    [1, () => random.pick(["$\\\nx", '"$\\\nx"', "$\\\n(p1)", "$(\\\n(1))", "a2<(p2)"])],
    [
      2,
      () =>
        random.pick(["\\;", "\\ ", "\\#", "\\$x", '\\"', "\\'", "\\|", "\\\\", "\\(", "a\\\nb"]),
    ],
    [6, () => gluable(pen, depth) + gluable(pen, depth)],
  ]);
}

/** A word that others may touch: no process substitution in a line that shall be knowable. */
function gluable(pen: Pen, depth: number): string {
  const made = word(pen, depth - 1);
  return !pen.wild && /[<>]\(/.test(made) ? "g" : made;
}

function quotedParts(pen: Pen, depth: number): string {
  let made = "";
  for (let left = pen.random.below(4); left > 0; left--) {
    made += choose(pen, [
      [4, () => noise(pen).replaceAll(/["\\$`]/g, "\\$&")],
      [3, () => expansion(pen, depth)],
      [3, () => substitution(pen, depth)],
      [2, () => pen.random.pick(["a", " ", "'", "#", "\n", "\\\n", '\\"', "$", "{", "}", ")"])],
    ]);
  }
  return made;
}

/** `$(…)`, backticks, arithmetic. */
export function substitution(pen: Pen, depth: number): string {
  const { random } = pen;
  if (depth <= 0) return random.pick(["$(p1)", "`p2`", "$(p3 a)", "$((1))", "$(<f0)", "$( )"]);
  return choose(pen, [
    [10, () => `$(${padded(pen, pen.inner(depth - 1))})`],
    [4, () => backticks(pen.inner(depth - 1))],
    [3, () => `$((${arithmetic(pen, depth - 1)}))`],
    [1, () => `$[${arithmetic(pen, depth - 1)}]`],
    [1, () => `$((${pen.inner(0)}); ${pen.inner(0)})`],
    [1, () => `$( (${pen.inner(0)}) )`],
    [1, () => `$(# ${noise(pen).replaceAll("\n", "")}\n${pen.inner(depth - 1)}\n)`],
    [1, () => `$(${pen.inner(0)} # ${noise(pen).replaceAll("\n", "")}\n)`],
  ]);
}

/** A list begins with `(` only after a blank, or it would be arithmetic. */
function padded({ random }: Pen, list: string): string {
  return list.startsWith("(") ? ` ${list}` : random.pick(["", "", "", " ", "\n", "\t"]) + list;
}

/** A list in backticks. */
export function backticks(list: string): string {
  return `\`${list.replaceAll(/[\\`]/g, "\\$&")}\``;
}

/** `<(…)` or `>(…)`. */
export function processSubstitution(pen: Pen, depth: number): string {
  const inner = depth > 0 && !once(pen, 6) ? pen.inner(depth - 1) : pen.random.pick(["p4", ""]);
  return `${pen.random.pick(["<", "<", ">"])}(${inner})`;
}

/** `$x`, `${…}`; none that runs text of a variable. */
export function expansion(pen: Pen, depth: number): string {
  const { random } = pen;
  const name = variable(pen);
  const more = () => depth > 0 ? word(pen, depth - 1) : "w";
  return choose(pen, [
    [6, () => `$${name}`],
    [3, () => `\${${name}}`],
    [3, () => `\${${name}${random.pick([":-", "-", ":+", "+"])}${more()}}`],
    [2, () => `\${${name}${random.pick(["#", "##", "%", "%%"])}${more()}}`],
    [2, () => `\${${name}${random.pick(["/", "//", "/#", "/%"])}${more()}/${more()}}`],
    [1, () => `\${${name}:${random.pick(["1", " -1", "0:1", "$(p9):1"])}}`],
    [
      2,
      () => random.pick(["$?", "$$", "$#", "$@", "$*", "$1", "${#x}", "${10}", "$!", "$-", "${#}"]),
    ],
    [1, () => `\${${name}${random.pick(["^^", "^", ",,", "@Q", "[0]", "[@]"])}}`],
    [1, () => `\${!${name}@}`],
  ]);
}

/** The text in `$(( ))`. It reads only variables that the line does not set. */
export function arithmetic(pen: Pen, depth: number): string {
  const { random } = pen;
  const side = () => arithmetic(pen, depth - 1);
  if (depth <= 0) return random.pick(["1", "0", " 2 ", "n", "n++", "16#ff", "$(p5)", "$#", "-1"]);
  return choose(pen, [
    [4, () => side()],
    [
      3,
      () =>
        `${side()} ${
          random.pick(["+", "-", "*", "<<", "<", "&&", "||", ",", "==", "^"])
        } ${side()}`,
    ],
    [1, () => `(${side()})`],
    [1, () => `${side()} ? ${side()} : ${side()}`],
    [2, () => substitution(pen, depth)],
    [1, () => `m[${side()}]`],
    [1, () => `"${side()}"`],
  ]);
}

/** `x=…` in its forms. */
export function assignment(pen: Pen, depth: number): string {
  const { random } = pen;
  const name = variable(pen);
  const words = () => {
    let made = "";
    for (let left = random.below(3); left > 0; left--) {
      made += gluable(pen, depth) + random.pick([" ", " ", "\n", " # '\n"]);
    }
    return made;
  };
  return choose(pen, [
    [8, () => `${name}${random.pick(["=", "=", "+="])}${random.pick(["", "1", "v"])}`],
    [6, () => `${name}=${gluable(pen, depth)}`],
    [3, () => `${name}${random.pick(["=", "+="])}(${words()})`],
    [1, () => `${name}[0]=${gluable(pen, depth)}`],
    [1, () => `${name}=([1]=${gluable(pen, depth)})`],
  ]);
}
