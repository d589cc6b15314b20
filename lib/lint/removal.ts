import type { Fix, TextEdit } from "../model/problem.ts";
import type { Rule } from "../model/rule.ts";
import { matchGlob } from "../pattern/glob.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";
import type { CompiledRule } from "../policy/compile/compiled_policy.ts";
import { type RuleRemover, ruleRemover } from "../policy/edit/edit_rules.ts";
import { applySplices, type Splice } from "../text/splice.ts";
import { lineAt, startOf } from "../text/text_lines.ts";
import type { LintContext, LintedFile, LintedRule } from "./check.ts";

/** The fix that removes a rule and changes no verdict; none for a file in an older format, which is not edited. */
export function removal({ file, at }: LintedRule): { readonly fix?: Fix } {
  let remover = removers.get(file);
  if (!remover) removers.set(file, remover = ruleRemover(file.text));
  if ("problem" in remover) return {};
  const edits = [editOf(remover.cut([at]), { file, remover })];
  return { fix: { title: "Remove the rule", verdicts: "same", edits, removesRule: true } };
}

const removers = new WeakMap<LintedFile, ReturnType<typeof ruleRemover>>();

/** The length of the text around the cuts that is compared, in UTF-16 code units. */
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

/** The part of a text that another one replaces: everything between their common beginning and end. */
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
  // A cut that could begin a few characters earlier begins with a line.
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

/**
 * True if nothing changes without a rule, so that it may be removed unasked. Never true of a deny or ask for files or URLs:
 * its presence makes operands that the line does not fix (`rm "$f"`) a question, even if it never decides.
 */
export function isRemovable(
  rule: CompiledRule,
  { analysis, policy }: Pick<LintContext, "analysis" | "policy">,
): boolean {
  if (checksOperands(rule, policy.profiles)) return false;
  const redundancy = analysis.redundancy(rule);
  return redundancy.kind === "redundant" && redundancy.precision === "every call";
}

function checksOperands(
  { action, parsed }: Pick<Rule, "action"> & Pick<CompiledRule, "parsed">,
  { known }: ToolProfiles,
): boolean {
  if (action === "allow") return false;
  return known.some(({ name, kind, searches }) =>
    (kind === "path" || kind === "url" || searches !== undefined) && matchGlob(parsed.tool, name)
  );
}
