import assert from "node:assert/strict";
import { test } from "node:test";
import { EVERYWHERE } from "../../../lib/cli/args/flags.ts";
import { generalHelp, usage, verbHelp } from "../../../lib/cli/help.ts";
import { VERBS } from "../../../lib/cli/registry.ts";
import { GROUP_WORDS } from "../../../lib/cli/run.ts";
import { verbName } from "../../../lib/cli/args/verb.ts";
import { textWidth } from "../../../lib/text/visible.ts";

for (const verb of VERBS) {
  test(`the table of "${verbName(verb)}" is sound`, () => {
    const names = [...verb.flags, ...EVERYWHERE].map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, "a flag stands twice");
    for (const name of names) assert.match(name, /^[a-z]+(?:-[a-z]+)*$/);
    assert.ok(verb.examples.length > 0, "an example");
    for (const { command } of verb.examples) assert.match(command, /\bcaliban /);
    const texts = [verb.summary, ...verb.flags.map(({ summary }) => summary)];
    for (const text of texts) assert.match(text, /[^.]$/, "no final full stop");
    const optional = verb.operands.findIndex((operand) => operand.optional === true);
    const last = optional === -1 ? [] : verb.operands.slice(optional);
    assert.ok(last.every((operand) => operand.optional === true), "only the last can be left out");
    assert.ok(verb.operands.slice(0, -1).every((operand) => operand.freeText !== true));
  });

  test(`help for "${verbName(verb)}" names everything and fits 80 columns`, () => {
    const help = verbHelp(verb);
    const lines = help.split("\n");
    assert.ok(lines.includes(`Usage: ${usage(verb)}`));
    for (const flag of [...verb.flags, ...EVERYWHERE]) assert.ok(help.includes(`--${flag.name}`));
    for (const { name } of verb.operands) assert.ok(help.includes(`  ${name}`));
    const commands = verb.examples.flatMap(({ command }) =>
      command.split("\n").map((line) => `  ${line}`)
    );
    for (const command of commands) assert.ok(lines.includes(command));
    const wide = lines.filter((line) => textWidth(line) > 80);
    assert.deepEqual(wide, []);
  });
}

test("caliban alone fits a screen of 24 lines and 80 columns, and shows where to begin", () => {
  const help = generalHelp([], VERBS);
  const lines = help.trimEnd().split("\n");
  assert.ok(lines.length <= 24, `${lines.length} lines`);
  assert.deepEqual(lines.filter((line) => textWidth(line) > 80), []);
  const shown = lines.flatMap((line) => /^ {2}([a-z]+(?: [a-z]+)*) {2,}/.exec(line)?.[1] ?? []);
  assert.deepEqual(shown, [
    "init",
    "hook install",
    "doctor",
    "check",
    "explain",
    "lint",
    "test",
    "diff",
    "suggest",
  ]);
});

test("help --all names every verb and fits 80 columns", () => {
  const help = generalHelp(["--all"], VERBS);
  for (const { path, summary } of VERBS) {
    assert.ok(help.includes(`  ${path.join(" ")} `));
    assert.ok(help.replaceAll(/\s+/g, " ").includes(summary));
  }
  assert.deepEqual(help.split("\n").filter((line) => textWidth(line) > 80), []);
});

test("the first words of several verbs are known, and each has help of its own", () => {
  const firsts = VERBS.filter(({ path }) => path.length > 1).map(({ path }) => path[0]!);
  assert.deepEqual([...new Set(firsts)].toSorted(), GROUP_WORDS.toSorted());
  for (const word of GROUP_WORDS) {
    const help = generalHelp([word], VERBS);
    for (const { path } of VERBS) {
      assert.equal(help.includes(`\n  ${path.join(" ")} `), path[0] === word, path.join(" "));
    }
    assert.deepEqual(help.split("\n").filter((line) => textWidth(line) > 80), []);
  }
});

test("a verb's help leads with an example", () => {
  for (const verb of VERBS) {
    const [title, second = ""] = verbHelp(verb).split("\n\n");
    const [heading = "", command = ""] = second.split("\n");
    assert.ok(title?.startsWith(verbName(verb)));
    assert.match(heading, /^Examples?:$/);
    assert.equal(command.trim(), verb.examples[0]?.command.split("\n")[0]);
  }
});
