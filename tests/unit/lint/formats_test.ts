import assert from "node:assert/strict";
import { test } from "node:test";
import { LINT } from "../../../lib/cli/lint/table.ts";
import { FINDING_IDS } from "../../../lib/lint/registry.ts";
import { ANSI, PLAIN } from "../../../lib/report/color.ts";
import { LINT_FORMATS } from "../../../lib/report/formats.ts";
import { findingsText } from "../../../lib/report/lint/findings_text.ts";
import { textWidth } from "../../../lib/text/visible.ts";
import { CASES } from "./cases.ts";
import { lintText, tomlOf } from "./lint_text.ts";

const folders = { workspace: "/home/u/ws", home: "/home/u" };

test("the verb's table names every format and every finding", async () => {
  const choices = LINT.flags.find(({ name }) => name === "format")?.choices;
  assert.deepEqual(choices, LINT_FORMATS.map(({ name }) => name));
  const named = (await LINT.loadDetails?.())?.find((line) => line.startsWith("The findings: "));
  const ids = named?.slice("The findings: ".length, -1).split(", ").map((id) => id.split(" ")[0]);
  assert.deepEqual(ids, FINDING_IDS);
});

test("text for people fits 80 columns, and shows nothing that hides", () => {
  for (const { rules, text, settings } of Object.values(CASES).map(([first]) => first!)) {
    const { findings, files } = lintText(text ?? tomlOf(rules ?? [], settings));
    const style = { color: PLAIN, folders, tryCommand: () => "caliban check Bash x" };
    const shown = findingsText({ findings, files, fixed: findings }, style);
    // Patterns are not broken, so that they can be found and pasted.
    const wide = shown.split("\n").filter((line) =>
      textWidth(line) > 80 && !/"[^"]{30,}"/.test(line)
    );
    assert.deepEqual(wide.filter((line) => !line.startsWith("fixed ")), []);
    assert.doesNotMatch(shown.replaceAll("\n", ""), /\p{Cc}|\p{Cf}/u);
  }
});

test("colour only adds escapes", () => {
  const { findings, files } = lintText(tomlOf(["allow Bash:git*"]));
  const report = { findings, files, fixed: findings };
  const tryCommand = () => "caliban check Bash gitevil";
  const plain = findingsText(report, { color: PLAIN, folders, tryCommand });
  const ansi = findingsText(report, { color: ANSI, folders, tryCommand });
  assert.notEqual(ansi, plain);
  // deno-lint-ignore no-control-regex
  assert.equal(ansi.replace(/\x1b\[\d+m/g, ""), plain);
});
