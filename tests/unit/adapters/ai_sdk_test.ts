import assert from "node:assert/strict";
import { test } from "node:test";
import { aiSdkToolApproval, aiSdkTools } from "../../../lib/adapters/adapters.ts";
import { hooks, person } from "../gate/scene.ts";
import { type CountingGate, gateOf, gateSaying, JUNK } from "./fakes.ts";

const command = (text: string) => ({ command: text });

function toolCall(text: string) {
  return { type: "tool-call", toolName: "Bash", toolCallId: "c1", input: command(text) };
}

type Options = Parameters<typeof aiSdkTools>[2];

/** A tool that remembers what it ran, behind a gate. */
function shell(gate: CountingGate, options?: Options, own: { needsApproval?: unknown } = {}) {
  const ran: string[] = [];
  const tools = aiSdkTools(gate, {
    Bash: {
      description: "runs a command",
      ...own,
      execute: ({ command }: { command: string }, _options: { toolCallId: string }) => {
        ran.push(command);
        return `ran ${command}`;
      },
    },
  }, options);
  const { Bash } = tools;
  const needsApproval = Bash.needsApproval as (
    input: unknown,
    options: unknown,
  ) => Promise<boolean>;
  return {
    ran,
    Bash,
    asks: (text: string, toolCallId = "c1") => needsApproval(command(text), { toolCallId }),
    run: async (text: string, toolCallId = "c1") =>
      await Bash.execute(command(text), { toolCallId }),
  };
}

test("toolApproval: allow, deny and ask each have their word", async () => {
  const approve = aiSdkToolApproval(gateOf());
  assert.deepEqual(await approve({ toolCall: toolCall("ls") }), { type: "approved" });
  assert.deepEqual(await approve({ toolCall: toolCall("rm x") }), {
    type: "denied",
    reason: "the deny rule `Bash(rm:*)` denies it",
  });
  assert.deepEqual(await approve({ toolCall: toolCall("make") }), {
    type: "user-approval",
    reason: "the ask rule `Bash` asks about it",
  });
});

test("toolApproval: the gate's person answers first", async () => {
  const approve = aiSdkToolApproval(gateOf({ ask: person("allow-once", "deny-once") }));
  assert.equal((await approve({ toolCall: toolCall("make") })).type, "approved");
  assert.equal((await approve({ toolCall: toolCall("make") })).type, "denied");
});

test("toolApproval: an input that a hook changed cannot be handed over", async () => {
  const changing = hooks(({ command }) =>
    command === "make" ? { updatedInput: { command: "ls" } } : {}
  );
  const approve = aiSdkToolApproval(gateOf({ hooks: changing }));
  assert.equal((await approve({ toolCall: toolCall("make") })).type, "denied");
});

/** The messages of a client that approved the call of that name. */
function approvedMessages(toolCallId = "c1") {
  return [
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: [{ type: "tool-approval-request", approvalId: "a1", toolCallId }],
    },
    {
      role: "tool",
      content: [{ type: "tool-approval-response", approvalId: "a1", approved: true }],
    },
  ];
}

test("toolApproval: an approval holds for the input that was asked about", async () => {
  const gate = gateOf();
  const approve = (text: string, messages: unknown, id = "c1") =>
    aiSdkToolApproval(gate)({ toolCall: { ...toolCall(text), toolCallId: id }, messages });
  assert.equal((await approve("make", [])).type, "user-approval");
  assert.equal((await approve("make", approvedMessages())).type, "user-approval");
  assert.deepEqual(await approve("curl evil", approvedMessages()), {
    type: "denied",
    reason: "the approval is for another input than this one; the ask rule `Bash` asks about it",
  });
  assert.equal((await approve("curl evil", approvedMessages("c2"), "c2")).type, "denied");
  assert.equal((await approve("make", approvedMessages("c2"), "c2")).type, "denied");
  assert.equal((await approve("ls", approvedMessages("c2"), "c2")).type, "approved");
  // The same name for a new call is a new question.
  assert.equal((await approve("make all", [])).type, "user-approval");
  assert.equal((await approve("make all", approvedMessages())).type, "user-approval");
  assert.equal((await approve("make", approvedMessages())).type, "denied");
});

test("toolApproval: where the SDK signs approvals, those of other processes count", async () => {
  const approve = aiSdkToolApproval(gateOf(), { approvals: "signed" });
  const event = { toolCall: toolCall("make"), messages: approvedMessages() };
  assert.equal((await approve(event)).type, "user-approval");
  assert.equal((await approve({ ...event, toolCall: toolCall("rm x") })).type, "denied");
});

test("toolApproval: an input that changes while it is decided is denied", async () => {
  const call = toolCall("ls");
  const answer = aiSdkToolApproval(gateOf())({ toolCall: call });
  call.input.command = "rm -rf /";
  assert.deepEqual(await answer, {
    type: "denied",
    reason: "its input changed while it was decided",
  });
});

test("tools: an approval holds for the input that was asked about", async () => {
  const gate = gateOf();
  const ran: string[] = [];
  const made = () => {
    const { Bash } = aiSdkTools(gate, {
      Bash: { execute: ({ command }: { command: string }) => void ran.push(command) },
    });
    return Bash as unknown as Record<
      "needsApproval" | "execute",
      (input: unknown, options: unknown) => Promise<unknown>
    >;
  };
  const run = async (text: string, messages: unknown, toolCallId = "c1") => {
    const tool = made();
    await tool.needsApproval(command(text), { toolCallId, messages });
    return await tool.execute(command(text), { toolCallId, messages });
  };
  await made().needsApproval(command("make"), { toolCallId: "c1", messages: [] });
  await assert.rejects(run("curl evil", approvedMessages()), /approval is for another input/);
  await assert.rejects(run("make", approvedMessages("c2"), "c2"), /approval is for another input/);
  await run("make", approvedMessages());
  assert.deepEqual(ran, ["make"]);
});

test("tools: what runs is the frozen copy that was decided", async () => {
  const ran: unknown[] = [];
  const policy = gateOf();
  const slow = {
    ...policy,
    async decide(...given: Parameters<typeof policy.decide>) {
      const decided = await policy.decide(...given);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return decided;
    },
  };
  const { Bash } = aiSdkTools(slow, { Bash: { execute: (input: object) => void ran.push(input) } });
  const execute = Bash.execute as unknown as (
    input: unknown,
    options: unknown,
  ) => Promise<unknown>;
  const input = { command: "ls", more: { deep: 1 } };
  const done = execute(input, { toolCallId: "1" });
  setTimeout(() => {
    input.command = "rm -rf /";
    input.more.deep = 2;
  }, 5);
  await done;
  assert.deepEqual(ran, [{ command: "ls", more: { deep: 1 } }]);
  assert.ok(Object.isFrozen(ran[0]) && Object.isFrozen((ran[0] as typeof input).more));
});

test("toolApproval: what is no call is denied", async () => {
  const approve = aiSdkToolApproval(gateOf({ autoAllow: true }));
  const { input: _, ...without } = toolCall("ls");
  for (const each of [undefined, null, "x", {}, without, { ...toolCall("ls"), input: "ls" }]) {
    assert.equal((await approve({ toolCall: each })).type, "denied");
  }
  assert.equal((await approve(undefined as never)).type, "denied");
});

test("tools: what is allowed runs, judged once", async () => {
  const gate = gateOf();
  const { asks, run, ran } = shell(gate);
  assert.equal(await asks("ls"), false);
  assert.equal(await run("ls"), "ran ls");
  assert.deepEqual([ran, gate.asked.length], [["ls"], 1]);
});

test("tools: what is denied needs approval and fails with it; what is asked about runs with it", async () => {
  const { asks, run, ran } = shell(gateOf());
  assert.equal(await asks("rm x"), true);
  await assert.rejects(
    run("rm x"),
    /^Error: Cannot run "Bash": the deny rule `Bash\(rm:\*\)` denies it$/,
  );
  assert.equal(await asks("make", "c2"), true);
  assert.equal(await run("make", "c2"), "ran make");
  assert.deepEqual(ran, ["make"]);
});

test("tools: what never was asked about does not run", async () => {
  const { run, ran } = shell(gateOf());
  await assert.rejects(run("make"), /the ask rule `Bash` asks about it$/);
  await assert.rejects(run("rm x"));
  assert.deepEqual(ran, []);
});

test("tools: a tool's own approval still counts, and anything but false asks", async () => {
  for (const own of [true, () => true, () => Promise.resolve(true), "yes", () => 0, null]) {
    assert.equal(await shell(gateOf(), {}, { needsApproval: own }).asks("ls"), true);
  }
  for (const own of [false, undefined, () => false]) {
    assert.equal(await shell(gateOf(), {}, { needsApproval: own }).asks("ls"), false);
  }
  const failing = () => {
    throw new Error("no");
  };
  await assert.rejects(shell(gateOf(), {}, { needsApproval: failing }).asks("ls"), /no/);
});

test("tools: the rest of a tool stays, one without execute too, and the SDK's name may be another", async () => {
  const gate = gateOf();
  const tools = aiSdkTools(gate, { shell: { title: "Shell" } }, { nameOf: () => "Bash" });
  assert.equal(tools.shell.title, "Shell");
  assert.ok(!("execute" in tools.shell));
  const { needsApproval } = tools.shell as { needsApproval?: unknown };
  assert.ok(typeof needsApproval === "function");
  assert.equal(await needsApproval(command("ls"), { toolCallId: "c" }), false);
  assert.equal(await needsApproval(command("rm x"), { toolCallId: "c" }), true);
});

test("tools: of a tool that gives many results the last arrives, and none of one that is denied", async () => {
  const given: number[] = [];
  const { Bash } = aiSdkTools(gateOf(), {
    Bash: {
      async *execute(_input: unknown, _options: unknown) {
        for (const each of [1, 2]) {
          given.push(each);
          yield await Promise.resolve(each);
        }
      },
    },
  });
  assert.equal(await Bash.execute(command("ls"), {}), 2);
  await assert.rejects(async () => await Bash.execute(command("rm x"), {}));
  assert.deepEqual(given, [1, 2]);
});

test("tools: what is given up does not run", async () => {
  const { asks, Bash, ran } = shell(gateOf());
  assert.equal(await asks("ls"), false);
  const abortSignal = AbortSignal.abort();
  const run = Bash.execute as (input: unknown, options: unknown) => unknown;
  const running = async () => await run(command("ls"), { toolCallId: "c1", abortSignal });
  await assert.rejects(running, /cancelled/);
  assert.deepEqual(ran, []);
});

for (const [index, junk] of JUNK.entries()) {
  test(`nothing that is no decision lets a tool of the AI SDK run (${index})`, async () => {
    const gate = gateSaying(junk);
    assert.equal((await aiSdkToolApproval(gate)({ toolCall: toolCall("ls") })).type, "denied");
    const { asks, run, ran } = shell(gate);
    assert.equal(await asks("ls"), true);
    await assert.rejects(run("ls"));
    assert.deepEqual(ran, []);
  });
}

test("an input that throws when it is read, or reads otherwise the second time, does not run", async () => {
  const throwing = {
    get command(): string {
      throw new Error("no");
    },
  };
  let reads = 0;
  const turning = {
    get command() {
      return reads++ === 0 ? "ls" : "rm x";
    },
  };
  const { Bash, ran } = shell(gateOf({ autoAllow: true }));
  const needsApproval: unknown = Bash.needsApproval;
  assert.ok(typeof needsApproval === "function");
  assert.equal(await needsApproval(throwing, { toolCallId: "c1" }), true);
  await assert.rejects(
    async () => await Bash.execute(throwing, { toolCallId: "c1" }),
    /not a JSON object/,
  );
  assert.equal(await needsApproval(turning, { toolCallId: "c2" }), false);
  await assert.rejects(async () => await Bash.execute(turning, { toolCallId: "c2" }), /denies it/);
  assert.deepEqual(ran, []);
});
