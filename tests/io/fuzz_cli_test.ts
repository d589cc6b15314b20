import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "../support/seeded.ts";
import { parse } from "smol-toml";
import { STARTER } from "../../lib/cli/init/starter.ts";
import { slowCases } from "../support/cases.ts";
import { treeOf } from "../support/process.ts";
import {
  brokenPatterns,
  flagWords,
  inputTexts,
  patterns,
  policyBytes,
} from "../support/process_arbitraries.ts";
import { answer, assertSane, inWorkspace, policyAt } from "../support/process_here.ts";
import { REPO } from "../support/spec_run.ts";

const VALID = join(REPO, "tests/cases/permissions/valid");
const GOOD = [
  STARTER,
  ...readdirSync(VALID).map((name) => readFileSync(join(VALID, name), "utf8")),
];
const LONG = { timeout: 120_000 };

/** True if another parser finds no TOML in the bytes. */
function isNoToml(bytes: Uint8Array): boolean {
  try {
    parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return false;
  } catch {
    return true;
  }
}

/** Command lines of verbs that read: flags between the verb and operands that it may take. */
const lines: fc.Arbitrary<readonly string[]> = fc.tuple(
  fc.array(flagWords, { maxLength: 3 }),
  fc.oneof<fc.Arbitrary<readonly string[]>[]>(
    fc.tuple(
      fc.constantFrom("check", "explain"),
      fc.constantFrom("Bash", "Read", "mcp__a__b"),
      inputTexts,
    ),
    fc.constantFrom(
      ["list"],
      ["export"],
      ["export", "rules.toml"],
      ["schema", "decision"],
      ["completions", "zsh"],
      ["check"],
    ),
  ),
).map(([flags, [verb = "", ...operands]]) => [verb, ...flags.flat(), ...operands]);

/** The beginning of a command line in which nothing runs: a comment, an assignment, a test, `true`. */
const RUNS_NOTHING = /^\s*(?:#|\w+\+?=|\[|:|true\b|false\b)/;

/** Exit 0 of a check is an allow of a rule, of a line in which nothing runs, or of the two flags that say so. */
function assertAllowed(argv: readonly string[], stdout: string): void {
  const said = JSON.parse(stdout);
  assert.equal(said.decision, "allow");
  if (argv.includes("--no-permissions")) return;
  if (argv.includes("--auto-allow") && said.decidedBy === "auto-allow") return;
  assert.equal(said.decidedBy, "rule", stdout);
  if (said.rule === null) assert.match(said.input.command, RUNS_NOTHING, stdout);
  else assert.equal(said.rule.action, "allow", stdout);
  for (const unit of said.units) assert.equal(unit.decision, "allow", stdout);
}

test(
  "no policy file makes a check crash, or allow by accident",
  LONG,
  () =>
    inWorkspace(async (folder) => {
      const call = fc.tuple(fc.constantFrom("Bash", "Write", "WebFetch", "Grep", "x"), inputTexts);
      await fc.assert(
        fc.asyncProperty(policyBytes(GOOD), call, async (bytes, [tool, input]) => {
          writeFileSync(policyAt(folder), bytes);
          const argv = ["check", "--json", "--", tool, input];
          const answered = await answer(argv, { folder });
          assertSane(argv, answered);
          if (answered.status <= 2) JSON.parse(answered.stdout);
          if (answered.status === 0) assertAllowed(argv, answered.stdout);
          if (isNoToml(bytes)) assert.ok(answered.status >= 64, `${answered.status}: ${bytes}`);
        }),
        { numRuns: slowCases(1500) },
      );
    }),
);

test(
  "a policy with an error is never exit 0, whatever verb reads it",
  LONG,
  () =>
    inWorkspace(async (folder) => {
      const errors = fc.oneof(
        fc.constantFrom("x = 1\n", '[permissions]\nshell = "sh"\n', "[nope]\n", "a = \n"),
        brokenPatterns.map((pattern) =>
          `[[permissions.rules]]\npattern = "${pattern}"\naction = "allow"\n`
        ),
        fc.constant('[[permissions.rules]]\npattern = "Bash"\naction = "allow"\nreason = "r"\n'),
      );
      const verbs = fc.constantFrom(
        ["check", "Read", "x"],
        ["check", "Read", "x", "--json"],
        ["check", "--stdin"],
        ["explain", "Read", "x"],
        ["list"],
        ["export"],
        ["export", ".caliban/permissions.toml"],
        ["add", "Bash:ls", "allow"],
        ["remove", "Bash"],
      );
      const before = '[[permissions.rules]]\npattern = "Read"\naction = "allow"\n\n';
      await fc.assert(
        fc.asyncProperty(errors, verbs, async (error, argv) => {
          const text = error.startsWith("x") ? error + before : before + error;
          writeFileSync(policyAt(folder), text);
          const answered = await answer(argv, { folder });
          assertSane(argv, answered);
          assert.equal(answered.status, 65, `${argv}: ${text}\n${answered.stderr}`);
          if (argv.some((word) => word === "--json")) {
            assert.equal(JSON.parse(answered.stdout).status, 65);
          } else assert.equal(answered.stdout, "");
          assert.equal(readFileSync(policyAt(folder), "utf8"), text);
        }),
        { numRuns: slowCases(300) },
      );
    }),
);

test(
  "no command line makes a reading verb crash, write, or print JSON that is none",
  LONG,
  () =>
    inWorkspace(async (folder) => {
      writeFileSync(policyAt(folder), STARTER);
      writeFileSync(join(folder, "rules.toml"), STARTER);
      const before = treeOf(join(folder, ".."));
      await fc.assert(
        fc.asyncProperty(lines, async ([verb = "", ...words]) => {
          const argv = [verb, ...words];
          const input = new TextEncoder().encode(words.at(-1));
          const answered = await answer(argv, { folder, input });
          assertSane(argv, answered);
          assert.deepEqual(treeOf(join(folder, "..")), before);
          const end = words.indexOf("--");
          const read = end < 0 ? words : words.slice(0, end);
          if (
            answered.status > 2 || read.some((word) => /^(--help|-h|--version|--stdin)$/.test(word))
          ) return;
          const json = read.includes("--json");
          if (json && verb !== "completions") JSON.parse(answered.stdout);
          if (verb !== "check" || answered.status !== 0) return;
          const twice = json
            ? answered
            : await answer(["check", "--json", ...words], { folder, input });
          assertAllowed(read, twice.stdout);
        }),
        { numRuns: slowCases(1500) },
      );
    }),
);

test("a broken pattern in a flag is never an answer", LONG, () =>
  inWorkspace(async (folder) => {
    const flag = fc.constantFrom("--allow", "--deny", "--ask");
    await fc.assert(
      fc.asyncProperty(flag, brokenPatterns, patterns, async (name, broken, other) => {
        const argv = ["check", `--allow=Bash`, `${name}=${broken}`, `--ask=${other}`, "Bash", "ls"];
        const answered = await answer(argv, { folder });
        assertSane(argv, answered);
        assert.ok(answered.status === 65 || answered.status === 64, answered.stderr);
      }),
      { numRuns: slowCases(200) },
    );
  }));

test(
  "every line of a stream is answered, in order, and a bad one decides nothing",
  LONG,
  () =>
    inWorkspace(async (folder) => {
      const call = fc.tuple(fc.constantFrom("Bash", "Read", "", "x"), inputTexts).map(
        ([tool, input]) => `{"id":1,"tool":${JSON.stringify(tool)},"input":${input || "null"}}`,
      );
      const line = fc.oneof(call, inputTexts).map((text) => text.replace(/[\r\n]/g, ""));
      await fc.assert(
        fc.asyncProperty(fc.array(line, { maxLength: 6 }), async (lines) => {
          const input = new TextEncoder().encode(lines.join("\n"));
          const { status, stdout, stderr } = await answer(["check", "--stdin"], { folder, input });
          const results = stdout.split("\n").slice(0, -1).map((text) => JSON.parse(text));
          assert.equal(results.length, lines.filter((text) => text.trim() !== "").length, stderr);
          assert.equal(status, results.some(({ error }) => error !== undefined) ? 65 : 0, stderr);
          for (const result of results) {
            assert.ok("error" in result !== "decision" in result, JSON.stringify(result));
          }
        }),
        { numRuns: slowCases(400) },
      );
    }),
);

test(
  "what add writes is there and can be read, and remove takes it away",
  LONG,
  () =>
    inWorkspace(async (folder) => {
      const text = fc.string({ unit: "binary", maxLength: 20 });
      const action = fc.constantFrom("allow", "deny", "ask");
      await fc.assert(
        fc.asyncProperty(patterns, action, text, async (pattern, action, comment) => {
          writeFileSync(policyAt(folder), STARTER);
          const argv = ["add", `--comment=${comment}`, "--", pattern, action];
          const added = await answer(argv, { folder });
          assertSane(argv, added);
          const written = readFileSync(policyAt(folder), "utf8");
          if (added.status !== 0) return assert.equal(written, STARTER);
          parse(written);
          // An allow of a workspace that is not trusted counts only in such a run.
          const listing = ["list", "--json", "--source=project", "--trust"];
          const listed = await answer(listing, { folder });
          assert.equal(listed.status, 0, listed.stderr);
          const rules: { pattern: string; action: string; comment?: string }[] = JSON.parse(
            listed.stdout,
          );
          if (written === STARTER) return;
          const rule = rules.find((each) => each.pattern === pattern && each.action === action);
          assert.equal(rule?.comment, comment);
          const removed = await answer(["remove", "--", pattern, action], { folder });
          assertSane(["remove", pattern], removed);
          assert.equal(removed.status, 0, removed.stderr);
          assert.equal(readFileSync(policyAt(folder), "utf8"), STARTER);
        }),
        { numRuns: slowCases(150) },
      );
    }),
);

test(
  "what hides in an input is shown, also in a command to be pasted",
  LONG,
  () =>
    inWorkspace(async (folder) => {
      for (const hidden of ["\0", "\x1b[2J", "\u202e", "\n", "\u200b"]) {
        const call = ["mcp__a__b", JSON.stringify({ command: `x${hidden}y` })];
        const checked = await answer(["check", ...call], { folder });
        assert.equal(checked.status, 2, checked.stderr);
        const explained = await answer(["explain", ...call], { folder });
        assert.equal(explained.status, 0, explained.stderr);
        for (const [verb, { stdout }] of [["check", checked], ["explain", explained]] as const) {
          assertSane([verb, ...call], { status: 0, stdout, stderr: "" });
          assert.ok(hidden === "\n" || !stdout.includes(hidden), JSON.stringify(stdout));
        }
      }
    }),
);
