import assert from "node:assert/strict";
import { test } from "node:test";
import { generateText, type ModelMessage, stepCountIs, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { z } from "zod";
import { aiSdkToolApproval, aiSdkTools } from "../../lib/adapters/adapters.ts";
import { createGate, type Gate, policyFromToml } from "../../lib/core.ts";
import { gateOf } from "./workspace.ts";

const USAGE = {
  inputTokens: {
    total: 1,
    noCache: 1,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** A model that calls the shell with these commands in turn. */
function scripted(commands: readonly string[]) {
  let turn = 0;
  return new MockLanguageModelV4({
    doGenerate: () => {
      const command = commands[turn++];
      const isDone = command === undefined;
      return Promise.resolve({
        content: isDone ? [{ type: "text" as const, text: "done" }] : [{
          type: "tool-call" as const,
          toolCallId: `call_${turn}`,
          toolName: "Bash",
          input: JSON.stringify({ command }),
        }],
        finishReason: {
          unified: isDone ? "stop" as const : "tool-calls" as const,
          raw: undefined,
        },
        usage: USAGE,
        warnings: [],
      });
    },
  });
}

function shell() {
  const ran: string[] = [];
  const tools = {
    Bash: tool({
      description: "runs a command",
      inputSchema: z.object({ command: z.string() }),
      execute: ({ command }) => {
        ran.push(command);
        return `ran ${command}`;
      },
    }),
  };
  return { ran, tools };
}

const WAYS = {
  toolApproval: (gate: Gate) => ({ toolApproval: aiSdkToolApproval(gate) }),
  needsApproval: () => ({}),
};

type Way = keyof typeof WAYS;

/** Runs to the end; every request for approval is answered with `approved`. */
async function agent(
  way: Way,
  { gate, commands, approved, tampered = (messages) => messages }: {
    readonly gate: Gate;
    readonly commands: readonly string[];
    readonly approved: boolean;
    /** The messages as a client sends them back. */
    readonly tampered?: (
      messages: readonly ModelMessage[],
    ) => readonly ModelMessage[];
  },
) {
  const { ran, tools } = shell();
  const model = scripted(commands);
  const asked: unknown[] = [];
  const messages: ModelMessage[] = [{ role: "user", content: "go" }];
  for (let rounds = 0; rounds < 9; rounds++) {
    const result = await generateText({
      model,
      tools: way === "toolApproval" ? tools : aiSdkTools(gate, tools),
      messages: [...tampered(messages)],
      stopWhen: stepCountIs(9),
      ...WAYS[way](gate),
    });
    messages.push(...result.responseMessages);
    const requests = result.content.filter((part) =>
      part.type === "tool-approval-request" && part.isAutomatic !== true
    );
    if (requests.length === 0) {
      return { ran, asked, told: JSON.stringify(messages) };
    }
    messages.push({
      role: "tool",
      content: requests.map((part) => {
        if (part.type !== "tool-approval-request") {
          throw new TypeError("not asked");
        }
        asked.push(part.toolCall.input);
        return {
          type: "tool-approval-response",
          approvalId: part.approvalId,
          approved,
        };
      }),
    });
  }
  throw new Error("it never ends");
}

const COMMANDS = ["touch allowed", "touch denied", "mkdir asked"];

test("AI SDK, toolApproval: allow runs, nobody is shown a deny, a person is asked", async () => {
  const { ran, asked, told } = await agent("toolApproval", {
    gate: gateOf(),
    commands: COMMANDS,
    approved: true,
  });
  assert.deepEqual(ran, ["touch allowed", "mkdir asked"]);
  assert.deepEqual(asked, [{ command: "mkdir asked" }]);
  assert.match(told, /the deny rule `Bash\(touch denied:\*\)` denies it/);
});

test("AI SDK, needsApproval: allow runs, a deny fails though approved, a person is asked", async () => {
  const { ran, asked, told } = await agent("needsApproval", {
    gate: gateOf(),
    commands: COMMANDS,
    approved: true,
  });
  assert.deepEqual(ran, ["touch allowed", "mkdir asked"]);
  assert.deepEqual(asked, [{ command: "touch denied" }, {
    command: "mkdir asked",
  }]);
  assert.match(told, /the deny rule `Bash\(touch denied:\*\)` denies it/);
});

for (const way of ["toolApproval", "needsApproval"] as const) {
  test(`AI SDK, ${way}: what is not approved does not run`, async () => {
    const { ran } = await agent(way, {
      gate: gateOf(),
      commands: COMMANDS,
      approved: false,
    });
    assert.deepEqual(ran, ["touch allowed"]);
  });

  for (
    const [from, to] of [["mkdir asked", "mkdir evil"], [
      "call_1",
      "call_9",
    ]] as const
  ) {
    test(`AI SDK, ${way}: a client that makes ${from} ${to} after the approval runs nothing`, async () => {
      const { ran, asked } = await agent(way, {
        gate: gateOf(),
        commands: ["mkdir asked"],
        approved: true,
        tampered: (messages) =>
          from === "call_1" || messages.length > 1
            ? JSON.parse(
              JSON.stringify(messages).replaceAll(from, to).replaceAll(
                from === "call_1" ? "mkdir asked" : from,
                "mkdir evil",
              ),
            )
            : messages,
      });
      assert.deepEqual([ran, asked], [[], [{ command: "mkdir asked" }]]);
    });
  }

  test(`AI SDK, ${way}: the gate's own person is asked once, in place of the SDK's`, async () => {
    let questions = 0;
    const ask = {
      ask: () => {
        questions++;
        return Promise.resolve({ kind: "allow-once" } as const);
      },
    };
    const { ran, asked } = await agent(way, {
      gate: gateOf({ ask }),
      commands: ["mkdir asked"],
      approved: false,
    });
    assert.deepEqual([ran, asked, questions], [["mkdir asked"], [], 1]);
  });

  test(`AI SDK, ${way}: a gate that fails lets nothing run`, async () => {
    const gate: Gate = {
      ...createGate({ policy: policyFromToml("") }),
      decide: () => Promise.reject(new Error("broken")),
    };
    const { ran } = await agent(way, {
      gate,
      commands: ["touch allowed"],
      approved: true,
    });
    assert.deepEqual(ran, []);
  });
}
