/** Random redirections, here-documents among them, whose bodies wait for the line's next newline. */
import {
  backticks,
  blank,
  choose,
  noise,
  once,
  type Pen,
  substitution,
  word,
} from "./shell_words.ts";

/** A redirection of any kind. */
export function redirection(pen: Pen, depth: number): string {
  const { random } = pen;
  const file = () => random.pick(["f0", "f1", "f2", '"f3"', "f''4", "/dev/null", "/dev/null"]);
  const gap = () => random.pick(["", "", " ", "\t", "\\\n"]);
  return choose(pen, [
    [
      5,
      () =>
        `${random.pick([">", ">>", "2>", ">|", "&>", "&>>", ">&", "1<>", "3>"])}${gap()}${file()}`,
    ],
    [3, () => `<${gap()}${file()}`],
    [4, () => random.pick(["2>&1", ">&2", "3<&0", "3<&-", "2>&-", "1>&2", "4>&1-", ">& 2"])],
    [1, () => `{fd}${random.pick([">", "<", ">>"])}${gap()}${file()}`],
    [2, () => `<<<${gap()}${word(pen, depth - 1)}`],
    [1, () => random.pick([">&-p5", "<&-p6", "2>&1p7", "3<(p8)", "2>&1 2>&-", "<&-#"])],
    [1, () => `${random.pick(["< <(", "> >("])}${depth > 0 ? pen.inner(depth - 1) : "p6"})`],
    [4, () => hereDocument(pen, depth)],
  ]);
}

/** The delimiter as written, as it ends the body, and whether the body is taken as it is. */
const DELIMITERS = [
  ["E", "E", ""],
  ["E", "E", ""],
  ["EOF", "EOF", ""],
  ["'E'", "E", "quoted"],
  ['"E"', "E", "quoted"],
  ["\\E", "E", "quoted"],
  ['E"O"F', "EOF", "quoted"],
  ["$'E'", "E", "quoted"],
  ["'E F'", "E F", "quoted"],
  ["E\\\nF", "EF", ""],
  ["$E", "$E", ""],
  ["''", "", "quoted"],
] as const;

/** `<<E`; the body is put with those that wait. */
export function hereDocument(pen: Pen, depth: number): string {
  const { random } = pen;
  const [written, end, quoted] = random.pick(DELIMITERS);
  const operator = random.pick(["<<", "<<", "<<-"]);
  let body = "";
  for (let left = random.below(4); left > 0; left--) {
    const line = quoted === "quoted" || once(pen, 2) ? noise(pen) : bodyLine(pen, depth);
    if (line !== end) body += `${random.pick(["", "", "\t"])}${line}\n`;
  }
  if (quoted === "") body = body.replace(/\\\n$/, "\n");
  const tabs = operator === "<<-" ? random.pick(["", "\t", "\t\t"]) : "";
  pen.heres.push(once(pen, 40) ? body : `${body}${tabs}${end}\n`);
  return `${random.pick(["", "", "", "3"])}${operator}${random.pick(["", "", " "])}${written}`;
}

function bodyLine(pen: Pen, depth: number): string {
  const { random } = pen;
  return choose(pen, [
    [4, () => `a ${substitution(pen, depth - 1)} b`],
    [1, () => backticks(pen.inner(0))],
    [
      2,
      () =>
        random.pick(["$x", "\\$(p1)", "E ", " E", "\\`p2\\`", "${x:-$(p3)}", "$((1+$(p4)))", "'"]),
    ],
    [1, () => `"${substitution(pen, 0)}`],
    [1, () => "a \\\nb"],
    [1, () => `$(p7 # ${random.pick(["'", ")", "\\"])}\n)`],
  ]);
}

/** A newline, and the bodies of the here-documents that wait for it. */
export function newline({ heres }: Pen): string {
  return `\n${heres.splice(0).join("")}`;
}

/** A newline, perhaps with a comment before it. */
export function lineEnd(pen: Pen): string {
  const comment = () =>
    pen.random.pick([" #", " # a", " # it's", " # $(p8", ' #"', " # `", " # \\", "# <<E"]);
  const more = once(pen, 8) ? `${blank(pen).trimEnd()} # b\n` : "";
  return `${once(pen, 4) ? comment() : ""}${newline(pen)}${more}`;
}
