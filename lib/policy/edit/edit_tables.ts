import type { Splice } from "../../text/splice.ts";
import type { LineRange, TextLines } from "../../text/text_lines.ts";
import type { TomlTable } from "../../text/toml_node.ts";
import { cutLines } from "../../text/cut_lines.ts";
import { attachedStart, kindOf, lineAt, lineEnd, startOf } from "../../text/text_lines.ts";

/** The insertion of a block of lines above a rule's table and the comment lines attached to it. */
export function insertAbove(
  lines: TextLines,
  options: { readonly table: TomlTable; readonly block: string },
): Splice {
  const eol = lineEnd(lines.text);
  const line = attachedStart(lines, lineAt(lines, options.table.span.start));
  const above = kindOf(lines, line - 1);
  const block = options.block.replaceAll("\n", eol);
  // Tables that stand without a blank line between them stay so.
  const text = above === undefined || above === "blank" ? block + eol : block;
  return { start: startOf(lines, line), end: startOf(lines, line), text };
}

/** The insertion of a block of lines behind the last rule's table; behind everything when there is none. */
export function insertBelow(
  lines: TextLines,
  options: { readonly table: TomlTable | undefined; readonly block: string },
): Splice {
  const eol = lineEnd(lines.text);
  const { table } = options;
  const last = table === undefined ? lastWritten(lines) : lineAt(lines, table.end - 1);
  const line = table === undefined ? last + 1 : behindRemarks(lines, last + 1);
  const at = startOf(lines, line);
  const block = options.block.replaceAll("\n", eol);
  if (at === lines.text.length && !lines.text.endsWith("\n")) {
    return { start: at, end: at, text: eol + eol + block.slice(0, -eol.length) };
  }
  const below = kindOf(lines, line);
  const isJammed = table !== undefined && (below === "comment" || below === "other");
  return { start: at, end: at, text: isJammed ? block : eol + block };
}

/** The removal of rules' tables, in the order of the text, with the comment lines attached to them. */
export function cutTables(lines: TextLines, tables: readonly TomlTable[]): readonly Splice[] {
  return cutLines(lines, tables.map((table) => blockOf(lines, table)));
}

function blockOf(lines: TextLines, table: TomlTable): LineRange {
  const first = attachedStart(lines, lineAt(lines, table.span.start));
  return { first, last: lineAt(lines, table.end - 1) };
}

/** The line behind comment lines that follow a table directly, unless they belong to what follows them. */
function behindRemarks(lines: TextLines, line: number): number {
  let next = line;
  while (kindOf(lines, next) === "comment") next++;
  return kindOf(lines, next) === "other" ? line : next;
}

function lastWritten(lines: TextLines): number {
  let line = lines.starts.length - 1;
  while (kindOf(lines, line) === "blank") line--;
  return line;
}
