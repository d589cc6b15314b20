/** Random command lines, most of which are plain or would be but for one thing. */
import type { Random } from "./random.ts";

/** Names that the parser, or a shell, reads in a way of its own, among others. */
const NAMES =
  ("A=1 A_b=x/y:z CI=true A=~ A=a:~ A= 1A=b A-b=c A=b=c _=1 A=% git npm ls cat 2x ./x /bin/ls @ % , ^ : . + _ - -x ~ ~u =ls a=b a+=b a[1]=2 if then else elif fi do done for while until in " +
    "case esac function select coproc time local alias export declare typeset readonly eval let exit test read printf exec command " +
    "builtin noglob nocorrect repeat foreach end always trap set unset return break continue shift logout { } ! [[ ]] [")
    .split(
      " ",
    );

/** Words that are plain, or would be but for one character. */
const WORDS = [
  ..."a b.ts -x --y=z src/1 HEAD~1 a=b if in do time esac then x:y ~ ~/a 1 - -- +x % a@b =a } { ! [ ]"
    .split(" "),
  ...[
    "'a b'",
    '"c d"',
    "'~x'",
    '"~x"',
    "'[!a]'",
    '"[!a]"',
    '"[^"',
    '"[["',
    "''",
    '""',
    "'a;b'",
    '"a|b"',
  ],
  ...[
    "'$x'",
    '"$x"',
    '"`a`"',
    "'\\'",
    '"\\"',
    '"\\a"',
    "'{a}'",
    '"{a,b}"',
    "'()'",
    "'((x'",
    '"f()"',
    "'function x'",
  ],
  ...[
    "'a'b",
    "a'b'",
    "'é'",
    "é",
    "'\n'",
    "'\t'",
    "$x",
    "$(a)",
    "`a`",
    "*",
    "?",
    "#",
    "\\a",
    ">b",
    "<b",
    "(",
    ")",
  ],
];
const PLAIN_WORDS = [
  "a",
  "-x",
  "--y=z",
  "src/1",
  "HEAD~1",
  "'a b'",
  '"c d"',
  "'{print $1}'",
  "'a '",
  '".a[1].b"',
  "if",
  "in",
];
/** Words with variables and substitutions. */
const OPEN_WORDS = [
  ...['"$f"', "$f", '"$f.bak"', '"a/$f/b"', '"$a$b"', '"$(a b)"', "$(a)", "$(ls -t | head -1)"],
  ...[
    '"$(date +%s)"',
    "$(wc -l < f)",
    '"x $(a) y"',
    '"$(a "b c" && d)$e"',
    '"$(a; b)"',
    "$(a > b)",
  ],
  ...['"$f "', '"$(a) "', "$(a 'b ')", '"$f$(a)"', "$(for f in a; do b $f; done)", '"$(a): $x"'],
];
/** Words that would be so but for something in them. */
const ODD_OPEN_WORDS = [
  ...[
    '"$a~x"',
    '"~$a"',
    '"$f:h"',
    '"$f[1]"',
    '"$1"',
    "$1",
    '"$((1))"',
    "$((a) b)",
    "$()",
    "$(a )",
    "$( a)",
  ],
  ...[
    "$(a;)",
    '"${f}"',
    "$a$b",
    "$(a)b",
    "$(cat <<E)",
    '"$(a $(b "$(c $(d $(e)))"))"',
    "$(exit a)",
    "$(a case b)",
    "\"$(a 'case')\"",
  ],
  ...[
    '"$(a | b) [x] {y}"',
    '"$f{a,b}"',
    '"$(f)[!a]"',
    '"$',
    '"$(',
    "$(a",
    '"$(a"',
    "$(a ')')",
    "$$",
  ],
];
/** Heads and ends of loops and of here-documents, which random lines have in their right places and in others. */
const LOOPS = [
  ...[
    "for f in a b; do ",
    "for f in $(a b); do ",
    'for x_1 in "$@" c; do ',
    "for f in 'a b' \"$g\"; do ",
  ],
  ...[
    "for in in a; do ",
    "for f; do ",
    "for f in; do ",
    "for f in a do ",
    "for f in a=b =c; do ",
    "for 1 in a; do ",
  ],
  ...[
    "for f in a b; do b; ",
    "for f in a; do done; ",
    "for f in a; do for g in b; do ",
    "A=1 for f in a; do ",
  ],
];
const DONE = [
  "; done",
  "; done",
  "; done; done",
  "; done ; a",
  "; done > f",
  " done",
  "; done-x",
  "; done",
];
const DELIMITERS = ["'EOF'", '"EOF"', "EOF", "'E'", "\\EOF", "E-F", "'E F'", "''"];
const BODIES = [
  ...[
    "some text\n",
    "",
    "a 'b' \"c\"\n\n",
    "# x\n",
    "\ta\n",
    "é — ☃\u2028x\n",
    "$x `y` \\n\n",
    "[!a] [^b]\n",
  ],
  ...[
    "EOFx\n EOF\n",
    "f() { a; }\n",
    "((a\n",
    "a \\\nb\n",
    "$=x\n",
    "\rx\n",
    "{a,b} *\n",
    "a\\\n",
    "EOF\n",
    "a",
  ],
];
const BETWEEN = [" ", " ", " ", " ", " | ", " && ", " || ", "; "];
const OTHERS = ["  ", ";", "|", " ; ", " & ", "\n", ";; ", " |& ", " ! ", "", "\t"];

/** A line that is plain, or almost. */
export function almostPlainLine(random: Random): string {
  const line = lineOf(random);
  return random.below(4) === 0 ? changed(line, random) : line;
}

/** A line with loops, a here-document, or neither. */
function lineOf(random: Random): string {
  const line = simpleLineOf(random);
  const kind = random.below(6);
  if (kind === 0) {
    const isWhole = random.below(2) === 0;
    const head = isWhole ? "for f in a 'b c'; do " : random.pick(LOOPS);
    return head + line + (isWhole ? "; done" : random.pick(DONE)) +
      random.pick(["", ";", " | a", " && b"]);
  }
  if (kind > 1) return line;
  const operator = random.pick(["<<", "<<", "<< ", "<<-", "2<<"]);
  const delimiter = random.pick(DELIMITERS);
  const head = random.below(2) === 0
    ? `cat ${operator}${delimiter} > f`
    : `${line} ${operator}${delimiter}`;
  const more = random.pick([
    "",
    "",
    "",
    ` && ${simpleLineOf(random)}`,
    " | a",
    " > b",
    ` ${operator}X`,
    "; for f in a; do b; done",
  ]);
  const end = random.pick(["EOF", "EOF", "EOF", "EOF\n", "E", "EOF\n\n", "EOF ", "EOF\na", ""]);
  return `${head}${more}\n${random.pick(BODIES)}${
    random.below(2) === 0 ? random.pick(BODIES) : ""
  }${end}`;
}

function simpleLineOf(random: Random): string {
  const isMostlyPlain = random.below(3) > 0;
  let line = "";
  let isFirst = true;
  for (let left = 1 + random.below(7); left > 0; left--) {
    const isOdd = random.below(isMostlyPlain ? 20 : 4) === 0;
    const word: string = isFirst && random.below(2) === 0
      ? random.pick(NAMES)
      : random.below(5) === 0
      ? random.pick(random.below(8) === 0 ? ODD_OPEN_WORDS : OPEN_WORDS)
      : random.pick(isOdd ? WORDS : PLAIN_WORDS);
    line += word;
    const between = random.pick(random.below(isMostlyPlain ? 30 : 6) === 0 ? OTHERS : BETWEEN);
    // Behind an assignment a name may follow.
    isFirst = between !== " " || isFirst && word.includes("=");
    if (left > 1 || random.below(12) === 0) line += between;
  }
  return line;
}

/** A line with one character more, or another one. */
function changed(line: string, random: Random): string {
  const at = random.below(line.length + 1);
  const char = random.pick(["", ..."$\"'`(){}[]~!\\;&|<>\n =:#*?1ax-\té"]);
  return line.slice(0, at) + char + line.slice(at + random.below(2));
}
