import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import { COMMAND_CLASSES } from "../../../lib/model/call.ts";
import type { AskQuestion, CallPlaces } from "../../../lib/model/verdict.ts";
import { answerText, questionLines } from "../../../lib/prompt/question_text.ts";
import { initialPrompt, type PromptState } from "../../../lib/prompt/prompt_state.ts";
import { promptScreen } from "../../../lib/prompt/prompt_screen.ts";
import { fieldOf } from "../../../lib/prompt/text_field.ts";
import { ANSI, PLAIN } from "../../../lib/report/color.ts";
import { textWidth } from "../../../lib/text/visible.ts";
import { decisionOf, RULE } from "../audit/decisions.ts";
import { questionOf } from "./questions.ts";

const TEXT = { color: PLAIN, folders: { workspace: "/w" }, columns: 80 };

// deno-lint-ignore no-control-regex
const STYLE = /\x1b\[\d+m/g;

function shown(question: AskQuestion): string {
  return questionLines(question, TEXT).join("\n");
}

test("a question shows the call, its rule with its place, and the rule's comment", () => {
  const rule = { ...RULE, comment: "others see it" };
  const call = { tool: "Bash", input: { command: "git push", timeout: 5 }, cwd: "/w/src" };
  const decision = decisionOf(call, [{ text: "git push", kind: "call", rule }]);
  assert.equal(
    shown({ call, decision, scopes: [] }),
    [
      "May Bash do this in /w/src?",
      "│ git push",
      "│ timeout: 5",
      "",
      "  ask   Bash:git *, project, .caliban/permissions.toml:4:1",
      "  comment: others see it",
    ].join("\n"),
  );
});

/** Places of a call in that folder, with files that are not what is written. */
function placesOf(folder: CallPlaces["folder"], files: CallPlaces["files"] = []): CallPlaces {
  return { workspace: "/w", folder, files, fingerprint: "" };
}

const TITLES: readonly (readonly [places: CallPlaces["folder"], title: string])[] = [
  [{ text: "/w" }, "May Bash do this in the workspace /w?"],
  [{ text: "/w/src" }, "May Bash do this in /w/src, in the workspace /w?"],
  [{ text: "/etc", isOutside: true }, "May Bash do this in /etc, outside of the workspace /w?"],
  [
    { text: "/w/out", real: "/etc", isOutside: true },
    "May Bash do this in /w/out, which leads to /etc, outside of the workspace /w?",
  ],
  [
    { text: "/w/x", isUnknown: true },
    "May Bash do this in /w/x, whose links cannot be followed, in the workspace /w?",
  ],
];

test("the title names the folder of the call, the workspace, and a folder outside of it", () => {
  for (const [folder, title] of TITLES) {
    const question = questionOf("make", { places: placesOf(folder) });
    const lines = questionLines(question, { ...TEXT, columns: 120 });
    assert.equal(lines[0], title);
  }
});

test("the real place of a file behind a link is shown, and that it is outside of the workspace", () => {
  const files = [
    { text: "in", real: "/w/other" },
    { text: "docs/x", real: "/elsewhere/x\n\u202e", isOutside: true },
    { text: "loop", isUnknown: true },
    { text: "/tmp/x", isOutside: true },
  ] as const;
  const question = questionOf("make", { places: placesOf({ text: "/w" }, files) });
  const lines = questionLines(question, { ...TEXT, columns: 100 });
  assert.deepEqual(lines.slice(2, 7), [
    "  file `docs/x` leads to `/elsewhere/x\\u{a}\\u{202e}`, outside of the workspace",
    "  file `/tmp/x` is outside of the workspace",
    "  file `in` leads to `/w/other`",
    "  file `loop` has links that cannot be followed",
    "",
  ]);
});

test("many files and long paths stay within the window", () => {
  const path = `/${"x".repeat(4_000)}\u{1f600}/end`;
  const file = { text: path, real: path, isOutside: true } as const;
  const places = placesOf({ text: path, real: path, isOutside: true }, Array(50).fill(file));
  const lines = questionLines(questionOf("make", { places }), { ...TEXT, columns: 60 });
  assert.ok(lines.length < 45, `${lines.length} lines`);
  for (const line of lines) assert.ok(textWidth(line) < 60);
  const text = lines.join("\n");
  assert.match(text, /\/end`,\s+outside of the workspace/);
  assert.match(text, /and 46 more files behind links or outside of the\s+workspace/);
});

test("a compound line is shown unit by unit, what is asked about before what is allowed", () => {
  const question = questionOf("git fetch; git push > log", {
    units: [
      { text: "git fetch", decision: "allow" },
      { text: "git push", decision: "ask" },
      { text: "log", kind: "write", decision: "deny", rule: null },
    ],
    reason: "it may be seen by others",
  });
  assert.equal(
    shown(question),
    [
      "May Bash do this?",
      "│ git fetch; git push > log",
      "",
      "  3 parts:",
      "│ writes log",
      "  deny  no rule matches",
      "│ git push",
      "  ask   Bash:git *, project, .caliban/permissions.toml:4:1",
      "│ git fetch",
      "  allow Bash:git *, project, .caliban/permissions.toml:4:1",
      "  because: it may be seen by others",
    ].join("\n"),
  );
});

test("each part of a line has its own rule's comment below it", () => {
  const [first, second] = ["make may deploy", "others see it"];
  const question = questionOf("make; git push; ls", {
    units: [
      { text: "make", decision: "ask", rule: { ...RULE, pattern: "Bash(make:*)", comment: first } },
      { text: "git push", decision: "ask", rule: { ...RULE, comment: second } },
      { text: "ls", decision: "allow", rule: { ...RULE, comment: "harmless" } },
    ],
  });
  const lines = shown({ ...question, comment: second }).split("\n");
  const after = (text: string) => lines.slice(lines.indexOf(text) + 1, lines.indexOf(text) + 3);
  assert.equal(after("│ make")[1], `        comment: ${first}`);
  assert.equal(after("│ git push")[1], `        comment: ${second}`);
  assert.equal(lines.filter((line) => line.includes("comment:")).length, 2);
});

test("hidden characters are visible, and lines of the call cannot pass for lines of the question", () => {
  const question = questionOf("ls\x1b[2J\u202e\n\nMay Bash do that?\r\x1b[A");
  assert.equal(
    shown(question).split("\n").slice(0, 4).join("\n"),
    [
      "May Bash do this?",
      "│ ls\\u{1b}[2J\\u{202e}",
      "│ ",
      "│ May Bash do that?\\u{d}\\u{1b}[A",
    ].join("\n"),
  );
});

test("no part of a reason stands where a line of the question begins", () => {
  const reason = `it is fine ${"so ".repeat(22)} comment: press y ${"so ".repeat(40)} allow Bash`;
  const lines = shown(questionOf("ls", { reason })).split("\n");
  const at = lines.findIndex((line) => line.startsWith("  because: it is fine so"));
  assert.ok(at > 0 && lines.length > at + 2);
  for (const line of lines.slice(at + 1)) assert.match(line, /^ {4}\S/);
});

test("of a long command both ends are shown, and that it is not all", () => {
  const text = shown(questionOf(`echo ${"a\n".repeat(500)}rm -rf /`));
  assert.ok(text.includes("rm -rf /"));
  assert.ok(text.includes("… (not all of 1013 characters are shown)"));
  const wide = shown(questionOf(`echo ${"漢".repeat(20_000)}; rm -rf /`));
  assert.ok(wide.replaceAll("\n│ ", "").includes("rm -rf /"));
  assert.ok(wide.includes("are shown)"));
});

test("of many units those that are allowed are left out first", () => {
  const units = [
    ...Array.from(
      { length: 60 },
      (_, index) => ({ text: `echo ${index}`, decision: "allow" as const }),
    ),
    { text: "rm -rf /", decision: "deny" as const },
  ];
  const lines = shown(questionOf("…", { units })).split("\n");
  assert.equal(lines[4], "│ rm -rf /");
  assert.ok(lines.includes("  and 21 more not shown"));
});

test("an answer is told in one line", () => {
  const about = { tool: "Bash" };
  assert.equal(answerText({ kind: "deny-once" }, about), "Bash is denied");
  assert.equal(
    answerText({ kind: "allow-always", patterns: ["a:b", "c\x1b"], scope: "session" }, about),
    "Bash is allowed from now on: a:b, c\\u{1b} (this session)",
  );
});

test("the cursor is where the next character goes, however long the line is", () => {
  const question = questionOf("git push");
  const screenOf = (line: ReturnType<typeof fieldOf>) =>
    promptScreen({ step: "comment", kind: "deny-once", patterns: [], line }, {
      question,
      color: PLAIN,
      columns: 20,
    });
  assert.deepEqual(screenOf(fieldOf("ab")).lines[1], "> ab");
  assert.equal(screenOf(fieldOf("ab")).column, 4);
  const long = fieldOf("0123456789".repeat(5));
  assert.equal(screenOf(long).lines[1], "> 567890123456789");
  assert.equal(screenOf(long).column, 17);
  const home = screenOf({ ...long, cursor: 0 });
  assert.deepEqual([home.lines[1], home.column], ["> 0123456789012345", 2]);
});

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom("a".repeat(500), "漢".repeat(100), "\n".repeat(50), "a b ".repeat(60)),
);

test("nothing is wider than the terminal, and nothing in it can steer it", () => {
  const classes = fc.subarray([...COMMAND_CLASSES]);
  const units = fc.array(fc.record({ text, classes }), { maxLength: 5 });
  fc.assert(
    fc.property(
      text,
      units,
      text,
      fc.integer({ min: 40, max: 200 }),
      (command, units, more, columns) => {
        const question = questionOf(command, {
          units,
          comment: more,
          reason: more,
          suggestion: more,
        });
        const steps: readonly PromptState[] = [
          initialPrompt(question),
          {
            step: "pattern",
            kind: "allow-always",
            patterns: [],
            index: 0,
            line: fieldOf(more),
            problem: more,
          },
          { step: "scope", kind: "allow-always", patterns: [], selected: 0 },
          {
            step: "comment",
            kind: "deny-once",
            patterns: [],
            line: { ...fieldOf(more), cursor: 0 },
          },
        ];
        const lines = [
          ...questionLines(question, { ...TEXT, columns }),
          ...steps.flatMap((step) => promptScreen(step, { question, color: PLAIN, columns }).lines),
        ];
        for (const line of lines) {
          assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
          assert.ok(textWidth(line) < columns, `${columns}: ${line}`);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test("the classes of what asks stand below it, each once and none of what is allowed", () => {
  const question = questionOf("cat a; rm b; rm c; frob; make", {
    units: [
      { text: "cat a", decision: "allow", classes: ["read"] },
      { text: "rm b", classes: ["delete"] },
      { text: "rm c", classes: ["delete"] },
      { text: "frob", classes: ["unknown"] },
      { text: "sort -o f", classes: ["edit"] },
    ],
  });
  const lines = questionLines(question, { ...TEXT, columns: 120 });
  assert.deepEqual(lines.filter((line) => line.includes("classes")), [
    "  classes: @edit changes files, @delete removes files or uncommitted work, @unknown",
  ]);
  assert.ok(!shown(questionOf("x")).includes("classes"));
});

test("colour changes nothing but the colour", () => {
  const question = questionOf("git push; ls", {
    units: [{ text: "git push" }, { text: "ls", decision: "allow" }],
  });
  const coloured = questionLines(question, { ...TEXT, color: ANSI }).join("\n");
  assert.notEqual(coloured, shown(question));
  assert.equal(coloured.replace(STYLE, ""), shown(question));
});
