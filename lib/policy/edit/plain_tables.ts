import type { TomlDocument, TomlTable } from "../../text/toml_node.ts";
import { decodeFast } from "../decode/decode_fast.ts";
import { PlainLines } from "../decode/plain_lines.ts";

/** The place of a rule in a text: its table under a header. */
export type RuleTable = Pick<TomlTable, "span" | "end">;

/** The parts of a document that the removal of rules needs. */
export interface PlainTables extends Pick<TomlDocument, "text" | "comments"> {
  /** The tables of the rules, in order. */
  readonly tables: readonly RuleTable[];
}

/**
 * The tables of a text that `decodeFast` takes, as its tree has them, but without that tree, which is large. Undefined for any
 * other text, for one with a list that goes over several lines, and for one without rules under headers. `comments` has only those that have a line of their own.
 */
export function plainTables(text: string): PlainTables | undefined {
  const file = decodeFast(text);
  const lines = PlainLines.of(text);
  if (file === undefined || file.rules.length === 0 || lines === undefined) return undefined;
  if (file.shape !== "canonical") return undefined;
  const tables: { span: RuleTable["span"]; end: number }[] = [];
  const comments: number[] = [];
  let table: (typeof tables)[number] | undefined;
  for (let line = lines.next(); line !== "end"; line = lines.next()) {
    // Only the tree knows the comments in a list.
    if (lines.goesOn()) return undefined;
    const { start } = lines.span();
    if (line === "blank" && text[start] === "#") comments.push(start);
    else if (line === "rules") {
      table = { span: lines.span(), end: lines.span().end };
      tables.push(table);
    } else if (line === "pair" && table !== undefined) table.end = lines.valueSpan().end;
    else if (line !== "blank") table = undefined;
  }
  return { text, comments, tables };
}
