import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { VERBS } from "../../lib/cli/registry.ts";
import { textWidth } from "../../lib/text/visible.ts";
import { sample } from "../support/cases.ts";
import {
  type Ended,
  finish,
  HERE,
  type Program,
  starter,
  TRIED,
  without,
} from "../support/process.ts";
import { finishOnTerminal, withoutTerminal } from "../support/pty.ts";
import { trustAtHome } from "../support/trust.ts";
import { withTempDir } from "../support/temp_dir.ts";

const TERMINAL = { timeout: 60_000, skip: withoutTerminal() };

function needs(program: Program): { readonly timeout: number; readonly skip: string | false } {
  return { ...TERMINAL, skip: TERMINAL.skip || without(program) };
}

const POLICY = `[[permissions.rules]]
pattern = "Bash(git push:*)"
action = "deny"
comment = "Others see pushed commits, so a person does it, when the review is over and not before"
reason = "Ask the user to push; say which branch, and what is in it, and where it is to go"

[[permissions.rules]]
pattern = "Write(packages/*/src/**/generated/{client,server}/*.generated.ts)"
action = "ask"

[[permissions.rules]]
pattern = "Bash:npm run *"
action = "allow"
`;

/** Command lines that print what people read. */
const LINES: readonly (readonly string[])[] = [
  ["check", "Bash", "git push origin main"],
  [
    "check",
    "Bash",
    "git status --short && git log --oneline | head -n 5; echo done with all of that",
  ],
  ["check", "Write", "packages/a/src/b/generated/client/x.generated.ts"],
  ["check", "mcp__github__create_pull_request", '{"title": "A title", "body": "Some words"}'],
  ["explain", "Bash", "git push --force-with-lease origin main"],
  ["explain", "Bash", "npm run build"],
  ["explain", "Write", "packages/a/src/b/generated/client/x.generated.ts", "--headless"],
  ["explain", "WebFetch", "https://docs.example.org/reference/api", "--auto-allow"],
  ["list"],
  ["list", "--allow", "Bash(docker compose exec --no-TTY --user postgres database psql:*)"],
];

/** Command lines that fail, or that warn; a terminal shows both streams. */
const TROUBLES: readonly (readonly string[])[] = [
  ["chek"],
  ["check", "Bash", "git", "push", "--force-with-lease", "origin", "main"],
  ["check", "Bash(git push --force-with-lease origin main)"],
  ["check", "Raed", "packages/a/src/b/generated/client"],
  ["check", "mcp__github__create_pull_request", "a title"],
  ["check", "Bash", "ls", "--rules", "gone.toml"],
  ["check", "Bash", "ls", "--permission-mode", "bypassPermissions"],
  ["check", "Bash", "ls", "--auto-allow"],
  ["check", "Bash", "ls", "--deny", "mcp__github__create_pull_request:*title*"],
  ["check", "Bash", "ls", "--deny", "WebFetch:https://me@example.com/*"],
  ["check", "Bash", '{"command": "ls'],
  ["list", "--rules", ".caliban/broken.toml"],
  ["list", "--source", "projcet"],
  ["add", "git push --force-with-lease", "allow"],
  ["add", "bash(git push --force-with-lease:*)", "allow"],
  ["add", "allow", "Bash(ls:*)"],
  ["add", "Bash:npm run build *", "allow"],
  ["remove", "Bash(ls:*)"],
  ["init"],
];

const BROKEN = `[permissions]
default_mode = "defualt"
audit_log = true
retain_rules_in_the_order_in_which_they_are_written = 1

[[permissions.rules]]
pattern = "Bash(git push --force-with-lease origin main"
action = "allowed-unless-somebody-says-otherwise"
`;

interface Shown {
  /** Words of the command line. */
  readonly argv: readonly string[];
  /** Variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** The kind of stream that takes its output. */
  readonly to: "terminal" | "pipe";
}

function show(program: Program, { argv, env, to }: Shown): Promise<Ended> {
  return withTempDir(async (folder) => {
    const cwd = join(folder, "work");
    mkdirSync(join(cwd, ".caliban"), { recursive: true });
    writeFileSync(join(cwd, ".caliban/permissions.toml"), POLICY);
    writeFileSync(join(cwd, ".caliban/broken.toml"), BROKEN);
    await trustAtHome(cwd, join(folder, "home"));
    const words = [...starter(program), ...argv];
    const place = { cwd, env: { HOME: join(folder, "home"), ...env } };
    return await (to === "terminal" ? finishOnTerminal(words, place) : finish(words, place));
  });
}

// deno-lint-ignore no-control-regex
const STYLE = /\x1b\[\d+m/g;

/** The columns of the widest line; a command to paste stays in one line. */
function widest(text: string): number {
  const lines = text.replace(STYLE, "").split("\n");
  return Math.max(...lines.filter((line) => !line.includes("caliban perms ")).map(textWidth));
}

/** Without colour, and with one name for all folders. */
function plainText(text: string): string {
  return text.replace(STYLE, "").replace(/caliban-test-\w+/g, "folder");
}

for (const program of TRIED) {
  test(`a terminal gets colour unless it is not wanted (${program})`, needs(program), async () => {
    const argv = ["check", "Bash", "git push"];
    const on = await show(program, { argv, to: "terminal" });
    assert.equal(on.status, 1);
    assert.ok(on.stdout.startsWith("\x1b[31mdeny\x1b[39m"), JSON.stringify(on.stdout));
    const empty = await show(program, { argv, env: { NO_COLOR: "" }, to: "terminal" });
    assert.equal(empty.stdout, on.stdout);
    const error = await show(program, { argv: ["chek"], to: "terminal" });
    assert.ok(error.stdout.startsWith("\x1b[31merror:\x1b[39m "), JSON.stringify(error.stdout));
    const off = [
      { argv, env: { NO_COLOR: "1" } },
      { argv, env: { TERM: "dumb" } },
      { argv: [...argv, "--color=never"] },
      { argv: ["chek"], env: { NO_COLOR: "1" } },
    ];
    for (const shown of off) {
      const { stdout } = await show(program, { ...shown, to: "terminal" });
      assert.ok(stdout.length > 20 && !stdout.includes("\x1b"), JSON.stringify(stdout));
    }
  });

  test(`a pipe gets no colour unless it is wanted (${program})`, needs(program), async () => {
    for (const argv of [["check", "Bash", "git push"], ["explain", "Bash", "git push"], ["list"]]) {
      const plain = await show(program, { argv, to: "pipe" });
      assert.ok(!plain.stdout.includes("\x1b") && plain.stdout !== "", plain.stdout);
      const always = await show(program, {
        argv: [...argv, "--color=always"],
        env: { NO_COLOR: "1" },
        to: "pipe",
      });
      assert.ok(always.stdout.includes("\x1b["), always.stdout);
      assert.equal(plainText(always.stdout), plainText(plain.stdout));
    }
  });

  test(`what people read fits 80 columns of a terminal (${program})`, needs(program), async () => {
    for (const argv of sample(LINES, 5)) {
      const { stdout } = await show(program, { argv, to: "terminal" });
      assert.ok(stdout.includes("\x1b["), stdout);
      assert.ok(widest(stdout) <= 80, `${widest(stdout)} columns: ${argv}\n${stdout}`);
    }
  });
}

test("what goes wrong is told in 80 columns of a terminal", TERMINAL, async () => {
  for (const argv of sample(TROUBLES, 4)) {
    const { stdout } = await show(HERE, { argv, to: "terminal" });
    assert.match(stdout, /(?:error|warning|note|hint):|Nothing to/);
    assert.ok(widest(stdout) <= 80, `${widest(stdout)} columns: ${argv}\n${stdout}`);
  }
});

test("help fits 80 columns, that of every verb too", TERMINAL, async () => {
  for (const argv of sample([[], ["perms"], ...VERBS.map(({ path }) => path)], 6)) {
    const { status, stdout } = await show(HERE, { argv: [...argv, "--help"], to: "terminal" });
    assert.equal(status, 0, stdout);
    assert.ok(widest(stdout) <= 80, `${widest(stdout)} columns: ${argv}\n${stdout}`);
  }
});
