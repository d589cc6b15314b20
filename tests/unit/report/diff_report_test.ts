import assert from "node:assert/strict";
import { test } from "node:test";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import { PLAIN } from "../../../lib/report/color.ts";
import { diffMarkdown } from "../../../lib/report/diff/diff_markdown.ts";
import type { DiffGroup, DiffReport } from "../../../lib/report/diff/diff_report.ts";
import { diffText } from "../../../lib/report/diff/diff_text.ts";
import { settingChanges } from "../../../lib/report/diff/diff_settings.ts";
import fc from "../../support/seeded.ts";

const FOLDERS = { workspace: "/w" };

function groupOf(pattern: string, command: string): DiffGroup {
  const source = {
    kind: "project",
    path: "/w/a.toml",
    line: 1,
    column: 1,
  } as const;
  return {
    effect: "loosened",
    witness: { tool: "Bash", input: { command } },
    command,
    was: { action: "ask", rule: null },
    now: {
      action: "allow",
      rule: { pattern, action: "allow", index: 0, source },
    },
  };
}

function reportOf(
  groups: readonly DiffGroup[],
  unknown: DiffReport["unknown"] = [],
): DiffReport {
  return {
    old: "a",
    new: "b",
    settings: [],
    groups,
    unknown,
    folders: FOLDERS,
  };
}

test("Markdown of hostile text stays in its code span, on its line", () => {
  const text = fc.array(
    fc.constantFrom(
      "`",
      "``",
      " ",
      "\n",
      "|",
      "<img>",
      "@team",
      "*",
      "\u202e",
      "[a](b)",
      "\\",
      "x",
    ),
    { minLength: 1, maxLength: 12 },
  ).map((parts) => parts.join(""));
  fc.assert(fc.property(text, (hostile) => {
    const lines = diffMarkdown(reportOf([groupOf(hostile, hostile)])).split(
      "\n",
    );
    const call = lines.find((line) => line.startsWith("  - call: ")) ?? "";
    assert.equal(lines.length, 9);
    const body = call.slice("  - call: ".length);
    if (body === "(blank)") return;
    const [fence = ""] = /^`+/.exec(body) ?? [];
    const inner = body.slice(fence.length, body.length - fence.length);
    assert.ok(body.endsWith(fence) && fence !== "");
    // No run of backticks inside is as long as the fence, so that it ends where it should.
    for (const [run] of inner.matchAll(/`+/g)) {
      assert.ok(run.length < fence.length);
    }
    assert.doesNotMatch(body, /[\n\u202e]/);
  }));
});

test("Markdown fits a comment however much there is", () => {
  const groups = Array.from(
    { length: 5000 },
    (_each, index) => groupOf(`Bash:a${index}`, "a b"),
  );
  const text = diffMarkdown(reportOf(groups, [{ kind: "tried", text: "<b>why</b> @all" }]));
  assert.ok(text.length < 65_536);
  assert.match(text, /and \d+ more changes; `--format json` prints all of them/);
  assert.ok(text.includes("&#60;b&#62;why&#60;/b&#62; &#64;all"));
});

test("text shows hidden characters and says what is not known", () => {
  const text = diffText(
    reportOf([groupOf("Bash:\u202e*", "a\u001b[2J")], [{ kind: "open", text: "why not" }]),
    PLAIN,
  );
  assert.ok(!text.includes("\u202e") && !text.includes("\u001b"));
  assert.match(text, /not compared exactly:\n {2}- why not/);
  assert.match(diffText(reportOf([]), PLAIN), /decide every call the same way/);
  assert.match(
    diffText(reportOf([], [{ kind: "open", text: "why not" }]), PLAIN),
    /Found no difference/,
  );
});

test("settings that let more run are told as loosened", () => {
  const changes = (old: string, now: string) =>
    settingChanges(policyFromToml(old), policyFromToml(now))
      .map(({ name, effect }) => `${name} ${effect}`);
  const mode = (name: string) => `[permissions]\ndefault_mode = "${name}"\n`;
  assert.deepEqual(changes("", ""), []);
  assert.deepEqual(changes("", mode("default")), []);
  assert.deepEqual(changes("", mode("dontAsk")), ["default_mode loosened"]);
  assert.deepEqual(changes(mode("acceptEdits"), ""), [
    "default_mode tightened",
  ]);
  assert.deepEqual(changes(mode("plan"), mode("default")), [
    "default_mode loosened",
  ]);
  assert.deepEqual(changes("", '[permissions]\nshell = "literal"\n'), [
    "shell loosened",
  ]);
  assert.deepEqual(changes("", '[shell]\nwrappers = ["mise exec"]\n'), [
    "wrappers unclear",
  ]);
  assert.deepEqual(changes("", '[tools.x]\nfirst_arg = "sql"\n'), [
    "tools unclear",
  ]);
  const command = '{ type = "command", command = "x" }';
  const hook = `[[hooks.PreToolUse]]\nmatcher = "Bash"\nhooks = [${command}]\n`;
  assert.deepEqual(changes("", hook), ["hooks unclear"]);
  assert.deepEqual(changes(`# a\n${hook}`, hook), []);
});
