import { cut, cutLines, type Splice } from "../../text/splice.ts";
import type { TextLines } from "../../text/text_lines.ts";
import type { TomlArray, TomlNode } from "../../text/toml_node.ts";
import { attachedStart, lineAt, lineEnd, lineText, startOf } from "../../text/text_lines.ts";
import { isUnderIgnoreComment } from "../decode/ignore_comments.ts";

/** A rule in an inline array. */
interface Element {
  /** Offset of its first character. */
  readonly start: number;
  /** Offset behind its last character. */
  readonly end: number;
  /** Offset of the comma behind it; absent behind the last when there is none. */
  readonly comma: number | undefined;
  /** True if nothing else stands before it on its first line. */
  readonly isFirstOnLine: boolean;
  /** True if its lines hold nothing else but its comma and a comment. */
  readonly hasOwnLines: boolean;
}

/** The insertion of elements, one at least, before the one at `before`, or after the last if undefined. */
export function insertElements(
  lines: TextLines,
  options: {
    readonly array: TomlArray;
    readonly before: number | undefined;
    readonly texts: readonly string[];
  },
): readonly Splice[] {
  const { array, before, texts } = options;
  const elements = elementsOf(lines, array);
  const next = before === undefined ? undefined : elements[before];
  if (next !== undefined) return [insertBefore(lines, { next, texts })];
  const last = elements.at(-1);
  if (last === undefined) {
    return [insertAlone(lines, { array, texts })];
  }
  return insertBehind(lines, { last, texts, close: array.span.end - 1 });
}

/** The removal of the elements at the indexes, in ascending order, with their commas and attached comment lines. */
export function cutElements(
  lines: TextLines,
  options: { readonly array: TomlArray; readonly indexes: readonly number[] },
): readonly Splice[] {
  const elements = elementsOf(lines, options.array);
  const gone = new Set(options.indexes);
  const cuts: Splice[] = [];
  const ranges = [];
  for (const [index, element] of elements.entries()) {
    if (!gone.has(index)) continue;
    if (element.hasOwnLines) {
      const first = attachedStart(lines, lineAt(lines, element.start));
      ranges.push({ first, last: lineAt(lines, element.end - 1) });
    } else {
      cuts.push(cutInLine(lines, { element, previous: elements[index - 1] }));
    }
  }
  const kept = elements.findLastIndex((_, index) => !gone.has(index));
  return [...cuts, ...danglingComma(lines, { elements, kept }), ...cutLines(lines, ranges)];
}

/** The comma after the last element that stays, if the array had no trailing comma. */
function danglingComma(
  lines: TextLines,
  options: { readonly elements: readonly Element[]; readonly kept: number },
): readonly Splice[] {
  const { elements, kept } = options;
  const comma = elements[kept]?.comma;
  const next = elements[kept + 1];
  if (comma === undefined || next === undefined || elements.at(-1)?.comma !== undefined) return [];
  const end = behindBlanks(lines.text, comma + 1);
  return [cut(comma, end === next.start ? end : comma + 1)];
}

function insertBefore(
  lines: TextLines,
  { next, texts }: { readonly next: Element; readonly texts: readonly string[] },
): Splice {
  const line = lineAt(lines, next.start);
  const eol = lineEnd(lines.text);
  if (!next.isFirstOnLine) {
    const text = texts.map((each) => `${each}, `).join("");
    if (!isUnderIgnoreComment(lines, line)) return { start: next.start, end: next.start, text };
    // The new rule and those behind it move to a line that the comment does not cover: lint reports their findings again.
    const start = lines.text.slice(0, next.start).trimEnd().length;
    return { start, end: next.start, text: `${eol}${indentOf(lines, line)}  ${text}` };
  }
  const at = startOf(lines, attachedStart(lines, line));
  const indent = indentOf(lines, line);
  return { start: at, end: at, text: texts.map((text) => `${indent}${text},${eol}`).join("") };
}

/** The insertion of the first elements of an array. */
function insertAlone(
  lines: TextLines,
  { array, texts }: { readonly array: TomlArray; readonly texts: readonly string[] },
): Splice {
  const at = array.span.start + 1;
  const line = lineAt(lines, at);
  const head = isUnderIgnoreComment(lines, line)
    ? `${lineEnd(lines.text)}${indentOf(lines, line)}  `
    : "";
  return { start: at, end: at, text: head + texts.join(", ") };
}

function insertBehind(
  lines: TextLines,
  options: { readonly last: Element; readonly texts: readonly string[]; readonly close: number },
): readonly Splice[] {
  const { last, texts, close } = options;
  const eol = lineEnd(lines.text);
  const end = last.comma === undefined ? last.end : last.comma + 1;
  const line = startOf(lines, lineAt(lines, end - 1) + 1);
  // A comment that ignores findings is about the rules that stand there, and must ignore nothing about the new ones.
  const own = [last.start, end - 1].map((at) => lineAt(lines, at));
  const isIgnored = own.some((each) => isUnderIgnoreComment(lines, each));
  const indent = indentOf(lines, own[0]!);
  if (line > close && isIgnored) {
    const text = texts.map((each) => `${eol}${indent}${last.isFirstOnLine ? "" : "  "}${each}`)
      .join(",");
    return [{ start: end, end, text: last.comma === undefined ? `,${text}` : `${text},` }];
  }
  if (line > close || !last.isFirstOnLine && !isIgnored) {
    const text = texts.map((each) => last.comma === undefined ? `, ${each}` : ` ${each},`).join("");
    return [{ start: end, end, text }];
  }
  const comma = last.comma === undefined ? [{ start: end, end, text: "," }] : [];
  const tail = last.comma === undefined ? eol : `,${eol}`;
  const text = texts.map((each) => `${indent}${each}`).join(`,${eol}`) + tail;
  return [...comma, { start: line, end: line, text }];
}

/** The blanks that a line begins with. */
function indentOf(lines: TextLines, line: number): string {
  return /^[ \t]*/.exec(lineText(lines, line))![0];
}

function cutInLine(
  lines: TextLines,
  options: { readonly element: Element; readonly previous: Element | undefined },
): Splice {
  const { start, end, comma } = options.element;
  const { text } = lines;
  const behind = comma === undefined ? end : comma + 1;
  const next = behindBlanks(text, behind);
  if (text[next] !== "]") return cut(start, comma === undefined ? end : next);
  const from = options.previous?.comma;
  const isNear = from !== undefined && /^[ \t]*$/.test(text.slice(from + 1, start));
  return cut(isNear ? from + 1 : start, behind);
}

function elementsOf(lines: TextLines, array: TomlArray): readonly Element[] {
  return array.elements.map((node) => elementOf(lines, node));
}

function elementOf(lines: TextLines, node: TomlNode): Element {
  const { text } = lines;
  const { start, end } = node.span;
  const comma = commaBehind(text, end);
  const lineStart = startOf(lines, lineAt(lines, start));
  const isFirstOnLine = /^[ \t]*$/.test(text.slice(lineStart, start));
  const rest = text.slice(end, startOf(lines, lineAt(lines, end - 1) + 1));
  const hasComma = comma !== undefined && comma < end + rest.length;
  const isAlone = /^[ \t]*,?[ \t]*(?:#[^\n]*)?(?:\r?\n)?$/.test(rest);
  const hasOwnLines = isFirstOnLine && isAlone && (hasComma || comma === undefined);
  return { start, end, comma, isFirstOnLine, hasOwnLines };
}

/** The offset of the comma that follows, blanks, line ends and comments skipped; undefined when none does. */
function commaBehind(text: string, offset: number): number | undefined {
  const gap = /(?:[ \t\r\n]|#[^\n]*)*/y;
  gap.lastIndex = offset;
  const at = offset + (gap.exec(text)?.[0].length ?? 0);
  return text[at] === "," ? at : undefined;
}

function behindBlanks(text: string, offset: number): number {
  let end = offset;
  while (text[end] === " " || text[end] === "\t") end++;
  return end;
}
