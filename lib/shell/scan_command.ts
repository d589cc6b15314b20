/** The syntax of a command line at first sight, without parsing. */
export interface CommandScan {
  /** `compound`: may run several programs. `quoted`: one command, with words that are not as written. `plain`: neither. */
  readonly kind: "plain" | "quoted" | "compound";
  /** The character that makes it so, for people: `";"`, `a newline`; empty if plain. */
  readonly because: string;
  /** The text before the first special character; the command certainly begins with it. */
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

/** Classifies a command line in linear time. */
export function scanCommand(text: string): CommandScan {
  const compound = text.search(COMPOUND);
  const quoted = text.search(QUOTED);
  const first = Math.min(compound < 0 ? Infinity : compound, quoted < 0 ? Infinity : quoted);
  const head = first === Infinity ? text : text.slice(0, first);
  if (compound >= 0) return { kind: "compound", because: nameOf(text[compound]!), head };
  return quoted >= 0
    ? { kind: "quoted", because: nameOf(text[quoted]!), head }
    : { kind: "plain", because: "", head };
}

/** The line with single spaces between words and none at the ends, as the shell reads a line without quotes. */
export function singleSpaced(text: string): string {
  return /^ | $| {2}/.test(text) ? text.replace(/ {2,}/g, " ").replace(/^ | $/g, "") : text;
}

function nameOf(char: string): string {
  return NAMES[char] ?? (char < " " || char === "\x7f" ? "a control character" : `"${char}"`);
}

/** True for a text with a blank. A loop, since most words are shorter than a call of an expression is long. */
export function hasBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 && (code === 0x20 || code >= 0x09 && code <= 0x0d)) return true;
    if (code > 0x7f) return /\s/.test(text);
  }
  return false;
}
