import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { HookEvent } from "../../lib/gate/hooks/hook_event.ts";
import { hookRunner } from "../../lib/io/process/hook_runner.ts";
import { parseMatcher } from "../../lib/gate/hooks/compile_hooks.ts";
import { EVENT, hookOf, runHooks, runtime } from "../support/hooks.ts";
import { withTempDir } from "../support/temp_dir.ts";

test("a hook reads the event and runs in the folder given, whatever the call's own", () =>
  withTempDir(async (folder) => {
    const command = 'cat > event.json; pwd > where; printf %s "$CALIBAN_PROJECT_DIR" > project';
    const call = { ...EVENT.call, cwd: "/tmp" };
    const { decision } = await runHooks([command], { folder, event: { ...EVENT, call } });
    assert.equal(decision, "proceed");
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    assert.equal(read("where"), `${folder}\n`);
    assert.equal(read("project"), folder);
    assert.deepEqual(JSON.parse(read("event.json")), {
      session_id: "s",
      cwd: "/tmp",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "git push" },
    });
  }));

test("statuses and JSON of real hooks decide", () =>
  withTempDir(async (folder) => {
    const printing = (json: object) => `printf %s '${JSON.stringify(json)}'`;
    const ask = {
      hookSpecificOutput: { permissionDecision: "ask", permissionDecisionReason: "q" },
    };
    const input = { command: "git push --dry-run" };
    const changed = { hookSpecificOutput: { permissionDecision: "allow", updatedInput: input } };
    const cases = [
      ["true", { decision: "proceed", warnings: [] }],
      ["echo 'not now' >&2; exit 2", { decision: "deny", reason: "not now", warnings: [] }],
      [
        "echo oops >&2; exit 7",
        {
          decision: "proceed",
          warnings: [
            'hook "echo oops >&2; exit 7": it ended with status 7, which decides nothing: oops',
          ],
        },
      ],
      [printing(ask), { decision: "ask", reason: "q", warnings: [] }],
      [printing(changed), { decision: "allow", updatedInput: input, warnings: [] }],
      [printing({ decision: "block", reason: "b" }), {
        decision: "deny",
        reason: "b",
        warnings: [],
      }],
    ] as const;
    for (const [command, expected] of cases) {
      const { results, ...outcome } = await runHooks([command], { folder });
      assert.deepEqual(outcome, expected, command);
      assert.equal(results.length, 1);
    }
  }));

test("only hooks of the event and the tool run, and their results keep their order", () =>
  withTempDir(async (folder) => {
    const edits = await parseMatcher("Edit|Write");
    assert.ok(edits.ok);
    const hooks = [
      hookOf("sleep 0.2; echo slow >&2; exit 2"),
      hookOf("touch edited", { matcher: edits.matcher }),
      hookOf("echo fast >&2; exit 2"),
      hookOf("touch stopped", { event: "Stop" }),
    ];
    const runner = hookRunner(hooks, { runtime, folder });
    const outcome = await runner.run(EVENT);
    assert.deepEqual([outcome.decision, outcome.reason], ["deny", "slow; fast"]);
    assert.deepEqual(outcome.results.map(({ hook }) => hook), [hooks[0], hooks[2]]);
    assert.equal(runtime.stat(join(folder, "edited")), undefined);
    assert.equal(runtime.stat(join(folder, "stopped")), undefined);
  }));

test("every event reaches its hooks, and can be blocked", () =>
  withTempDir(async (folder) => {
    const scene = { sessionId: "s", cwd: folder };
    const events: readonly HookEvent[] = [
      EVENT,
      { ...EVENT, event: "PostToolUse", response: "done" },
      { ...scene, event: "PreCompact" },
      { ...scene, event: "PostCompact", summary: "short" },
      { ...scene, event: "SessionStart" },
      { ...scene, event: "Stop" },
    ];
    for (const event of events) {
      const hook = hookOf("cat >&2; exit 2", { event: event.event });
      const { decision, reason } = await hookRunner([hook], { runtime, folder }).run(event);
      assert.equal(decision, "deny");
      assert.equal(JSON.parse(reason ?? "").hook_event_name, event.event);
    }
  }));

test("an event that is no JSON is an ask, and nothing is thrown", () =>
  withTempDir(async (folder) => {
    const round: Record<string, unknown> = {};
    round["round"] = round;
    const event = { ...EVENT, call: { tool: "Bash", input: round as typeof EVENT.call.input } };
    const { decision, results } = await runHooks(["true"], { folder, event });
    assert.equal(decision, "ask");
    assert.equal(results[0]?.run.end.kind, "not-started");
  }));

test("a signal ends hooks that run, and starts none", () =>
  withTempDir(async (folder) => {
    const controller = new AbortController();
    const began = performance.now();
    const running = runHooks(["sleep 30"], { folder, signal: controller.signal });
    setTimeout(() => controller.abort(), 200);
    assert.deepEqual([(await running).decision, (await running).results[0]?.run.end], ["ask", {
      kind: "cancelled",
    }]);
    assert.ok(performance.now() - began < 5_000);
    const late = await runHooks(["touch started"], { folder, signal: controller.signal });
    assert.equal(late.decision, "ask");
    assert.equal(runtime.stat(join(folder, "started")), undefined);
  }));
