/** Programs and builtins that run another command, which stands in the line: as words or as quoted text. */
import { newline } from "./shell_redirections.ts";
import { blank, choose, once, type Pen, programName, word } from "./shell_words.ts";

/** A command that runs a command. */
export function wrapper(pen: Pen, depth: number): string {
  return choose(pen, [
    [9, () => beforeWords(pen) + wrapped(pen, depth)],
    [
      4,
      () =>
        `${shell(pen)} -c${blank(pen)}${quoted(pen, pen.inner(depth))}${
          once(pen, 3) ? " a b" : ""
        }`,
    ],
    [3, () => `eval${blank(pen)}${quoted(pen, pen.inner(depth))}`],
    [1, () => `eval ${quoted(pen, programName(pen))} ${quoted(pen, `a; ${pen.inner(0)}`)}`],
    [1, () => `eval ${programName(pen)} a`],
    [
      1,
      () =>
        `find . -maxdepth 0 -exec ${wrapped(pen, depth)} {} ${
          pen.random.pick(["\\;", "';'", "+"])
        }`,
    ],
    [1, () => `find . -maxdepth 0 -exec ${shell(pen)} -c ${quoted(pen, pen.inner(0))} \\;`],
    [2, () => scriptFromText(pen, depth)],
    [1, () => `env -S ${quoted(pen, `${pen.random.pick(["p1", "A=1 p2", "p3 b"])} c`)} d`],
    [1, () => `env ${pen.random.pick(["-S'p1 a'", "'-Sp2 a'", "--split-string='p3 a'"])} b`],
    [
      1,
      () =>
        `${shell(pen)} ${
          pen.random.pick(["-ec", "-xc", "-e -c", "-o errexit -c", "-c --", "+e -c"])
        } ${quoted(pen, pen.inner(depth))}`,
    ],
  ]);
}

function shell({ random }: Pen): string {
  return random.pick(["bash", "bash", "bash", "sh", '"bash"', "ba''sh", "d/bash"]);
}

/** The words before a command that is run. */
function beforeWords({ random }: Pen): string {
  return random.pick([
    ...["env ", "env A=1 ", "env -u x ", "env -- ", "env -u x -- A=1 B=2 ", "env A=1 env "],
    ...["sudo ", "sudo -u root ", "sudo -n -- ", "sudo -uroot A=1 ", "sudo env "],
    ...[
      "xargs ",
      "xargs -n 1 ",
      "xargs -n1 -- ",
      "xargs -I% ",
      "xargs -r -P2 -L 1 ",
      "echo a | xargs -0 ",
    ],
    ...["timeout 5 ", "timeout -k 1 5 ", "timeout --signal=KILL 5 ", "timeout -sKILL 5 timeout 4 "],
    ...["nice ", "nice -n 5 ", "nice -n5 ", "nice -5 ", "nohup ", "nohup -- ", "nohup nice "],
    ...[
      "command ",
      "command -- ",
      "command command ",
      "exec ",
      "(exec ",
      "exec -a q ",
      "builtin command ",
    ],
    ...["time ", "\\time ", "command time -p ", "stdbuf -oL ", "stdbuf -o L -e0 ", "builtin exec "],
    ...[
      "c''ommand ",
      '"exec" ',
      "\\env ",
      "d/env ",
      "'xargs' ",
      "A=1 command ",
      ">f0 env ",
      "e\\\nnv ",
    ],
  ]);
}

function wrapped(pen: Pen, depth: number): string {
  const words = [programName(pen)];
  for (let left = pen.random.below(3); left > 0; left--) words.push(word(pen, depth));
  return words.join(blank(pen));
}

/** A shell that is given its script as text. */
function scriptFromText(pen: Pen, depth: number): string {
  if (once(pen, 2)) {
    return `${shell(pen)}${pen.random.pick(["", " -s", " -s a", " -"])} <<< ${
      quoted(pen, pen.inner(depth))
    }`;
  }
  pen.heres.push(`${pen.inner(depth)}\nEND\n`);
  return `${shell(pen)} <<${pen.random.pick(["'END'", "\\END", '"END"'])}${
    once(pen, 2) ? newline(pen) + programName(pen) : ""
  }`;
}

/** Text as one literal word. */
export function quoted({ random }: Pen, text: string): string {
  const double = `"${text.replaceAll(/["\\$`]/g, "\\$&")}"`;
  const single = `'${text.replaceAll("'", "'\\''")}'`;
  const ansi = `$'${text.replaceAll(/['\\]/g, "\\$&").replaceAll("\n", "\\n")}'`;
  return random.pick([single, single, double, ansi]);
}
