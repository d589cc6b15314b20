import type { Match } from "../../model/verdict.ts";
import type { ScriptEffect } from "./script_uses.ts";

/** A token of an awk program. */
interface Token {
  readonly kind: "text" | "name" | "mark";
  readonly text: string;
  /** Set for the parenthesis that closes the head of `if`, `while` or `for`. */
  readonly endsHead?: true;
}

/**
 * The effects of an awk program other than the processing of its input; undefined if it cannot be parsed. Anything not certainly
 * harmless is unknown: `system`, pipes, `getline`, indirect calls, access to the operands, a computed file name. Source:
 * gawk's manual, sections 4.10, 5.6 and 9.2.9.
 */
export function awkEffects(program: string): readonly ScriptEffect[] | undefined {
  if (PLAIN.test(program) && !ACTS.test(program)) return NOTHING;
  const tokens = tokensOf(program);
  if (!tokens) return undefined;
  const effects: ScriptEffect[] = [];
  let printing = false;
  let depth = 0;
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind === "name") {
      if (ACTS.exec(text)?.[0] === text) return [UNKNOWN];
      if (text === "print" || text === "printf") {
        printing = true;
        depth = 0;
      }
    } else if (kind === "mark") {
      if (text === "|" || text === "|&" || text === "@") return [UNKNOWN];
      if (text === "(" || text === "[") depth++;
      if (text === ")" || text === "]") depth--;
      // A newline does not end it: a statement continues behind a comma, && and in parentheses.
      if (/^[;{}]$/.test(text)) printing = false;
      if (printing && depth <= 0 && (text === ">" || text === ">>")) {
        effects.push(outputTo(tokens, index + 1));
      }
    }
  }
  return effects;
}

/** A program without strings, regular expressions, pipes and files. */
const PLAIN = /^[\w\s$.,;:(){}[\]+*%=!<&?~^-]*$/;

/** The names that run, open or change something. */
const ACTS = /system|getline|close|fflush|ARGV|ARGC|SYMTAB|FUNCTAB/;

const NOTHING: readonly ScriptEffect[] = [];

const UNKNOWN: ScriptEffect = { kind: "unknown", path: "" };

/** The output to the file behind `>`; unknown unless the file is a single string. */
function outputTo(tokens: readonly Token[], at: number): ScriptEffect {
  const file = tokens[at];
  const next = tokens[at + 1];
  const isAlone = next === undefined || /^[;}\n]$/.test(next.text) && next.kind === "mark";
  return file?.kind === "text" && isAlone ? { kind: "output", path: file.text } : UNKNOWN;
}

const TOKEN = /\|\||\|&|>>|>=|[A-Za-z_]\w*|[\d.]+|\s|[^]/y;

/** The tokens, strings and regular expressions as `text`; undefined for an unterminated one. */
function tokensOf(program: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  const heads: boolean[] = [];
  let at = 0;
  while (at < program.length) {
    const char = program[at]!;
    if (char === "#") {
      while (at < program.length && program[at] !== "\n") at++;
      continue;
    }
    if (char === "\\") {
      // A backslash is a line continuation or a syntax error.
      if (program[at + 1] !== "\n") return undefined;
      at += 2;
      continue;
    }
    const regex = char === "/" ? startsRegex(tokens) : "no";
    if (regex === "indeterminate") return undefined;
    if (char === '"' || regex === "yes") {
      const end = endOf(program, at);
      if (end < 0) return undefined;
      const body = program.slice(at + 1, end);
      // Escapes are not decoded, so a string with one names no known file.
      tokens.push({ kind: "text", text: body.includes("\\") && char === '"' ? "\0" : body });
      at = end + 1;
      continue;
    }
    TOKEN.lastIndex = at;
    const text = TOKEN.exec(program)![0];
    at += text.length;
    if (/^[ \t]+$/.test(text)) continue;
    if (text === "(") heads.push(isHead(tokens.at(-1)));
    const endsHead = text === ")" && heads.pop() === true;
    const kind = /^[A-Za-z_]/.test(text) ? "name" : "mark";
    tokens.push({ kind, text, ...(endsHead ? { endsHead } : {}) });
  }
  return tokens;
}

/** Words behind which a slash either begins a regular expression or divides. */
const KEYWORDS = /^(?:print|printf|return|else|do|in|case|exit|if|while|for|length)$/;

function isHead(token: Token | undefined): boolean {
  return token?.kind === "name" && /^(?:if|while|for)$/.test(token.text);
}

/** The answer to whether a slash behind these tokens begins a regular expression. */
function startsRegex(tokens: readonly Token[]): Match {
  const before = tokens.at(-1);
  if (!before) return "yes";
  if (before.kind === "text") return "indeterminate";
  if (before.kind === "name") return KEYWORDS.test(before.text) ? "indeterminate" : "no";
  if (/^(?:[(,{};!~&=\n]|\|\|)$/.test(before.text)) return "yes";
  if (before.endsHead) return "yes";
  return /^(?:[\d.]+|\]|\))$/.test(before.text) ? "no" : "indeterminate";
}

/** A bracket expression that every awk ends at the same place; they differ for one with a slash, a bracket or "]". */
const BRACKET = /\[(?!\^?\])\^?(?:\[:[a-z]+:\]|\\[^\]/\\\n]|[^\][\\/\n])+\]/y;

function endOf(program: string, start: number): number {
  const quote = program[start]!;
  for (let at = start + 1; at < program.length; at++) {
    const char = program[at]!;
    if (char === "\\") at++;
    else if (char === "\n") return -1;
    else if (char === quote) return at;
    else if (char === "[" && quote === "/") {
      BRACKET.lastIndex = at;
      const bracket = BRACKET.exec(program)?.[0];
      if (bracket === undefined) return -1;
      at += bracket.length - 1;
    }
  }
  return -1;
}
