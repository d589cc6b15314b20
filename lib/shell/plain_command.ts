/**
 * What can be told about a command line without taking it apart. Until lines are split into units (`shell = "parsed"`),
 * a line that may run more than one program, or whose words are not what they seem, is never taken for its text.
 */
export interface CommandLook {
  /** `compound`: it may run more than it shows. `quoted`: one command whose words are not all as written. `plain`: neither. */
  readonly kind: "plain" | "quoted" | "compound";
  /** What stands in the way, for people: `";"`, `a newline`; empty when plain. */
  readonly because: string;
  /** The text before the first character with a meaning; the command really begins with it. */
  readonly head: string;
}

// deno-lint-ignore no-control-regex
const COMPOUND = /[;&|<>$()`\u0000-\u001f\u007f]/;
const QUOTED = /["'\\{}*?[\]~!#]/;
const NAMES: Readonly<Record<string, string>> = {
  "\n": "a newline",
  "\t": "a tab",
  "\r": "a carriage return",
  "\0": "a NUL",
};

/** Looks at a command line; linear in its length. */
export function lookAtCommand(text: string): CommandLook {
  const compound = text.search(COMPOUND);
  const quoted = text.search(QUOTED);
  const first = Math.min(compound < 0 ? Infinity : compound, quoted < 0 ? Infinity : quoted);
  const head = first === Infinity ? text : text.slice(0, first);
  if (compound >= 0) return { kind: "compound", because: nameOf(text[compound]!), head };
  return quoted >= 0
    ? { kind: "quoted", because: nameOf(text[quoted]!), head }
    : { kind: "plain", because: "", head };
}

/** The line with single spaces between its words and none around them, as the shell reads a line without quotes. */
export function singleSpaced(text: string): string {
  return /^ | $| {2}/.test(text) ? text.replace(/ {2,}/g, " ").replace(/^ | $/g, "") : text;
}

function nameOf(char: string): string {
  return NAMES[char] ?? (char < " " || char === "\x7f" ? "a control character" : `"${char}"`);
}
