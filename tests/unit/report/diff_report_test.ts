import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import { PLAIN } from "../../../lib/report/color.ts";
import { diffMarkdown } from "../../../lib/report/diff/diff_markdown.ts";
import type { DiffGroup, DiffReport } from "../../../lib/report/diff/diff_report.ts";
import { diffText } from "../../../lib/report/diff/diff_text.ts";
import { settingChanges } from "../../../lib/report/diff/diff_settings.ts";
import { visible } from "../../../lib/text/visible.ts";
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

/** The text that a reader of Markdown shows for a cell with code. */
function shownIn(cell: string): string {
  const inner = /^<code>(.*)<\/code>$/.exec(cell)?.[1] ?? "";
  return inner.replace(/&#(\d+);/g, (_all, digits) => String.fromCodePoint(Number(digits)));
}

test("Markdown of hostile text stays in its cell, on its line", () => {
  const text = fc.array(
    fc.constantFrom(
      ...["`", "``", " ", "\n", "|", "\\|", "\\", "<img>", "</code>", "<!-- caliban -->", "@team"],
      ...[
        "#1",
        "*",
        "\u202e",
        "[a](b)",
        "https://a.example",
        "www.a.example",
        "$a$",
        "::error::",
        "&#124;",
        "x",
      ],
    ),
    { minLength: 1, maxLength: 12 },
  ).map((parts) => parts.join(""));
  fc.assert(fc.property(text, (hostile) => {
    const lines = diffMarkdown(reportOf([groupOf(hostile, hostile)])).split("\n");
    assert.equal(lines.length, 8);
    const row = lines[6]!;
    assert.equal(row.split("|").length, 7, row);
    const [, , rule = "", , , call = ""] = row.split("|").map((cell) => cell.trim());
    const shown = visible(hostile);
    for (const cell of [rule.split("<br>")[0]!, call]) {
      if (cell === "(blank)") {
        assert.equal(shown.trim(), "");
        continue;
      }
      assert.equal(shownIn(cell), shown);
      const inner = cell.slice("<code>".length, -"</code>".length).replace(/&#\d+;/g, "");
      assert.doesNotMatch(inner, /[`*_[\]<>|\\&~$@#!\n\u202e]|:\/\/|www/);
    }
  }));
});

test("Markdown fits a comment however much there is", () => {
  const groups = Array.from(
    { length: 5000 },
    (_each, index) => groupOf(`Bash:a${index}`, "a b"),
  );
  const gap = { kind: "tried", text: "<b>why</b> @all #1 www.a.example" } as const;
  const text = diffMarkdown(reportOf(groups, [gap]));
  assert.ok(text.length < 65_536);
  assert.match(text, /and \d+ more changes; `--format json` prints all of them/);
  assert.ok(text.includes("&#60;b&#62;why&#60;/b&#62; @&#8203;all #&#8203;1 ww&#119;.a.example"));
  const gaps = diffMarkdown(reportOf(groups, Array.from({ length: 5000 }, () => gap)));
  assert.ok(gaps.length < 65_536);
  assert.match(gaps, /and \d+ more changes[^]*and \d+ more gaps/);
  const long = groupOf("\\".repeat(9000), "|".repeat(9000));
  assert.match(diffMarkdown(reportOf([long])), /…<\/code> \|\n$/);
});

test("Markdown has one row for the groups that a change of one rule makes, and shortens commits", () => {
  const rule = (pattern: string, action: "allow" | "ask" | "deny", kind: "project" | "builtin") =>
    ({
      pattern,
      action,
      index: 0,
      source: {
        kind,
        path: `git:${"0123456789abcdef".repeat(3).slice(0, 40)}:a.toml`,
        line: 1,
        column: 1,
      },
    }) as const;
  const now = { action: "allow", rule: rule("Bash(git push:*)", "allow", "project") } as const;
  const group = (was: DiffGroup["was"], command: string): DiffGroup => ({
    ...{
      effect: "loosened",
      witness: { tool: "Bash", input: { command } },
      command,
      was,
      now,
      changed: "now",
    },
  });
  const groups = [
    group({ action: "ask", rule: rule("Bash(git push:*)", "ask", "project") }, "first"),
    group({ action: "ask", rule: rule("Bash", "ask", "builtin") }, "second"),
    group({ action: "ask", rule: null }, "third"),
    group({ action: "ask", rule: rule("Bash(timeout:*)", "ask", "project") }, "other rule"),
    group({ action: "deny", rule: rule("Bash", "ask", "builtin") }, "other action"),
  ];
  const text = diffMarkdown({ ...reportOf(groups), old: `git:${"a".repeat(40)}` });
  const calls = [...text.matchAll(/<code>([a-z ]+)<\/code> \|$/gm)].map(([, call]) => call);
  assert.deepEqual(calls, ["first", "other rule", "other action"]);
  assert.match(text, /^### Policy: 3 loosened$/m);
  assert.match(text, /ask by <code>Bash\(timeout:&#42;\)<\/code>/);
  assert.match(text, /<code>git:aaaaaaaaaa<\/code>/);
  assert.match(text, /<code>git:0123456789:a\.toml:1:1<\/code>/);
  const removed = {
    ...groups[0]!,
    now: { action: "allow", rule: rule("Bash:*", "allow", "project") },
    changed: "was",
  } as const;
  assert.match(
    diffMarkdown(reportOf([removed])),
    /\| <code>Bash\(git push:&#42;\)<\/code><br>.* \| ask \| allow by <code>Bash:&#42;<\/code>/,
  );
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
