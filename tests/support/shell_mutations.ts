/** Random damage to command lines, and what keeps every line harmless. */
import type { Random } from "./random.ts";

const PIECES = [
  ..." ;&|<>()$`\"'\\#!{}[]*?~=-\n\t\r1a",
  ...[
    "\\\n",
    "p1",
    "$(",
    "<(",
    ">(",
    "${",
    "$((",
    "((",
    "[[",
    "<<E\n",
    "<<'E'\n",
    "\nE\n",
    ";;",
    "&&",
    "||",
  ],
  ...[
    "esac",
    "done",
    "fi",
    "}",
    " do ",
    "then ",
    "$'",
    '$"',
    "{fd}",
    "!(",
    "\\\\",
    "#",
    " #",
    "=(",
    "\f",
  ],
];

/** A line with one to three changes, pieces of another line among them. */
export function mutated(random: Random, line: string, other: string): string {
  let made = line;
  for (let left = 1 + random.below(3); left > 0; left--) made = changed(random, made, other);
  return made;
}

function changed(random: Random, line: string, other: string): string {
  const at = random.below(line.length + 1);
  const [before, after] = [line.slice(0, at), line.slice(at)];
  const from = random.below(other.length + 1);
  switch (random.below(9)) {
    case 0:
      return before + after.slice(1 + random.below(6));
    case 1:
      return before + after.slice(1);
    case 2:
      return before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2);
    case 3:
      return before + other.slice(from);
    case 4:
      return before + other.slice(from, from + random.below(20)) + after;
    case 5:
      return before + after.slice(0, 5) + after;
    case 6:
      return before + random.pick(PIECES) + after.slice(1);
    default:
      return before + random.pick(PIECES) + after;
  }
}

/** Paths that begin at the root, but for the harmless devices; parent folders; other users' homes. */
const OUTSIDE =
  /(?:^|[^\w.\]}/+*?])\/(?!dev\/(?:null|stdin)\b)[\w.]|\.\.\/|\.\.(?:[\s"'`;&|)]|$)|~[a-mo-z]/;
/** Signals, the default PATH, an empty environment, the network, shells that read start-up files. */
const OUTREACHING =
  /\bkill|\bcommand\b[^;|&]*\s-\w*p|\bexec\b[^;|&]*\s-\w*[cl]|\/dev\/(?:tcp|udp)|\bsetsid|\bdisown|\s-[a-z]*[il][a-z]*c\b|--(?:login|init|rcfile)|\bunset\b.*PATH/;

/** True if a line that got its words at random can only touch its own folder. */
export function isHarmless(line: string): boolean {
  return !line.includes("\0") && line.length < 4000 && !OUTSIDE.test(line) &&
    !OUTREACHING.test(line);
}
