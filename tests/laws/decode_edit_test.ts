import assert from "node:assert/strict";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import type { PolicyFile } from "../../lib/model/rule.ts";
import type { EditResult } from "../../lib/policy/edit/edit_rules.ts";
import { decodePolicy } from "../../lib/policy/decode/decode_policy.ts";
import { insertInList } from "../../lib/policy/edit/edit_lists.ts";
import { insertRule, removeRules } from "../../lib/policy/edit/edit_rules.ts";
import { type Action, ACTIONS, strictness } from "../../lib/model/call.ts";
import { ruleBlock } from "../../lib/policy/edit/policy_pairs.ts";
import { arrayFile, listFile, newRule, tableFile, text as anyText } from "./decode_texts.ts";

const place = fc.option(fc.nat(20), { nil: undefined });

/** The content of a file without places. */
function meaning(file: PolicyFile) {
  assert.deepEqual(file.problems, []);
  const rules = file.rules.map(({ pattern, action, comment, reason, expiresAt }) => ({
    pattern: pattern.value,
    action,
    comment,
    reason,
    expiresAt,
  }));
  const tools = [...file.tools].map(([name, tool]) => [name, tool.value]);
  const { shell, enforce, wrappers } = file.settings;
  const names = wrappers?.value.map(({ value }) => value);
  return { rules, tools, shell: shell?.value, enforce: enforce?.value, wrappers: names };
}

function textOf(result: EditResult): string {
  assert.ok(result.ok, result.ok ? "" : result.problem.message);
  return result.text;
}

/** True if all of `part` stands in `whole`, in order. */
function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  let index = 0;
  for (const it of whole) if (index < part.length && it === part[index]) index++;
  return index === part.length;
}

function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)/).map((line) => line.trimEnd());
}

function longestBlank(text: string): number {
  const runs = text.match(/(?:^|(?<=\n))(?:[ \t]*\r?\n)+/g) ?? [];
  return Math.max(0, ...runs.map((run) => run.split("\n").length - 1));
}

const FORMS = [["tables", tableFile], ["an inline array", arrayFile], ["lists", listFile]] as const;

for (const [name, file] of FORMS.slice(0, 2)) {
  test(`a rule inserted into ${name} stands at its place and changes nothing else`, () => {
    fc.assert(
      fc.property(file, newRule, place, (text, rule, wanted) => {
        const old = meaning(decodePolicy(text));
        const count = old.rules.length;
        const before = wanted === undefined ? undefined : wanted % (count + 1);
        const edited = textOf(insertRule(text, rule, { before }));
        const [added] = meaning(decodePolicy(ruleBlock(rule))).rules;
        assert.ok(added !== undefined);
        const expected = old.rules.toSpliced(before ?? count, 0, added);
        assert.deepEqual(meaning(decodePolicy(edited)), { ...old, rules: expected });
        if (text.trim() === "") return;
        assert.equal(edited.endsWith("\n"), text.endsWith("\n"), "last line end");
        assert.equal(/(?<!\r)\n/.test(edited), /(?<!\r)\n/.test(text) || !text.includes("\n"));
        if (name === "tables") assert.ok(isInsertion(text, edited), edited);
        assert.equal(textOf(removeRules(edited, [before ?? count])), text, "removed again");
      }),
      { numRuns: 700 },
    );
  });
}

for (const [name, file] of FORMS) {
  test(`rules removed from ${name} are gone and nothing else is`, () => {
    fc.assert(
      fc.property(file, fc.array(fc.nat(20), { maxLength: 4 }), (text, wanted) => {
        const old = meaning(decodePolicy(text));
        const indexes = old.rules.length === 0 ? [] : wanted.map((it) => it % old.rules.length);
        const edited = textOf(removeRules(text, indexes));
        const expected = old.rules.filter((_, index) => !indexes.includes(index));
        assert.deepEqual(meaning(decodePolicy(edited)), { ...old, rules: expected });
        if (indexes.length === 0) assert.equal(edited, text);
        if (name === "tables") {
          assert.ok(isWithin(linesOf(edited), linesOf(text)), edited);
          assert.ok(longestBlank(edited) <= longestBlank(text), edited);
        }
      }),
      { numRuns: 700 },
    );
  });
}

test("a rule inserted into its list stands at its place, or higher, and changes nothing else", () => {
  const count = { inserted: 0, refused: 0 };
  const rule = fc.record({ pattern: anyText, action: fc.constantFrom(...ACTIONS) });
  fc.assert(
    fc.property(listFile, rule, place, (text, rule, wanted) => {
      const old = meaning(decodePolicy(text));
      const size = old.rules.length;
      const before = wanted === undefined ? undefined : wanted % (size + 1);
      const stricter = old.rules.filter((each) => isStricter(each, rule)).length;
      const upTo = old.rules.filter((each) => !isStricter(rule, each)).length;
      const result = insertInList(text, rule, { before });
      assert.equal(result.ok, (before ?? size) >= stricter);
      if (!result.ok) return void count.refused++;
      count.inserted++;
      const at = Math.min(before ?? size, upTo);
      const added = { ...rule, comment: undefined, reason: undefined, expiresAt: undefined };
      const expected = { ...old, rules: old.rules.toSpliced(at, 0, added) };
      assert.deepEqual(meaning(decodePolicy(result.text)), expected);
      assert.ok(isWithin([...text], [...result.text]), result.text);
      // A text of one line says nothing about the line ends of a list that is added to it.
      if (text.includes("\n")) {
        assert.equal(/(?<!\r)\n/.test(result.text), /(?<!\r)\n/.test(text));
      }
      const again = decodePolicy(textOf(removeRules(result.text, [at])));
      assert.deepEqual(meaning(again), old, "removed again");
    }),
    { numRuns: 700 },
  );
  assert.ok(count.inserted > enough(200) && count.refused > enough(20), JSON.stringify(count));
});

function isStricter(one: { action: Action }, other: { action: Action }): boolean {
  return strictness(one.action) > strictness(other.action);
}

/** True if `edited` is `text` with one piece put in. */
function isInsertion(text: string, edited: string): boolean {
  let start = 0;
  while (start < text.length && text[start] === edited[start]) start++;
  let end = 0;
  while (end < text.length - start && text.at(-1 - end) === edited.at(-1 - end)) end++;
  return start + end === text.length && edited.length > text.length;
}
