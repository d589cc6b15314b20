import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../support/seeded.ts";
import { eventText, type HookEvent } from "../../../../lib/gate/hooks/hook_event.ts";
import type { HookAnswer, HookDecision } from "../../../../lib/gate/hooks/hook_outcome.ts";
import {
  type HookEnd,
  type HookPlatform,
  type HookRun,
  shellCommand,
} from "../../../../lib/gate/hooks/hook_run.ts";
import { readRun } from "../../../../lib/gate/hooks/read_run.ts";

const PRE: HookEvent = {
  event: "PreToolUse",
  sessionId: "s",
  cwd: "/w",
  call: { tool: "Bash", input: { command: "ls", n: [1, { a: null }] } },
};
const POST: HookEvent = { ...PRE, event: "PostToolUse", response: { ok: true } };

interface Printed {
  readonly end?: HookEnd | number;
  readonly stdout?: string | Uint8Array;
  readonly stderr?: string;
  readonly isCut?: true;
}

function runOf({ end = 0, stdout = "", stderr = "", isCut }: Printed): HookRun {
  const bytes = typeof stdout === "string" ? new TextEncoder().encode(stdout) : stdout;
  return {
    end: typeof end === "number" ? { kind: "exited", status: end } : end,
    stdout: { bytes, isCut: isCut ?? false },
    stderr: { bytes: new TextEncoder().encode(stderr), isCut: false },
    tookMs: 1,
  };
}

function answer(printed: Printed, event = PRE, platform: HookPlatform = "linux"): HookAnswer {
  return readRun(runOf(printed), { event, platform });
}

function decision(printed: Printed, event = PRE): HookDecision {
  return answer(printed, event).decision;
}

const specific = (members: object) => JSON.stringify({ hookSpecificOutput: members });

test("exit 0 proceeds, 2 blocks with stderr for the reason, another one warns", () => {
  assert.deepEqual(answer({}), { decision: "proceed", warnings: [] });
  assert.deepEqual(answer({ stdout: "looked at it: [fine]\n" }), {
    decision: "proceed",
    warnings: [],
  });
  assert.deepEqual(answer({ end: 2, stderr: " not on Fridays\n" }), {
    decision: "deny",
    reason: "not on Fridays",
    warnings: [],
  });
  assert.deepEqual(answer({ end: 2 }), {
    decision: "deny",
    reason: "a hook of PreToolUse blocked it and gave no reason",
    warnings: [],
  });
  assert.deepEqual(answer({ end: 1, stderr: "oops" }), {
    decision: "proceed",
    warnings: ["it ended with status 1, which decides nothing: oops"],
  });
  assert.equal(answer({ end: 2, stderr: "é".repeat(20_000) }).reason?.length, 10_000);
});

test("exit 2 blocks whatever stands on stdout", () => {
  for (const stdout of ["", "{", specific({ permissionDecision: "allow" }), "\0"]) {
    assert.equal(decision({ end: 2, stdout, stderr: "no" }), "deny");
  }
});

test("a PreToolUse hook that did not come to its own end asks, others only warn", () => {
  const ends: readonly (readonly [HookEnd | number, string])[] = [
    [{ kind: "timed-out", limitMs: 10_000 }, "it took longer than 10 s and was killed"],
    [{ kind: "killed", signal: "SIGKILL" }, "it was killed by SIGKILL"],
    [{ kind: "cancelled" }, "it was cancelled"],
    [{ kind: "not-started", detail: "no shell" }, "it could not be started: no shell"],
    [126, "it could not be started: the shell may not run it (status 126)"],
    [127, "it could not be started: the shell finds no such command (status 127)"],
    [137, "it was killed by signal 9"],
    [139, "it was killed by signal 11"],
  ];
  for (const [end, detail] of ends) {
    assert.deepEqual(answer({ end }), {
      decision: "ask",
      reason: `a hook gave no answer: ${detail}`,
      warnings: [detail],
    });
    assert.deepEqual(answer({ end }, POST), { decision: "proceed", warnings: [detail] });
    const denies = { end, stdout: specific({ permissionDecision: "deny" }) };
    assert.equal(decision(denies), "deny");
    assert.equal(decision({ end, stdout: specific({ permissionDecision: "allow" }) }), "ask");
  }
});

test("on Windows cmd.exe's own statuses and NTSTATUS errors ask", () => {
  for (const end of [1, 9009, 0xc0000005, -1073741510]) {
    assert.equal(answer({ end }, PRE, "windows").decision, "ask", `${end}`);
  }
  for (const end of [3, 126, 137, 255]) {
    assert.equal(answer({ end }, PRE, "windows").decision, "proceed", `${end}`);
  }
  assert.equal(answer({ end: 0 }, PRE, "windows").decision, "proceed");
  assert.equal(answer({ end: 2 }, PRE, "windows").decision, "deny");
});

test("JSON on stdout decides, the strictest of what it says", () => {
  const cases: readonly (readonly [object, HookDecision, string?])[] = [
    [
      { hookSpecificOutput: { permissionDecision: "allow", permissionDecisionReason: "r" } },
      "allow",
      "r",
    ],
    [{ hookSpecificOutput: { permissionDecision: "ask" } }, "ask"],
    [
      { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "r" } },
      "deny",
      "r",
    ],
    [{ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } }, "allow"],
    [{ permissionDecision: "deny", permissionDecisionReason: "top" }, "deny", "top"],
    [{ decision: "approve" }, "allow"],
    [{ decision: "block", reason: "older" }, "deny", "older"],
    [{ decision: "block", hookSpecificOutput: { permissionDecision: "allow" } }, "deny"],
    [{ decision: "approve", hookSpecificOutput: { permissionDecision: "ask" } }, "ask"],
    [{ continue: false, stopReason: "enough" }, "deny", "enough"],
    [{ continue: true, suppressOutput: true }, "proceed"],
    [{ hookSpecificOutput: null, decision: null }, "proceed"],
    [{ session_id: "s", tool_input: { decision: "approve" } }, "proceed"],
  ];
  for (const [said, expected, reason] of cases) {
    const read = answer({ stdout: JSON.stringify(said) });
    assert.equal(read.decision, expected, JSON.stringify(said));
    if (reason !== undefined) assert.equal(read.reason, reason);
    assert.deepEqual(read.warnings, []);
  }
});

test("only exit 0 allows", () => {
  for (const stdout of [specific({ permissionDecision: "allow" }), '{"decision":"approve"}']) {
    assert.equal(decision({ stdout }), "allow");
    for (const end of [1, 3, 125, 255]) assert.equal(decision({ end, stdout }), "proceed");
  }
  assert.equal(decision({ end: 1, stdout: specific({ permissionDecision: "ask" }) }), "ask");
  assert.equal(decision({ end: 1, stdout: '{"decision":"block"}' }), "deny");
  const changed = specific({ permissionDecision: "ask", updatedInput: { command: "x" } });
  assert.equal(answer({ end: 1, stdout: changed }).updatedInput, undefined);
});

test("what may have been meant to decide and cannot be read is an ask", () => {
  const deny = specific({ permissionDecision: "deny" });
  const utf16 = new Uint8Array([...`\ufeff${deny}`].flatMap((char) => {
    const code = char.charCodeAt(0);
    return [code & 0xff, code >> 8];
  }));
  const cases: readonly (string | Uint8Array)[] = [
    "{",
    " \n{nonsense}",
    deny.slice(0, -1),
    `${deny}\0`,
    `\0${deny}`,
    `welcome to my shell\n${deny}`,
    `${deny}\n${deny}`,
    `[${deny}]`,
    'done {"decision" : "block"}',
    utf16,
    utf16.slice(2),
    new Uint8Array([...new TextEncoder().encode('{"a":"'), 0xff, 0x22, 0x7d]),
    `{"a":${"[".repeat(100_000)}`,
    `{"a":${"[".repeat(300)}${"]".repeat(300)}}`,
    specific({ permissionDecision: "defer" }),
    specific({ permissionDecision: true }),
    specific({ permissionDecision: "Deny" }),
    specific({ permissionDecision: "allow", updatedInput: "ls" }),
    specific({ hookEventName: "PostToolUse", permissionDecision: "allow" }),
    '{"hookSpecificOutput":"deny"}',
    '{"hookSpecificOutput":[{"permissionDecision":"deny"}]}',
  ];
  for (const stdout of cases) {
    for (const end of [0, 1]) {
      const read = answer({ end, stdout });
      assert.equal(read.decision, "ask", `${end} ${stdout.slice(0, 60)}`);
      assert.notEqual(read.reason ?? "", "");
      assert.notEqual(read.warnings.length, 0);
      assert.equal(read.updatedInput, undefined);
    }
    assert.equal(decision({ stdout }, POST), "proceed");
  }
  assert.equal(decision({ stdout: "y\n".repeat(9), isCut: true }), "ask");
  assert.equal(decision({ stdout: specific({ permissionDecision: "allow" }), isCut: true }), "ask");
});

test("a leading byte order mark hides nothing, and text is no decision", () => {
  assert.equal(decision({ stdout: `\ufeff${specific({ permissionDecision: "deny" })}` }), "deny");
  for (const stdout of ["decision: deny", "[info] ok", "\xff", '"allow"', "null", "a {b}"]) {
    assert.equal(decision({ stdout }), "proceed", stdout);
  }
});

test("a new input is taken over, one that is the call's already is none", () => {
  const input = { command: "ls -l" };
  const changed = answer({
    stdout: specific({ permissionDecision: "allow", updatedInput: input }),
  });
  assert.deepEqual(changed, { decision: "allow", updatedInput: input, warnings: [] });
  const alone = answer({ stdout: specific({ updatedInput: input }) });
  assert.deepEqual(alone, { decision: "proceed", updatedInput: input, warnings: [] });
  const same = { n: [1, { a: null }], command: "ls" };
  const again = answer({ stdout: specific({ permissionDecision: "allow", updatedInput: same }) });
  assert.deepEqual(again, { decision: "allow", warnings: [] });
  const denied = answer({ stdout: specific({ permissionDecision: "deny", updatedInput: input }) });
  assert.equal(denied.updatedInput, undefined);
});

test("after the call a block is told, and nothing else", () => {
  assert.equal(decision({ end: 2, stderr: "bad" }, POST), "deny");
  assert.equal(decision({ stdout: '{"decision":"block","reason":"x"}' }, POST), "deny");
  const allow = specific({ permissionDecision: "allow", updatedInput: { a: 1 } });
  assert.deepEqual(answer({ stdout: allow }, POST), { decision: "proceed", warnings: [] });
});

test("no run allows that did not end by itself with 0 and say so in readable JSON", () => {
  const stdout = fc.oneof(
    fc.constantFrom("", "{", '{"decision":"approve"}', specific({ permissionDecision: "allow" })),
    fc.json({ maxDepth: 2 }),
    fc.string({ unit: "binary" }),
    fc.tuple(fc.constantFrom("allow", "approve", "deny", "x"), fc.string()).map(([word, rest]) =>
      `{"decision":"${word}"}${rest}`
    ),
  );
  const end: fc.Arbitrary<HookEnd> = fc.oneof(
    fc.constant<HookEnd>({ kind: "exited", status: 0 }),
    fc.integer({ min: -300, max: 300 }).map((status): HookEnd => ({ kind: "exited", status })),
    fc.constantFrom<HookEnd>(
      { kind: "killed", signal: "SIGTERM" },
      { kind: "timed-out", limitMs: 1 },
      { kind: "cancelled" },
      { kind: "not-started", detail: "d" },
    ),
  );
  const run = fc.record({
    end,
    stdout,
    cut: fc.constantFrom<true | undefined>(undefined, undefined, true),
  });
  fc.assert(
    fc.property(
      run,
      fc.constantFrom<HookPlatform>("linux", "windows"),
      ({ end, stdout, cut }, platform) => {
        const read = answer({ end, stdout, ...(cut && { isCut: cut }) }, PRE, platform);
        if (end.kind !== "exited") assert.ok(read.decision === "ask" || read.decision === "deny");
        if (read.decision !== "allow") return;
        assert.deepEqual([end, cut], [{ kind: "exited", status: 0 }, undefined]);
        assert.match(JSON.stringify(JSON.parse(stdout)), /allow|approve/);
      },
    ),
    { numRuns: 600 },
  );
});

test("hooks read the event as JSON in one line", () => {
  assert.deepEqual(JSON.parse(eventText({ ...PRE, mode: "plan", callId: "c" })), {
    session_id: "s",
    cwd: "/w",
    permission_mode: "plan",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "ls", n: [1, { a: null }] },
    tool_use_id: "c",
  });
  const inside: HookEvent = {
    ...PRE,
    call: { tool: "Read", input: { path: "a\n\ud800" }, cwd: "/w/sub" },
  };
  const text = eventText(inside);
  assert.equal(text.indexOf("\n"), text.length - 1);
  assert.ok(text.isWellFormed());
  assert.deepEqual(JSON.parse(text), {
    session_id: "s",
    cwd: "/w/sub",
    hook_event_name: "PreToolUse",
    tool_name: "Read",
    tool_input: { path: "a\n\ud800" },
  });
  const scene = { sessionId: "s", cwd: "/w" };
  const others: readonly (readonly [HookEvent, object])[] = [
    [POST, { tool_name: "Bash", tool_input: PRE.call.input, tool_response: { ok: true } }],
    [{ ...scene, event: "PreCompact", trigger: "auto", instructions: "i" }, {
      trigger: "auto",
      custom_instructions: "i",
    }],
    [{ ...scene, event: "PostCompact", trigger: "manual", summary: "short" }, {
      trigger: "manual",
      compact_summary: "short",
    }],
    [{ ...scene, event: "SessionStart", origin: "resume" }, { source: "resume" }],
    [{ ...scene, event: "Stop", isContinued: true }, { stop_hook_active: true }],
  ];
  for (const [event, own] of others) {
    const common = { session_id: "s", cwd: "/w", hook_event_name: event.event };
    assert.deepEqual(JSON.parse(eventText(event)), { ...common, ...own });
  }
});

test("the shell is the platform's own, by its absolute path", () => {
  assert.deepEqual(shellCommand("a 'b'", { platform: "linux" }), {
    program: "/bin/sh",
    args: ["-c", "a 'b'"],
    isVerbatim: false,
  });
  const { killer, ...shell } = shellCommand('a "b"', {
    platform: "windows",
    systemRoot: "D:\\Win",
  });
  assert.deepEqual(shell, {
    program: "D:\\Win\\System32\\cmd.exe",
    args: ["/d", "/s", "/c", '"a "b""'],
    isVerbatim: true,
  });
  assert.deepEqual(killer?.(7), {
    program: "D:\\Win\\System32\\taskkill.exe",
    args: ["/t", "/f", "/pid", "7"],
  });
  assert.match(
    shellCommand("a", { platform: "windows", systemRoot: "" }).program,
    /^C:\\Windows\\/,
  );
});

test("a key that stands twice is no answer, for a quoted call may have brought the second", () => {
  const twice = [
    '{"decision":"block","decision":"approve"}',
    '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"x",' +
    '"permissionDecision":"allow"}}',
    '{"hookSpecificOutput":{"permissionDecision":"deny"},"hookSpecificOutput":{}}',
    '{"decision":"block","d\\u0065cision" : "approve"}',
    '{"continue":false,"a":[{"b":{}}],"continue":true}',
    '{"hookSpecificOutput":{"updatedInput":{"command":"a","command":"b"}}}',
  ];
  for (const stdout of twice) {
    assert.equal(decision({ stdout }), "ask", stdout);
    assert.match(answer({ stdout }).reason ?? "", /an object has a duplicate key$/);
  }
  for (const stdout of ['{"a":"{\\"a\\":1,\\"a\\":2}"}', '[{"a":1},{"a":2}]', '{"a":{"a":"a"}}']) {
    assert.deepEqual(answer({ stdout }), { decision: "proceed", warnings: [] }, stdout);
  }
  const long = `{"a":"${"\\n".repeat(400_000)}","decision":"block"}`;
  assert.notEqual(decision({ stdout: long }), "proceed");
});
