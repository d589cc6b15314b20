import type { Problem } from "../../model/problem.ts";
import { applySplices, cutLines, type Splice } from "../../text/splice.ts";
import {
  attachedStart,
  kindOf,
  lineAt,
  lineEnd,
  type LineRange,
  linesOf,
  startOf,
  type TextLines,
} from "../../text/text_lines.ts";
import type { TomlArray, TomlDocument, TomlTable } from "../../text/toml_node.ts";
import { parseToml } from "../../text/toml_tree.ts";
import { decodePolicy } from "../decode/decode_policy.ts";
import { cutElements, insertElements } from "./edit_array.ts";
import { countInLists, cutFromLists } from "./edit_lists.ts";
import { additionRefusal, removalOf } from "./edit_refusal.ts";
import { plainTables, type RuleTable } from "./plain_tables.ts";
import { inlineRule, type NewRule, ruleBlock } from "./policy_pairs.ts";

/**
 * The edited text, or the reason for a refusal: then `about` is the text that the problem's span points into, the file's or
 * that of the new rule alone.
 */
export type EditResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: Problem; readonly about: string };

/** The first line of a file that caliban creates: editors complete and check it by the schema beside it. */
export const SCHEMA_LINE = "#:schema ./permissions.schema.json";

/**
 * Inserts a rule into the text of a permissions.toml, without its byte order mark; everything else stays byte for byte.
 * `before` is the index of the rule above which it goes; undefined is the end of the rules. Throws RangeError if no rule
 * has that index.
 */
export function insertRule(
  text: string,
  rule: NewRule,
  { before }: { readonly before: number | undefined },
): EditResult {
  return refusedRule(rule) ?? insertRules(text, [{ before, rules: [rule] }]);
}

/** The refusal of a rule that no file can hold, if it is one. */
export function refusedRule(rule: NewRule): Extract<EditResult, { ok: false }> | undefined {
  const block = ruleBlock(rule);
  const [problem] = decodePolicy(block).problems;
  return problem === undefined ? undefined : { ok: false, problem, about: block };
}

/** Rules that go to one place, in their order: above the rule of that index, or to the end. */
export interface RuleRun {
  readonly before: number | undefined;
  /** One at least, none of them refused. */
  readonly rules: readonly NewRule[];
}

/** Inserts rules in different places of one text, as `insertRule` does it one after the other; the text is parsed once. */
export function insertRules(text: string, runs: readonly RuleRun[]): EditResult {
  const plain = plainTables(text);
  if (plain !== undefined) {
    return { ok: true, text: insertTables(linesOf(plain), { ...plain, runs }) };
  }
  const document = parseToml(text);
  const problem = additionRefusal(document);
  if (problem !== undefined) return { ok: false, problem, about: text };
  const array = rulesOf(document);
  if (/^[ \t\r\n]*$/.test(text)) {
    const rules = runs.flatMap(({ before, rules }) => {
      checkPlace(before, 0);
      return rules;
    });
    return { ok: true, text: newFile(text, rules.map(ruleBlock).join("\n")) };
  }
  const lines = linesOf(document);
  if (array?.form !== "inline") {
    return { ok: true, text: insertTables(lines, { tables: tablesOf(array), runs }) };
  }
  const splices = runs.flatMap(({ before, rules }) =>
    insertElements(lines, {
      array,
      before: checkPlace(before, array.elements.length),
      texts: rules.map(inlineRule),
    })
  );
  return { ok: true, text: applySplices(text, splices) };
}

/** The text with the tables of rules above others, or below the last. */
function insertTables(
  lines: TextLines,
  { tables, runs }: { readonly tables: readonly RuleTable[]; readonly runs: readonly RuleRun[] },
): string {
  const splices = runs.map(({ before, rules }) => {
    const at = checkPlace(before, tables.length);
    const next = at === undefined ? undefined : tables[at];
    const blocks = rules.map((rule) => ruleBlock(rule).replaceAll("\n", lineEnd(lines.text)));
    return next === undefined
      ? insertBelow(lines, { table: tables.at(-1), blocks })
      : insertAbove(lines, { table: next, blocks });
  });
  return applySplices(lines.text, splices);
}

/** The index above which a rule goes; undefined for the end. Throws RangeError if there is no such rule. */
function checkPlace(before: number | undefined, count: number): number | undefined {
  if (before === undefined || before === count) return undefined;
  checkIndex(before, count);
  return before;
}

/**
 * Removes the rules at the indexes from the text of a permissions.toml, each with the comment lines directly above it;
 * everything else stays byte for byte. Throws RangeError if no rule has one of the indexes.
 */
export function removeRules(text: string, indexes: readonly number[]): EditResult {
  const remover = ruleRemover(text);
  if ("problem" in remover) return { ok: false, problem: remover.problem, about: text };
  return { ok: true, text: applySplices(text, remover.cut(indexes)) };
}

/** Removes rules from one text, which is parsed once. */
export interface RuleRemover {
  /** The text's lines. */
  readonly lines: TextLines;
  /**
   * The cuts that remove the rules at these indexes. Throws RangeError if there is no such rule.
   */
  cut(indexes: readonly number[]): readonly Splice[];
}

/** The remover of a text's rules, or the problem why they cannot be edited. */
export function ruleRemover(text: string): RuleRemover | { readonly problem: Problem } {
  const plain = plainTables(text);
  if (plain !== undefined) return tableRemover(linesOf(plain), plain.tables);
  const document = parseToml(text);
  const { problem, isOfLists } = removalOf(document);
  if (problem !== undefined) return { problem };
  const array = rulesOf(document);
  const lines = linesOf(document);
  if (isOfLists) {
    const count = countInLists(document);
    return { lines, cut: (indexes) => cutFromLists(document, checkedIndexes(indexes, count)) };
  }
  if (array?.form !== "inline") return tableRemover(lines, tablesOf(array));
  return {
    lines,
    cut: (indexes) =>
      cutElements(lines, { array, indexes: checkedIndexes(indexes, array.elements.length) }),
  };
}

/** The remover of rules that are tables under headers. */
function tableRemover(lines: TextLines, tables: readonly RuleTable[]): RuleRemover {
  return {
    lines,
    cut: (indexes) =>
      cutTables(lines, checkedIndexes(indexes, tables.length).map((index) => tables[index]!)),
  };
}

/** The indexes once each, in order. Throws RangeError if there is no such rule. */
function checkedIndexes(indexes: readonly number[], count: number): readonly number[] {
  const ordered = [...new Set(indexes)].sort((a, b) => a - b);
  for (const index of ordered) checkIndex(index, count);
  return ordered;
}

function newFile(text: string, block: string): string {
  return `${SCHEMA_LINE}\n\n${block}`.replaceAll("\n", lineEnd(text)) + text;
}

function rulesOf(document: TomlDocument): TomlArray | undefined {
  const permissions = document.root.members.get("permissions")?.value;
  const rules = permissions?.type === "table" ? permissions.members.get("rules")?.value : undefined;
  return rules?.type === "array" ? rules : undefined;
}

function tablesOf(array: TomlArray | undefined): readonly TomlTable[] {
  return array?.elements.filter((item) => item.type === "table") ?? [];
}

function checkIndex(index: number, count: number): void {
  if (Number.isInteger(index) && index >= 0 && index < count) return;
  throw new RangeError(`Cannot edit rule ${index}: the file has ${count} rules`);
}

/** The insertion of blocks of lines above a rule's table and the comment lines attached to it. */
function insertAbove(
  lines: TextLines,
  { table, blocks }: { readonly table: RuleTable; readonly blocks: readonly string[] },
): Splice {
  const line = attachedStart(lines, lineAt(lines, table.span.start));
  const above = kindOf(lines, line - 1);
  // Tables without a blank line between them stay like that.
  const gap = above === undefined || above === "blank" ? lineEnd(lines.text) : "";
  const text = blocks.map((block) => block + gap).join("");
  return { start: startOf(lines, line), end: startOf(lines, line), text };
}

/** The insertion of blocks of lines behind the last rule's table; behind everything when there is none. */
function insertBelow(
  lines: TextLines,
  { table, blocks }: { readonly table: RuleTable | undefined; readonly blocks: readonly string[] },
): Splice {
  const eol = lineEnd(lines.text);
  const last = table === undefined ? lastWritten(lines) : lineAt(lines, table.end - 1);
  const line = table === undefined ? last + 1 : behindRemarks(lines, last + 1);
  const at = startOf(lines, line);
  if (at === lines.text.length && !lines.text.endsWith("\n")) {
    const text = blocks.map((block) => eol + eol + block.slice(0, -eol.length)).join("");
    return { start: at, end: at, text };
  }
  const below = kindOf(lines, line);
  const isJammed = table !== undefined && (below === "comment" || below === "other");
  return {
    start: at,
    end: at,
    text: blocks.map((block) => isJammed ? block : eol + block).join(""),
  };
}

/** The removal of rules' tables, in the order of the text, with the comment lines attached to them. */
function cutTables(lines: TextLines, tables: readonly RuleTable[]): readonly Splice[] {
  return cutLines(lines, tables.map((table) => blockOf(lines, table)));
}

function blockOf(lines: TextLines, table: RuleTable): LineRange {
  const first = attachedStart(lines, lineAt(lines, table.span.start));
  return { first, last: lineAt(lines, table.end - 1) };
}

/** The line after comments that directly follow a table, unless they belong to the next table. */
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
