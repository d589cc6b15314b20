import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { parse } from "smol-toml";
import { run } from "../../lib/cli/run.ts";
import { STARTER } from "../../lib/cli/starter.ts";
import { chooseRuntime } from "../../lib/io/choose_runtime.ts";
import type { Runtime } from "../../lib/io/runtime.ts";
import { treeOf } from "../support/process.ts";
import {
  brokenPatterns,
  flagWords,
  inputTexts,
  patterns,
  policyBytes,
} from "../support/process_arbitraries.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

const real = await chooseRuntime();
const VALID = join(REPO, "tests/cases/permissions/valid");
const GOOD = [
  STARTER,
  ...readdirSync(VALID).map((name) => readFileSync(join(VALID, name), "utf8")),
];
const ERRORS = [64, 65, 66, 73];
const LONG = { timeout: 120_000 };

interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Scene {
  /** The workspace; its home is beside it. */
  readonly folder: string;
  /** Standard input. */
  readonly input?: Uint8Array;
}

/** Runs a command line in this process; nothing but the workspace and an empty home is there. */
async function answer(argv: readonly string[], { folder, input }: Scene): Promise<Answer> {
  const printed = { stdout: "", stderr: "" };
  const runtime: Runtime = {
    ...real,
    env: (name) => name === "HOME" ? join(folder, "../home") : undefined,
    cwd: () => folder,
    async *stdin() {
      yield await Promise.resolve(input ?? new Uint8Array());
    },
    isTerminal: () => false,
    columns: () => 80,
    write(stream, text) {
      printed[stream] += text;
      return Promise.resolve(true);
    },
  };
  const status = await run(argv, runtime);
  return { status, ...printed };
}

/** Makes a workspace and runs `check` on it as often as fast-check wants; what it writes is overwritten each time. */
async function inWorkspace(use: (folder: string) => Promise<void>): Promise<void> {
  await withTempDir(async (top) => {
    const folder = join(top, "work");
    mkdirSync(join(folder, ".caliban"), { recursive: true });
    mkdirSync(join(top, "home"));
    await use(folder);
  });
}

function policyAt(folder: string): string {
  return join(folder, ".caliban/permissions.toml");
}

/** Whether bytes are no TOML, as another parser sees it. */
function isNoToml(bytes: Uint8Array): boolean {
  try {
    parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return false;
  } catch {
    return true;
  }
}

/** What holds for every answer: no bug, an error says so, nothing of the text can steer a terminal. */
function assertSane(argv: readonly string[], answered: Answer): void {
  const { status, stdout, stderr } = answered;
  const about = `${JSON.stringify(argv)} → ${status}\n${stdout}\n${stderr}`;
  const verdicts = argv[0] === "check" ? [0, 1, 2] : [0];
  assert.ok([...verdicts, ...ERRORS].includes(status), about);
  if (status >= 64) assert.notEqual(stderr + stdout, "", about);
  // deno-lint-ignore no-control-regex
  const steering = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
  const coloured = argv.some((word) => word.startsWith("--color"));
  if (!coloured) assert.doesNotMatch(stderr, steering, about);
  if (!coloured && !printsData(argv)) assert.doesNotMatch(stdout, steering, about);
}

/** JSON and TOML hold the user's text as it is. */
function printsData(argv: readonly string[]): boolean {
  return argv[0] === "export" || argv.some((word) => /^--(json|format|stdin)/.test(word));
}

/** Exit 0 of a check is an allow of a rule, or of the two flags that say so. */
function assertAllowed(argv: readonly string[], stdout: string): void {
  const said = JSON.parse(stdout);
  assert.equal(said.decision, "allow");
  if (argv.includes("--no-permissions")) return;
  if (argv.includes("--auto-allow") && said.decidedBy === "auto-allow") return;
  assert.equal(said.decidedBy, "rule", stdout);
  assert.equal(said.rule.action, "allow", stdout);
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
        { numRuns: 15000 },
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
          assert.equal(answered.stdout, "");
          assert.equal(readFileSync(policyAt(folder), "utf8"), text);
        }),
        { numRuns: 3000 },
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
      const verbs = fc.constantFrom("check", "explain", "list", "export", "schema", "completions");
      const words = fc.tuple(
        verbs,
        fc.constantFrom("Bash", "Read", "permissions", "zsh"),
        inputTexts,
      );
      const flags = fc.array(flagWords, { maxLength: 4 });
      const before = treeOf(join(folder, ".."));
      await fc.assert(
        fc.asyncProperty(words, flags, async ([verb, first, second], more) => {
          const argv = [verb, ...more.flat(), first, second];
          const answered = await answer(argv, { folder, input: new TextEncoder().encode(second) });
          assertSane(argv, answered);
          assert.deepEqual(treeOf(join(folder, "..")), before);
          const end = argv.indexOf("--");
          const read = end < 0 ? argv : argv.slice(0, end);
          const json = read.includes("--json");
          if (json && answered.status <= 2 && /^[{[]/.test(answered.stdout)) {
            JSON.parse(answered.stdout);
          }
          if (verb !== "check" || answered.status !== 0 || read.includes("--stdin")) return;
          const twice = json ? answered : await answer(["check", "--json", ...argv.slice(1)], {
            folder,
            input: new TextEncoder().encode(second),
          });
          assertAllowed(read, twice.stdout);
        }),
        { numRuns: 15000 },
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
      { numRuns: 2000 },
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
        { numRuns: 4000 },
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
          const listed = await answer(["list", "--json", "--source=project"], { folder });
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
        { numRuns: 5000 },
      );
    }),
);

const MIB = 1024 * 1024;
const a = (length: number) => "a".repeat(length);

/** What is huge, the command line, and how it may end: within seconds, and never in an allow. */
const HUGE: readonly (readonly [string, readonly string[]])[] = [
  ["a command", ["check", "Bash", `git ${a(MIB)}`]],
  ["a command of parentheses", ["check", "Bash", "(".repeat(100_000)]],
  ["a command of quotes", ["check", "Bash", "'\"`$(".repeat(20_000)]],
  ["a pattern", ["check", "Bash", "ls", `--deny=Bash:${a(MIB)}`]],
  ["a pattern of stars", ["check", "Bash", a(10_000), `--deny=Bash:${"*a".repeat(MIB / 2)}b`]],
  ["a pattern of parentheses", ["check", "Bash", "ls", `--deny=${"(".repeat(100_000)}`]],
  ["a pattern of braces", ["check", "Write", "x", `--deny=Write:${"{a,".repeat(100_000)}`]],
  ["a path pattern", ["check", "Write", "x", `--deny=Write:${"**/a".repeat(MIB / 4)}`]],
  ["a path", ["check", "Write", `/${a(MIB)}`, "--deny=Write:**/*b"]],
  ["a path of segments", ["check", "Write", "a/".repeat(MIB / 2), "--deny=Write:**/a/**/b"]],
  ["a path of dots", ["check", "Write", "../".repeat(MIB / 3), "--deny=Write:**/b"]],
  ["a URL", ["check", "WebFetch", `https://x.org/${a(MIB)}`, "--deny=WebFetch:https://*b"]],
  ["a host", ["check", "WebFetch", `https://${"a.".repeat(MIB / 2)}`, "--deny=WebFetch:domain:b"]],
  ["a tool", ["check", a(MIB), "{}"]],
  ["a flag", ["check", `--${a(MIB)}`, "Bash", "ls"]],
  ["a verb", [a(MIB)]],
];

for (const [what, argv] of HUGE) {
  test(
    `a mebibyte or more is answered or refused at once: ${what}`,
    LONG,
    () =>
      inWorkspace(async (folder) => {
        const started = Date.now();
        const answered = await answer(argv, { folder });
        assertSane(argv, answered);
        assert.notEqual(answered.status, 0);
        assert.ok(Date.now() - started < 10_000, `${Date.now() - started} ms`);
        assert.equal(
          (await answer(["explain", ...argv.slice(1)], { folder })).status === 70,
          false,
        );
      }),
  );
}

test("a file of 10,000 rules is answered at once", LONG, () =>
  inWorkspace(async (folder) => {
    const rule = (index: number) =>
      `[[permissions.rules]]\npattern = "Bash:c${index} *"\naction = "deny"\n`;
    writeFileSync(
      policyAt(folder),
      Array.from({ length: 10_000 }, (_, index) => rule(index)).join("\n"),
    );
    const started = Date.now();
    const answered = await answer(["check", "Bash", "c9999 x"], { folder });
    assert.equal(answered.status, 1, answered.stderr);
    assert.ok(Date.now() - started < 10_000, `${Date.now() - started} ms`);
  }));
