import type { Fix, TextEdit } from "../model/finding.ts";
import { ruleRemover } from "../policy/edit_rules.ts";
import { spanAt } from "../policy/problems.ts";
import type { LintedFile, LintedRule } from "./lint_context.ts";

/** The fix that takes a rule out and changes no verdict; none for a file in an older shape, which is not edited. */
export function removal({ file, at }: LintedRule): { readonly fix?: Fix } {
  let remove = removers.get(file);
  if (!remove) removers.set(file, remove = ruleRemover(file.text));
  const removed = remove([at]);
  if (!removed.ok) return {};
  const edits = [difference(file.text, removed.text)];
  return { fix: { title: "Remove the rule", verdicts: "same", edits, removesRule: true } };
}

const removers = new WeakMap<LintedFile, ReturnType<typeof ruleRemover>>();

/** What of a text is replaced in another: all between what both begin and end with. */
function difference(before: string, after: string): TextEdit {
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
  return {
    span: spanAt(before, { offset: start, length }),
    text: after.slice(start, after.length - end),
  };
}
