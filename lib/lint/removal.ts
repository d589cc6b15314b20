import type { Fix, TextEdit } from "../model/finding.ts";
import { type RuleRemover, ruleRemover } from "../policy/edit/edit_rules.ts";
import { applySplices, type Splice } from "../text/splice.ts";
import { lineAt, startOf } from "../text/text_lines.ts";
import type { LintedFile, LintedRule } from "./lint_context.ts";

/** The fix that takes a rule out and changes no verdict; none for a file in an older shape, which is not edited. */
export function removal({ file, at }: LintedRule): { readonly fix?: Fix } {
  let remover = removers.get(file);
  if (!remover) removers.set(file, remover = ruleRemover(file.text));
  if ("problem" in remover) return {};
  const edits = [editOf(remover.cut([at]), { file, remover })];
  return { fix: { title: "Remove the rule", verdicts: "same", edits, removesRule: true } };
}

const removers = new WeakMap<LintedFile, ReturnType<typeof ruleRemover>>();

/** So much around the cuts is looked at, in UTF-16 code units. */
const AROUND = 4096;

/** The cuts as one edit. */
function editOf(
  cuts: readonly Splice[],
  { file: { text }, remover: { lines } }: { file: LintedFile; remover: RuleRemover },
): TextEdit {
  const from = Math.max(0, Math.min(...cuts.map(({ start }) => start)) - AROUND);
  const to = Math.max(...cuts.map(({ end }) => end)) + AROUND;
  const before = text.slice(from, to);
  const moved = cuts.map(({ start, end, text: put }) => ({
    start: start - from,
    end: end - from,
    text: put,
  }));
  const { start, length, text: put } = difference(before, applySplices(before, moved));
  const at = from + start;
  const line = lineAt(lines, at);
  const column = at - startOf(lines, line) + 1;
  return { span: { start: at, end: at + length, line: line + 1, column }, text: put };
}

/** What of a text is replaced in another: all between what both begin and end with. */
function difference(
  before: string,
  after: string,
): { readonly start: number; readonly length: number; readonly text: string } {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start++;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const length = before.length - end - start;
  // A cut that could as well begin a few characters earlier begins with a line.
  if (after.length === least) {
    while (
      /[^\n]/.test(before[start - 1] ?? "\n") && before[start - 1] === before[start + length - 1]
    ) {
      start--;
      end++;
    }
  }
  return { start, length, text: after.slice(start, after.length - end) };
}
