/** Random pieces of command lines that bash, zsh and `sh` read differently. */
import { choose, type Pen, programName, variable, word } from "./shell_words.ts";

const QUALIFIERS = [
  "e:p1:",
  "e'p2'",
  "e{p3}",
  "+p4",
  ".e,p5,",
  "oe:p6:",
  "o+p7",
  "#qe:p1:",
  "^+p2",
  "N",
  "D",
  ".",
  "a|b",
  "a|b+p3",
  "x",
  "[a-z]",
  "exp4x",
  "@e:p5:",
  "|e:p6:",
  "(a)+p7",
];
const GLOBBED = [
  "*",
  "f*",
  "?",
  "f?",
  "@",
  "!",
  "+",
  "f0",
  "x",
  "[f]0",
  "$x",
  '"f0"',
  "{f0,f1}",
  "*.c",
  "**/",
];
const CODE = [
  "'$(p1)'",
  "'a[$(p2)]'",
  "'m[$(p3)]'",
  "\\$\\(p4\\)",
  '"$(p5)"',
  "'`p6`'",
  "$(p7)",
  "1",
  "a",
  "@",
  "(e)x",
  "-1",
];
const FLAGS = ["=", "~", "^", "+", "#", "==", "^^", "~~", "=~", "^="];
const MODIFIERS = [
  ":h",
  ":t",
  ":s/a/b/",
  ":gs/a/b",
  ":F:1:h",
  ":F:'a[$(p1)]':h",
  ":W:x:h",
  ":a",
  ":q",
  ":x",
];

/** A word with a piece of zsh. */
export function foreignWord(pen: Pen, depth: number): string {
  const { random } = pen;
  const name = variable(pen);
  return choose(pen, [
    [5, () => `${random.pick(GLOBBED)}(${random.pick(QUALIFIERS)})`],
    [2, () => `${random.pick(GLOBBED)}(a|b)(${random.pick(QUALIFIERS)})`],
    [4, () => `$${name}[${random.pick(CODE)}]`],
    [3, () => `"$${name}[${random.pick(CODE).replaceAll('"', "")}]"`],
    [2, () => `\${${name}[${random.pick(CODE)}]}`],
    [1, () => `\${${name}}[${random.pick(CODE)}]`],
    [3, () => `$${random.pick(FLAGS)}${name}`],
    [2, () => `"$${random.pick(FLAGS)}${name}"`],
    [2, () => `\${${random.pick(FLAGS)}${name}}`],
    [3, () => `$${name}${random.pick(MODIFIERS)}`],
    [2, () => `"\${${name}${random.pick(MODIFIERS)}}"`],
    [2, () => `\${(${random.pick(["e", "P", "z", "Q", "s:a:", "%", "k", "e)${(P"])})${name}}`],
    [
      1,
      () =>
        `\${${name}:${
          random.pick([":=p1", "=p2", "#p3", "|y", "^y", "*y", "-*(e:p4:)", "+f0(+p5)"])
        }}`,
    ],
    [2, () => `=${programName(pen)}`],
    [2, () => `~[${random.pick(CODE)}]`],
    [1, () => `=(${depth > 0 ? pen.inner(depth - 1) : "p1"})`],
    [2, () => `f<${random.pick(["0-4", "-", "0-", "-3"])}>${random.pick(["", "f1", "x"])}`],
    [2, () => random.pick(["}", "a}", "{a", "a}b", "{a}}", "{}", "}}", "{"])],
    [
      4,
      () =>
        `$'${random.pick(["\\'", "a\\'", "\\\\\\'", "\\c'", "\\C-a", "\\0", "\\M-a", "\\"])};${
          random.pick(["p1", "p2"])
        } #'`,
    ],
    [2, () => `$"${random.pick(["$x", "a", "$(p1)", "'"])}"`],
    [
      2,
      () => `$[${random.pick(["1 #2", "1", "2 # 1", "x", "1#"])}]${random.pick(["", "'\np3\n'"])}`,
    ],
    [2, () => `é${random.pick(["", "=1", "[$(p1)]"])}`],
    [1, () => `$é${random.pick(["", "[1]", "['$(p2)']"])}`],
    [1, () => `$${name}é['$(p3)']`],
    [
      2,
      () =>
        `\${${name}${random.pick(["#", "%", "/", ":-", "-", "+", "//"])}${
          random.pick(["'}'", "\\}", "'`'", "$'\\''", "*(e:p1:)"])
        }}`,
    ],
    [
      2,
      () =>
        `"\${${name}${random.pick(["#", "%", ":-", "-"])}${
          random.pick(["'}'", "\\}", "'$(p4)'", "}"])
        }"`,
    ],
    [1, () => "'it''s'"],
  ]);
}

/** A command with a piece of zsh or `sh`. */
export function foreignCommand(pen: Pen, depth: number): string {
  const { random } = pen;
  const p = () => programName(pen);
  const inner = () => pen.inner(depth);
  const code = () => random.pick(CODE);
  return choose(pen, [
    [3, () => `{ ${p()} } always { ${inner()}; }`],
    [2, () => `{ ${inner()}; } always { ${p()} }`],
    [
      3,
      () =>
        `${
          random.pick([
            "noglob",
            "nocorrect",
            "-",
            "repeat 2",
            "command -",
            "exec -",
            "builtin noglob",
          ])
        } ${p()} a`,
    ],
    [2, () => `repeat ${code()} ${p()}`],
    [2, () => `foreach ${variable(pen)} ${random.pick(["(a b)", "in a b;"])} ${p()}; end`],
    [2, () => `for ${variable(pen)} (a b) ${p()}`],
    [1, () => `for x y in a b c d; do ${inner()}; done`],
    [1, () => `for x in a b; { ${inner()}; }`],
    [2, () => `${random.pick(["if", "while", "until"])} [[ a ]] { ${p()}; break }`],
    [1, () => `case a { a) ${p()};; }`],
    [1, () => `case a in (a|b) ${p()} ;| *) ${p()} ;; esac`],
    [2, () => `function u v { ${inner()}; }; ${random.pick(["u", "v"])}`],
    [2, () => `() { ${p()} } a`],
    [1, () => `u() ${p()} a; u`],
    [
      3,
      () =>
        `${p()} ${
          random.pick(["&!", "&|", ">!", ">&!", ">&|", "&>|", ">>!", ">>|", "<&p", ">&p"])
        }${random.pick(["", " "])}${random.pick(["f0", "p1", "f1"])}`,
    ],
    [
      3,
      () =>
        `${
          random.pick([
            "printf %d",
            "printf '%s %d' a",
            "printf %s",
            "printf '%*d'",
            "exit",
            "return",
            "shift",
            "break",
            "continue",
            "[ -t",
            "[[ -t",
            "let",
            "test -t",
            "read -t",
            "echo",
            "[ 1 -eq",
            "sleep",
          ])
        } ${code()}${random.pick(["", " ]", " ]]"])}`,
    ],
    [
      3,
      () =>
        `${
          random.pick([
            "functions",
            "commands",
            "aliases",
            "galiases",
            "options",
            "path",
            "dis_functions",
            "x",
          ])
        }[${random.pick(["p1", "zz", "ls"])}]=${p()}; ${random.pick(["p1", "zz", "ls"])}`,
    ],
    [1, () => `${random.pick(["commands", "path", "functions", "x"])}=(zz ${p()}); zz`],
    [2, () => `${random.pick(["path", "PATH", "x"])}=${random.pick([".", "d"])}; p1`],
    [
      2,
      () =>
        `${random.pick(["1", "12", "é", "a-b", "x[1,2]", "x[a b]", "argv[1]", "x.y", "1x"])}=${
          word(pen, 0)
        } ${p()}`,
    ],
    [
      2,
      () =>
        `${random.pick(["NULLCMD", "READNULLCMD", "STTY", "ARGV0"])}=${p()}; ${
          random.pick([">f0", "<f0", p()])
        }`,
    ],
    [
      2,
      () =>
        `x=${random.pick(["'*(e:p1:)'", "'$(p2)'", "=p3", "'a[$(p4)]'", "*(+p5)"])}; ${p()} ${
          random.pick(["$~x", "${~x}", "${(e)x}", "$x", "$=x", "$((x))", "${y:x}"])
        }`,
    ],
    [
      3,
      () =>
        `cat <<${
          random.pick([
            '$"E"',
            "$'E'",
            "E$x",
            '"E$x"',
            "E'F'",
            "\\E",
            "$E",
            "'E",
            "E\\F",
            '"E\\"F"',
          ])
        }\n${word(pen, 0)}\n${random.pick(["E", "$E", "E$x", "EF", "'E"])}\n${p()}\nE\n${p()}`,
    ],
    [
      2,
      () =>
        `(( ${random.pick(["p1", "1 #2", "x", "p2 )); (( p3"])} ))${
          random.pick(["", " '\np4\n'"])
        }`,
    ],
    [
      2,
      () =>
        `${p()} ${
          random.pick([
            "12>f0",
            "9>f0",
            "{fd}>f0",
            ">f0 >f1",
            "<f0 <f1",
            "&>f0",
            ">&f0",
            "2>&1",
            ">*",
            ">f{0,1}",
          ])
        } ${p()}`,
    ],
    [1, () => `echo a | cd d; ${p()}`],
    [
      2,
      () =>
        `${
          random.pick([
            "emulate sh -c",
            "eval",
            "zsh -c",
            "dash -c",
            "sched +0",
            "zmodload",
            "autoload",
            "print -z",
            "setopt globsubst;",
          ])
        } '${p()} a'`,
    ],
    [
      1,
      () =>
        `${
          random.pick(["chpwd", "precmd", "zshexit", "TRAPEXIT", "command_not_found_handler"])
        }() { ${p()}; }; cd .; zz`,
    ],
    [1, () => `alias ${random.pick(["-g", "-s", ""])} q=${p()}\nq ${random.pick(["a", "f0.q"])}`],
    [1, () => `${p()} # ${random.pick(["; p1", "'", "$(p2)", "\\"])}\n${p()}`],
    [1, () => `[ a == b ] || ${p()}`],
    [1, () => `x=(${foreignWord(pen, 0)}); ${p()}`],
    [1, () => `for x in ${foreignWord(pen, 0)}; do ${p()} $x; done`],
    [1, () => `${p()} > ${foreignWord(pen, 0)}`],
    [1, () => `[[ ${foreignWord(pen, 0)} == ${foreignWord(pen, 0)} ]]`],
  ]);
}
