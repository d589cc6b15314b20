import assert from "node:assert/strict";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CLI, finish, PROGRAMS, starter, without } from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

/** Lines that need the parser: themselves, as the text of another shell, and as a script of the project. */
const LINES = [
  "if true; then git push; fi",
  "git status",
  "bash -c 'if true; then git push; fi'",
  "timeout 5 sh -c 'case x in x) rm -rf /;; esac'",
  "eval 'f() { git push; }; f'",
  "npm run build",
  "env A=b xargs sh -c 'while read x; do curl \"$x\"; done'",
  "git log | sh",
];

const POLICY = `[[permissions.rules]]
pattern = "Bash(git:*)"
action = "allow"
[[permissions.rules]]
pattern = "Bash(git push:*)"
action = "deny"
`;

for (const program of PROGRAMS) {
  test(
    `a call that loads the parser when it needs it is decided as one of a stream, which has it: ${program}`,
    { skip: without(program) },
    () =>
      withTempDir(async (folder) => {
        mkdirSync(join(folder, "home/.config/caliban"), { recursive: true });
        mkdirSync(join(folder, "ws/.git"), { recursive: true });
        writeFileSync(join(folder, "home/.config/caliban/permissions.toml"), POLICY);
        const scripts = { build: "if true; then git push; fi" };
        writeFileSync(join(folder, "ws/package.json"), JSON.stringify({ scripts }));
        const options = { cwd: join(folder, "ws"), env: { HOME: join(folder, "home") } };
        const calls = LINES.map((command) => ({ tool: "Bash", input: { command } }));
        const input = calls.map((call) => `${JSON.stringify(call)}\n`).join("");
        const streamed = await finish([...starter(program), "check", "--stdin"], {
          ...options,
          input,
        });
        const lines = streamed.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
        assert.equal(lines.length, LINES.length, streamed.stderr);
        for (const [at, line] of LINES.entries()) {
          const words = [...starter(program), "check", "--json", "Bash", line];
          const alone = await finish(words, options);
          assert.deepEqual(JSON.parse(alone.stdout), lines[at], line);
        }
      }),
  );
}

for (const program of PROGRAMS) {
  test(
    `a parser that cannot be loaded stops the call, and the error says so: ${program}`,
    { skip: without(program) },
    () =>
      withTempDir(async (folder) => {
        for (const name of ["cli.ts", "lib", "defaults", "deno.json", "package.json"]) {
          cpSync(join(REPO, name), join(folder, "program", name), { recursive: true });
        }
        const parser = "lib/shell/parse/parse_with_parser.ts";
        rmSync(join(folder, "program", parser));
        const words = starter(program).map((word) =>
          word === CLI ? join(folder, "program/cli.ts") : word
        );
        const place = { cwd: folder, env: { HOME: folder } };
        const line = "bash -c 'if true; then git push; fi'";
        for (const command of [line, "if true; then git push; fi"]) {
          const checked = await finish([...words, "check", "Bash", command], place);
          assert.equal(checked.status, 70);
          assert.match(checked.stderr, /^error: Cannot load a part of caliban: [^]*hint: /);
          const event = { tool_name: "Bash", tool_input: { command }, session_id: "0" };
          const input = JSON.stringify({ ...event, hook_event_name: "PreToolUse" });
          const hook = await finish([...words, "hook", "claude"], { ...place, input });
          assert.equal(hook.status, 2);
          assert.match(hook.stderr, /the call is stopped/);
        }
      }),
  );
}

test("a line that needs the parser throws where nothing loads it", async () => {
  // Another copy of the module than the one that other tests have set up.
  const path = "../../lib/shell/parse/parser_on_call.ts?unset";
  const { parseWithParser }: typeof import("../../lib/shell/parse/parser_on_call.ts") =
    await import(path);
  const options = { shell: "posix", printedKind: () => undefined } as const;
  assert.throws(() => parseWithParser("ls", options), /parser of command lines is not loaded/);
});
