import assert from "node:assert/strict";
import { test } from "node:test";
import { EVERYWHERE } from "../../../lib/cli/args/flags.ts";
import { generalHelp, usage, verbHelp } from "../../../lib/cli/help.ts";
import { VERBS } from "../../../lib/cli/registry.ts";
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

  test(`"${verbName(verb)}" can be loaded`, async () => {
    assert.equal(typeof (await verb.load()).run, "function");
  });
}

test("general help names every verb and fits 80 columns", () => {
  const help = generalHelp([], VERBS);
  for (const { path, summary } of VERBS) {
    assert.ok(help.includes(`  ${path.join(" ")} `));
    assert.ok(help.replaceAll(/\s+/g, " ").includes(summary));
  }
  assert.deepEqual(help.split("\n").filter((line) => textWidth(line) > 80), []);
});
