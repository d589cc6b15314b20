import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { textWidth } from "../../lib/text/visible.ts";
import { writeFiles } from "../support/git_scene.ts";
import { finish, HERE, starter } from "../support/process.ts";
import { finishOnTerminal, withoutTerminal } from "../support/pty.ts";
import { withTempDir } from "../support/temp_dir.ts";
import { trustAtHome } from "../support/trust.ts";

const rule = (pattern: string, action: string) =>
  `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\n\n`;

const WORDS = "with a sentence that is longer than any of these windows is wide ".repeat(3);
const COMMAND = `git commit --message '${WORDS}'`;

const record = (command: string) => JSON.stringify({ tool: "Bash", input: { command } }) + "\n";
const entry = (command: string) =>
  JSON.stringify({
    v: 1,
    time: "2026-11-20T08:00:01Z",
    cwd: "/w",
    tool: "Bash",
    input: { command },
    verdict: "ask",
    decision: "ask",
    mode: "default",
    decidedBy: "rule",
    rule: null,
    reason: "no rule matches",
    units: [],
  }) + "\n";

const FILES = {
  "work/.caliban/permissions.toml": rule("Bash:git*", "allow") + rule("Bash(git push:*)", "ask") +
    rule("Bash(docker compose up:*)", "ask") +
    rule("Bash(npm run build --workspace packages:*)", "ask"),
  "work/old.toml": rule("Bash(npm run build --workspace:*)", "deny") +
    '[shell]\nwrappers = ["aa-bb-cc", "dd-ee-ff"]\n',
  "work/a.perms.toml":
    `[[tests]]\ncall = { tool = "Bash", input = { command = "git push" } }\nexpect = "deny"\nwhy = "${WORDS}"\n`,
  "work/calls.jsonl": [
    COMMAND,
    "frob a",
    "frob b",
    "terraform plan",
    "python a.py",
    "/bin/cat a; /bin/rm b",
  ]
    .flatMap((command) => [record(command), record(command), record(`${command} ${WORDS}`)]).join(
      "",
    ),
  "home/.local/state/caliban/audit.jsonl": entry("git push") + entry(COMMAND),
};

/** One report of each verb that wraps its text. */
const LINES: readonly (readonly string[])[] = [
  ["lint"],
  ["test"],
  ["diff", "old.toml", ".caliban/permissions.toml"],
  ["replay", "calls.jsonl"],
  ["suggest", "calls.jsonl"],
  ["audit"],
];

// deno-lint-ignore no-control-regex
const STYLE = /\x1b\[\d+m/g;

/** The lines of a report but for those with a command to paste, which stay whole. */
function linesOf(text: string): readonly string[] {
  return text.replace(STYLE, "").split("\n").filter((line) => !/^.{0,20}caliban /.test(line));
}

for (const argv of LINES) {
  test(
    `${argv[0]} is as wide as the window, and 80 columns in a pipe`,
    { timeout: 120_000, skip: withoutTerminal() },
    () =>
      withTempDir(async (folder) => {
        writeFiles(folder, FILES);
        const [cwd, HOME] = [join(folder, "work"), join(folder, "home")];
        await trustAtHome(cwd, HOME);
        const words = [...starter(HERE), ...argv];
        const place = { cwd, env: { HOME } };
        const shown = new Map<number, string>();
        for (const columns of [60, 80, 120]) {
          const { stdout } = await finishOnTerminal(words, { ...place, columns });
          const lines = linesOf(stdout);
          assert.ok(lines.length > 2, stdout);
          for (const line of lines) assert.ok(textWidth(line) <= columns, `${columns}: ${line}`);
          shown.set(columns, lines.join("\n"));
        }
        assert.notEqual(shown.get(60), shown.get(80));
        assert.notEqual(shown.get(80), shown.get(120));
        const piped = await finish(words, place);
        assert.ok(
          shown.get(80)!.startsWith(linesOf(piped.stdout).join("\n").trimEnd()),
          piped.stdout,
        );
      }),
  );
}
