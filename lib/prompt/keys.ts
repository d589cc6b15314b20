/** A key without a text of its own. */
export type KeyName =
  | "enter"
  | "escape"
  | "interrupt"
  | "end-of-input"
  | "backspace"
  | "delete"
  | "left"
  | "right"
  | "up"
  | "down"
  | "home"
  | "end"
  | "erase-line"
  | "erase-rest"
  | "erase-word"
  | "other";

/** A key press. */
export type Key =
  | { readonly kind: KeyName }
  /** Characters, none of them a control; more than one when they came together. */
  | { readonly kind: "text"; readonly text: string }
  /** Text that the terminal marks as pasted, with its control characters. */
  | { readonly kind: "paste"; readonly text: string };

/** Keys, and the beginning of one that is not whole yet. */
export interface KeysRead {
  /** The keys, in order. */
  readonly keys: readonly Key[];
  /** Text to be put before what comes next. */
  readonly rest: string;
}

/** Asks a terminal to mark what is pasted, and no longer. */
export const PASTE_MARKS = { on: "\x1b[?2004h", off: "\x1b[?2004l" } as const;

const ESCAPE = "\x1b";
const PASTE = { start: "\x1b[200~", end: "\x1b[201~" } as const;

/** The longest key sequence, in UTF-16 code units. */
const LONGEST = 1 << 16;

const CONTROLS: ReadonlyMap<string, KeyName> = new Map([
  ["\r", "enter"],
  ["\n", "enter"],
  ["\x03", "interrupt"],
  ["\x04", "end-of-input"],
  ["\x7f", "backspace"],
  ["\b", "backspace"],
  ["\x01", "home"],
  ["\x05", "end"],
  ["\x02", "left"],
  ["\x06", "right"],
  ["\x10", "up"],
  ["\x0e", "down"],
  ["\x0b", "erase-rest"],
  ["\x15", "erase-line"],
  ["\x17", "erase-word"],
]);

/** Final parts of the control sequences of ECMA-48 that terminals send for keys. */
const SEQUENCES: ReadonlyMap<string, KeyName> = new Map([
  ["A", "up"],
  ["B", "down"],
  ["C", "right"],
  ["D", "left"],
  ["H", "home"],
  ["F", "end"],
  ["1~", "home"],
  ["7~", "home"],
  ["4~", "end"],
  ["8~", "end"],
  ["3~", "delete"],
]);

// deno-lint-ignore no-control-regex
const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~])/y;
// deno-lint-ignore no-control-regex
const BEGUN = /\x1b(?:\[[0-?]*[ -/]*|O)?$/y;
// deno-lint-ignore no-control-regex
const TEXT = /[^\x00-\x1f\x7f-\x9f]+/y;

/** Reads what a terminal in raw mode sent. Never throws; what it does not know is `other`. */
export function readKeys(typed: string): KeysRead {
  const keys: Key[] = [];
  let at = 0;
  while (at < typed.length) {
    const next = keyAt(typed, at);
    if (next === undefined) {
      if (typed.length - at < LONGEST) return { keys, rest: typed.slice(at) };
      return { keys: [...keys, { kind: "other" }], rest: "" };
    }
    keys.push(next.key);
    at = next.end;
  }
  return { keys, rest: "" };
}

/** The keys of a sequence that was never completed: Escape, which begins every sequence. */
export function abandonedKeys(rest: string): readonly Key[] {
  return rest === "" ? [] : [{ kind: "escape" }];
}

/** The key at a place and where it ends; undefined while it is not whole. */
function keyAt(typed: string, at: number): { readonly key: Key; readonly end: number } | undefined {
  if (typed[at] !== ESCAPE) return plainKeyAt(typed, at);
  if (typed.startsWith(PASTE.start, at)) {
    const start = at + PASTE.start.length;
    const end = typed.indexOf(PASTE.end, start);
    if (end < 0) return undefined;
    return { key: { kind: "paste", text: typed.slice(start, end) }, end: end + PASTE.end.length };
  }
  const sequence = matchAt(SEQUENCE, { typed, at });
  if (sequence !== undefined) {
    const last = /(?:\d+~|[A-Z~a-z])$/.exec(sequence)?.[0] ?? "";
    return { key: { kind: SEQUENCES.get(last) ?? "other" }, end: at + sequence.length };
  }
  if (matchAt(BEGUN, { typed, at }) !== undefined) return undefined;
  // Alt and a key, or Escape and a key in haste: the key is not taken for itself.
  const hasty = typed[at + 1] === ESCAPE
    ? ""
    : String.fromCodePoint(typed.codePointAt(at + 1) ?? 0);
  return { key: { kind: "escape" }, end: at + 1 + hasty.length };
}

function plainKeyAt(typed: string, at: number): { readonly key: Key; readonly end: number } {
  const text = matchAt(TEXT, { typed, at });
  if (text !== undefined) return { key: { kind: "text", text }, end: at + text.length };
  return { key: { kind: CONTROLS.get(typed[at] ?? "") ?? "other" }, end: at + 1 };
}

function matchAt(
  pattern: RegExp,
  { typed, at }: { typed: string; at: number },
): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(typed)?.[0];
}
