import { parseTOML } from "toml-eslint-parser";
import type { AST } from "toml-eslint-parser";

/** A header, a pair or a comment on lines of its own, in the order of the text. */
export interface TomlStatement {
  readonly kind: "header" | "pair" | "comment";
  /** The header's table or the pair; undefined for a comment. */
  readonly node?: AST.TOMLTable | AST.TOMLKeyValue;
  /** The comment, or the one behind a header or pair; empty for none. */
  readonly comment: string;
  /** Its first line, from 1. */
  readonly line: number;
  /** True if there is a blank line above it. */
  readonly gap: boolean;
}

/** A comment within a value. */
export interface InnerComment {
  /** Its text, with the `#`. */
  readonly text: string;
  readonly start: number;
  /** Its line, from 1. */
  readonly line: number;
}

export interface TomlStatements {
  readonly items: readonly TomlStatement[];
  /** The comments within values, in order. */
  readonly inner: readonly InnerComment[];
}

interface Placed extends Omit<TomlStatement, "gap"> {
  readonly last: number;
}

/** The items of a TOML text. Throws ParseError. */
export function tomlStatements(text: string): TomlStatements {
  const program = parseTOML(text);
  const statements = program.body[0].body.flatMap((node) =>
    node.type === "TOMLTable" ? [node, ...node.body] : [node]
  );
  const inner: InnerComment[] = [];
  const own: Placed[] = [];
  const trailing = new Map<AST.TOMLTable | AST.TOMLKeyValue, string>();
  let index = 0;
  for (const { range, loc } of program.comments) {
    const [start, end] = range;
    const shown = text.slice(start, end).trimEnd();
    while (index < statements.length && startOf(statements[index + 1]) <= start) index++;
    const before = statements[index];
    const isAfter = before !== undefined && before.range[0] < start;
    if (isAfter && before.type === "TOMLKeyValue" && start < before.range[1]) {
      inner.push({ text: shown, start, line: loc.start.line });
    } else if (isAfter && lastLine(before) === loc.start.line) trailing.set(before, shown);
    else own.push({ kind: "comment", comment: shown, line: loc.start.line, last: loc.start.line });
  }
  const placed = statements.map((node): Placed => ({
    kind: node.type === "TOMLTable" ? "header" : "pair",
    node,
    comment: trailing.get(node) ?? "",
    line: node.loc.start.line,
    last: lastLine(node),
  }));
  const all = [...placed, ...own].toSorted((a, b) => a.line - b.line);
  const items = all.map(({ last: _, ...item }, at) => ({
    ...item,
    gap: at > 0 && item.line > all[at - 1]!.last + 1,
  }));
  return { items, inner };
}

function startOf(node: AST.TOMLTable | AST.TOMLKeyValue | undefined): number {
  return node?.range[0] ?? Infinity;
}

/** The line on which a pair, or the header of a table, ends. */
function lastLine(node: AST.TOMLTable | AST.TOMLKeyValue): number {
  return (node.type === "TOMLTable" ? node.key : node).loc.end.line;
}
