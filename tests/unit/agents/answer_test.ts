import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, answerEvent } from "../../../lib/agents/hook/answer_event.ts";
import type { AgentEvent } from "../../../lib/agents/hook/hook_protocol.ts";
import { enforceable } from "../../../lib/agents/enforceable.ts";
import { exactCommand } from "../../../lib/cli/hook/run.ts";
import type { ModeName, ToolCall } from "../../../lib/model/call.ts";
import { modeNamed } from "../../../lib/decide/modes.ts";
import { policyOf, type TestRule } from "../../support/policy.ts";

const BUILT_IN: readonly TestRule[] = [
  { pattern: "Read", action: "allow", kind: "builtin" },
  { pattern: "*", action: "ask", kind: "builtin" },
];

interface Asked extends Partial<AgentEvent> {
  readonly rules?: readonly TestRule[];
  readonly others?: readonly TestRule[];
  /** The mode in force; the event's own when left out. */
  readonly inForce?: ModeName;
  readonly isModeManaged?: boolean;
}

function answerTo(calls: readonly ToolCall[], asked: Asked = {}): Answer {
  const { rules = [], others, inForce, isModeManaged, ...event } = asked;
  return answerEvent({ name: "e", calls, readings: [], folders: [], ...event }, {
    policy: policyOf([...rules, ...BUILT_IN]),
    others: others === undefined ? [] : [policyOf([...others, ...BUILT_IN])],
    mode: modeNamed(inForce ?? event.mode ?? "default")!,
    now: 0,
    ...(isModeManaged === undefined ? {} : { isModeManaged }),
  });
}

const bash = (command: string): ToolCall => ({ tool: "Bash", input: { command } });
const ASK_PUSH: TestRule = { pattern: "Bash:git push *", action: "ask" };

test("a question of the built-in rules is ordinary, one that somebody wrote is not", () => {
  assert.equal(answerTo([bash("make")]).isOrdinary, true);
  assert.equal(answerTo([bash("git push")], { rules: [ASK_PUSH] }).isOrdinary, false);
  assert.equal(answerTo([bash("make; git push")], { rules: [ASK_PUSH] }).isOrdinary, false);
  // A written allow of another part does not change who asks.
  const make: TestRule = { pattern: "Bash(make:*)", action: "allow" };
  assert.equal(answerTo([bash("make; npm ci")], { rules: [make] }).isOrdinary, true);
  assert.equal(answerTo([bash("make; git push")], { rules: [make, ASK_PUSH] }).isOrdinary, false);
});

test("a deny or ask rule that names a tool as the agent does holds, and no allow rule", () => {
  const own: ToolCall = { tool: "run_shell_command", input: { command: "make x" } };
  const told = (pattern: string, action: TestRule["action"]) => {
    const answer = answerTo([bash("make x")], { own, rules: [{ pattern, action }] });
    return [answer.action, answer.isOrdinary];
  };
  assert.deepEqual(told("run_shell_command", "deny"), ["deny", false]);
  assert.deepEqual(told("run_*", "deny"), ["deny", false]);
  assert.deepEqual(told("run_shell_command:command=make *", "deny"), ["deny", false]);
  assert.deepEqual(told("run_shell_command:command=rm *", "deny"), ["ask", true]);
  assert.deepEqual(told("run_shell_command", "ask"), ["ask", false]);
  assert.deepEqual(told("run_shell_command", "allow"), ["ask", true]);
  assert.deepEqual(told("*_shell_command", "deny"), ["deny", false]);
  // One policy of several, and one rule of several, is enough.
  const every: TestRule = { pattern: "*", action: "allow" };
  const deny: TestRule = { pattern: "run_shell_command", action: "deny" };
  assert.equal(answerTo([bash("make x")], { own, rules: [deny, every] }).action, "deny");
  assert.equal(answerTo([bash("make x")], { own, rules: [deny], others: [every] }).action, "deny");
  assert.equal(answerTo([bash("make x")], { own, rules: [every], others: [deny] }).action, "deny");
  // A rule about every tool is about ours.
  assert.deepEqual(told("*:command=make x", "ask"), ["ask", false]);
  assert.deepEqual(told("Bash", "allow"), ["allow", false]);
});

test("a question of the built-in rules about what cannot be known is told apart, beside a written one not", () => {
  const told = (calls: readonly ToolCall[], rules: readonly TestRule[] = []) => {
    const { action, isOrdinary, isSpoken } = answerTo(calls, { rules });
    return [action, isOrdinary, isSpoken];
  };
  assert.deepEqual(told([bash('eval "$x"')]), ["ask", false, true]);
  assert.deepEqual(told([bash('make; eval "$x"'), bash("make")]), ["ask", false, true]);
  assert.deepEqual(told([bash('eval "$x"'), bash("git push")], [ASK_PUSH]), ["ask", false, false]);
  assert.deepEqual(told([bash('git push; eval "$x"')], [ASK_PUSH]), ["ask", false, false]);
  const deny: TestRule = { pattern: "Bash:rm *", action: "deny" };
  assert.deepEqual(told([bash('eval "$x"')], [deny]), ["ask", false, false]);
  const written: TestRule = { pattern: "WebFetch", action: "ask" };
  const fetch = { tool: "WebFetch", input: { url: "https://x.org/" } };
  for (const both of [[bash('eval "$x"'), fetch], [fetch, bash('eval "$x"')]]) {
    assert.deepEqual(told(both, [written]), ["ask", false, false]);
  }
  for (const both of [[bash('eval "$x"'), bash("make")], [bash("make"), bash('eval "$x"')]]) {
    assert.deepEqual(told(both), ["ask", false, true]);
  }
  assert.equal(answerTo([bash('eval "$x"')], { nobodyAsked: true }).isSpoken, false);
});

/** Lines, and true for one that a hook asks about aloud though only a built-in rule asks. */
const CLASSED: readonly (readonly [string, boolean])[] = [
  ["/bin/rm -r build", true],
  ["/bin/cat a && /bin/rm a", true],
  ["sudo /bin/rm a", true],
  ["find . | xargs /bin/rm", true],
  ["/usr/bin/pkill node", true],
  ["/usr/bin/printenv", true],
  ["/usr/bin/systemctl restart nginx", true],
  ["/usr/sbin/iptables -F", true],
  ["/bin/cat a", false],
  ["/bin/cp a b", false],
  ["/bin/mkdir a", false],
  // Without a table, and a variable that the line does not set.
  ["mytool x", false],
  ["make", false],
  ["echo $TOKEN", false],
];

test("a question of the built-in rules is said aloud for classes that no list of the agent should answer", () => {
  for (const [line, isLoud] of CLASSED) {
    const { action, isOrdinary, isSpoken } = answerTo([bash(line)]);
    assert.deepEqual([action, isOrdinary, isSpoken], ["ask", !isLoud, isLoud], line);
  }
  const rm = [bash("/bin/rm a")];
  // Another mode of the agent, nobody to ask, a written rule, and calls that are left to the agent.
  assert.equal(answerTo(rm, { mode: "acceptEdits" }).isSpoken, true);
  assert.equal(answerTo(rm, { mode: "plan" }).isSpoken, false);
  assert.equal(answerTo(rm, { nobodyAsked: true }).isSpoken, false);
  const ask: TestRule = { pattern: "Bash(/bin/rm:*)", action: "ask" };
  assert.deepEqual(Object.values(pick(answerTo(rm, { rules: [ask] }))), ["ask", false, false]);
  const allow: TestRule = { pattern: "Bash(/bin/rm:*)", action: "allow" };
  assert.deepEqual(Object.values(pick(answerTo(rm, { rules: [allow] }))), ["allow", false, false]);
  // A denied part beside it stays the answer.
  const deny: TestRule = { pattern: "Bash(make:*)", action: "deny" };
  assert.equal(answerTo([bash("/bin/rm a; make")], { rules: [deny] }).action, "deny");
});

function pick({ action, isOrdinary, isSpoken }: Answer) {
  return { action, isOrdinary, isSpoken };
}

test("what the built-in rules alone allow is the agent's own affair too", () => {
  const read = { tool: "Read", input: { path: "/home/u/.ssh/id_rsa" } };
  const alone = answerTo([read]);
  assert.deepEqual([alone.action, alone.isOrdinary], ["allow", true]);
  const allow: TestRule = { pattern: "Read", action: "allow" };
  assert.equal(answerTo([read], { rules: [allow] }).isOrdinary, false);
  const both = answerTo([read, bash("make")]);
  assert.deepEqual([both.action, both.isOrdinary], ["ask", true]);
  assert.equal(answerTo([bash("make")], { rules: [], inForce: "dontAsk" }).isOrdinary, false);
});

test("a protected file is no ordinary question, in no mode", () => {
  const rules: TestRule[] = [{ pattern: "Write", action: "allow" }];
  const call = { tool: "Write", input: { path: ".git/hooks/pre-commit", content: "x" } };
  for (const mode of ["default", "acceptEdits", "dontAsk"] as const) {
    const answered = answerTo([call], { rules, inForce: mode });
    assert.deepEqual([answered.action, answered.isOrdinary], ["ask", false], mode);
  }
});

test("where nobody is asked a written question is a deny, and an ordinary one the agent's own", () => {
  const asked = answerTo([bash("git push")], { rules: [ASK_PUSH], nobodyAsked: true });
  assert.equal(asked.action, "deny");
  assert.match(asked.reason, /^nobody is asked in this mode; /);
  assert.equal(answerTo([bash("make")], { nobodyAsked: true }).isOrdinary, true);
});

test("the agent's own mode is its own affair, one that a managed file sets is not", () => {
  const write = [{ tool: "Write", input: { path: "a.txt", content: "x" } }];
  const told = (isModeManaged: boolean | undefined) => {
    const options = { mode: "acceptEdits", ...(isModeManaged !== undefined && { isModeManaged }) };
    const { action, isOrdinary } = answerTo(write, options as Asked);
    return [action, isOrdinary];
  };
  assert.deepEqual(told(undefined), ["allow", true]);
  assert.deepEqual(told(false), ["allow", true]);
  assert.deepEqual(told(true), ["allow", false]);
});

test("in the agent's own plan mode a written question is a deny", () => {
  const inPlan = { mode: "plan" } as const;
  assert.equal(answerTo([bash("git push")], { rules: [ASK_PUSH], ...inPlan }).action, "deny");
});

test("of several calls the strictest counts, of several readings what is written", () => {
  const rules: TestRule[] = [
    { pattern: "Edit:**/.env", action: "deny", reason: "no secrets" },
    { pattern: "mcp__a__*", action: "allow" },
    { pattern: "mcp__a-b__*", action: "deny" },
  ];
  const edits = ["a.ts", "x/.env"].map((path) => ({ tool: "Edit", input: { path } }));
  assert.deepEqual(
    [answerTo(edits, { rules }).action, answerTo(edits, { rules }).reason],
    ["deny", "no secrets"],
  );
  const readings = [{ tool: "mcp__a__b-c", input: {} }, { tool: "mcp__a-b__c", input: {} }];
  const own = [{ tool: "a-b-c", input: {} }];
  assert.equal(answerTo(own, { rules, readings }).action, "deny");
  const allowed = answerTo(own, { rules, readings: readings.slice(0, 1) });
  assert.deepEqual([allowed.action, allowed.isOrdinary], ["ask", true]);
});

test("a tool of a server that is not known is that of every server a rule names", () => {
  const call = { tool: "mcp__*__delete", input: {} };
  const deny: TestRule = { pattern: "mcp__git*__delete", action: "deny" };
  assert.equal(answerTo([call], { rules: [deny] }).action, "deny");
  const spec: TestRule = { pattern: "mcp__db__delete(table=users)", action: "deny" };
  assert.equal(
    answerTo([{ ...call, input: { table: "users" } }], { rules: [spec] }).action,
    "deny",
  );
  const longName: TestRule = { pattern: "mcp__my__server__delete", action: "deny" };
  assert.equal(answerTo([call], { rules: [longName] }).action, "deny");
  const server: TestRule = { pattern: "mcp__my__server", action: "deny" };
  for (const pattern of ["mcp__d*", "mcp__my__server__*", "mcp__a__b__c__delete"]) {
    assert.equal(
      answerTo([call], { rules: [{ pattern, action: "deny" }] }).action,
      "deny",
      pattern,
    );
  }
  assert.equal(answerTo([call], { rules: [server] }).action, "ask");
  const allow: TestRule = { pattern: "mcp__github__*", action: "allow" };
  assert.equal(answerTo([call], { rules: [allow] }).action, "ask");
  assert.equal(
    answerTo([call], { rules: [{ pattern: "mcp__*", action: "allow" }] }).action,
    "allow",
  );
});

test("a folder above counts with what is written there", () => {
  const deny: TestRule = { pattern: "Bash:rm *", action: "deny" };
  const allow: TestRule = { pattern: "Bash", action: "allow" };
  assert.equal(answerTo([bash("rm x")], { rules: [allow], others: [deny] }).action, "deny");
  assert.equal(answerTo([bash("ls")], { rules: [allow], others: [] }).action, "allow");
  assert.equal(answerTo([bash("rm x")], { others: [allow] }).action, "ask");
});

test("the reason of a deny is that of its rule, and none of its comment", () => {
  const rules: TestRule[] = [{ pattern: "Bash:rm *", action: "deny", reason: "use the bin" }];
  assert.equal(answerTo([bash("rm x")], { rules }).reason, "use the bin");
});

test("a command is kept only where every character of it stands for itself", () => {
  assert.equal(exactCommand({ calls: [bash("npm run test:unit")] }), undefined);
  assert.equal(exactCommand({ calls: [bash("npm test")] }), "npm test");
  for (const odd of ["ls *", "a; b", "$(x)", "-x", "a\nb", "a".repeat(201)]) {
    assert.equal(exactCommand({ calls: [bash(odd)] }), undefined, odd);
  }
  assert.equal(exactCommand({ calls: [{ tool: "Read", input: { path: "a" } }] }), undefined);
});

test("what an agent cannot follow is known of each rule", () => {
  const gaps = (
    agent: "claude" | "codex" | "gemini",
    action: TestRule["action"],
    pattern: string,
  ) => enforceable(agent, { action, pattern }).map(({ id }) => id);
  assert.deepEqual(gaps("claude", "ask", "Bash:git push *"), []);
  assert.deepEqual(gaps("gemini", "ask", "Bash:git push *"), ["stricter"]);
  assert.deepEqual(gaps("codex", "deny", "WebSearch"), ["open"]);
  assert.deepEqual(gaps("codex", "ask", "*"), ["stricter", "open"]);
  assert.deepEqual(gaps("codex", "allow", "*"), []);
  assert.deepEqual(gaps("codex", "deny", "Bash(("), []);
});
