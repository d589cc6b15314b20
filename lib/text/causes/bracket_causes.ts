import { endOfLine, HEADER, isStatement, type Opening } from "./openings.ts";
import { type Line, lineOf, type Scene, shortened, type TomlCause } from "./scene.ts";

/** A long string that has no end. */
export function openLongString({ open: { string } }: Scene): TomlCause | undefined {
  if (string?.mark.length !== 3) return undefined;
  return {
    ...place(string),
    detail: "the string has no end",
    hint: `Close it with ${string.mark}`,
  };
}

/** A list or an inline table that something follows which cannot be in it. */
export function openBracket({ text, index, line, rest, open }: Scene): TomlCause | undefined {
  const inner = innerBracket(text, open.brackets);
  if (inner === undefined) return undefined;
  const closing = rest[0] === "]" || rest[0] === "}" ? rest[0] : undefined;
  const isCrossed = closing !== undefined && closing !== closerOf(inner) ||
    rest.startsWith("{") && inner.mark === "{";
  const isEnd = rest === "" && index >= line.start + line.text.length;
  const follows = inner.at < line.start && isStatement(line.text, inner);
  if (!isCrossed && !follows && !(isEnd && open.string === undefined)) return undefined;
  return {
    ...place(inner),
    detail: `"${inner.mark}" is not closed`,
    hint: follows
      ? `Close it with "${closerOf(inner)}" above "${shortened(line.text.trim())}"`
      : `Close it with "${closerOf(inner)}"`,
  };
}

/** The innermost bracket but those of a header, which a parser takes for a list in the list. */
function innerBracket(text: string, brackets: readonly Opening[]): Opening | undefined {
  const at = brackets.findIndex((inner, index) => {
    const outer = brackets[index - 1];
    const line = lineOf(text, inner.at);
    return outer !== undefined && outer.at < line.start && isStatement(line.text, outer);
  });
  return at < 0 ? brackets.at(-1) : brackets[at - 1];
}

function closerOf({ mark }: Opening): string {
  return mark === "[" ? "]" : "}";
}

function place({ mark, at }: Opening): Pick<TomlCause, "at" | "length"> {
  return { at, length: mark.length };
}

/** A header that lacks a bracket, or has one too many: in the line of the error, or above it. */
export function brokenHeader({ text, line, above, before, open }: Scene): TomlCause | undefined {
  if (open.brackets.length > 0) return undefined;
  const own = headerCause(line, text);
  if (own !== undefined) return own;
  return above !== undefined && before.trim() === "" ? headerCause(above, text) : undefined;
}

function headerCause({ start, text: line }: Line, text: string): TomlCause | undefined {
  const [, indent = "", opened = "", name = "", closed = "", more = ""] =
    /^(\s*)([[\s]*)((?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:\s*\.\s*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*)\s*([\]\s]*)(.*)$/
      .exec(line) ?? [];
  const [left, right] = [opened, closed].map((marks) => marks.replace(/\s/g, ""));
  if (name === "" && /^\s*\[[^=]*$/.test(line)) {
    return {
      at: start + indent.length,
      length: Math.max(1, line.trim().length),
      detail: "the header cannot be read",
      hint: 'Write [name] or [[name]]; put a name with other characters in quotes: [tools."a b"]',
    };
  }
  if (name === "" || !/^(?:#.*)?$/.test(more) || left === "" && right === "") return undefined;
  if (left === right?.replaceAll("]", "[") && left!.length <= 2 && HEADER.test(line)) {
    return undefined;
  }
  const count = bracketsOf(name, text) ?? Math.min(2, Math.max(left!.length, right!.length));
  return {
    at: start + indent.length,
    length: Math.max(1, `${opened}${name}${closed}`.trim().length),
    detail: "the brackets of the header do not match",
    hint: `Write ${"[".repeat(count)}${name}${"]".repeat(count)}`,
  };
}

/** The number of brackets that the same header has elsewhere in the text. */
function bracketsOf(name: string, text: string): number | undefined {
  for (const line of text.split(/\r?\n/)) {
    const [, open = "", other = "", close = ""] = HEADER.exec(line) ?? [];
    if (other === name && open.length === close.length) return open.length;
  }
  return undefined;
}

/** A string that its line leaves open. */
export function openString({ text, index, line, open: { string } }: Scene): TomlCause | undefined {
  if (string === undefined || index < line.start + line.text.length) return undefined;
  return {
    at: string.at,
    length: Math.max(1, endOfLine(text, string.at) - string.at),
    detail: "the string has no end",
    hint: `Close it with ${string.mark}`,
  };
}
