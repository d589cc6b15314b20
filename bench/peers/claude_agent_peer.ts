import assert from "node:assert/strict";
import { test } from "node:test";
import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { claudeCanUseTool, claudeHooks } from "../../lib/adapters/adapters.ts";
import type { AskQuestion, Gate } from "../../lib/core.ts";
import { claudeRun as agent } from "./claude_run.ts";
import { gateOf, withFolder } from "./workspace.ts";

function person(kind: "allow-once" | "deny-once") {
  const questions: AskQuestion[] = [];
  return {
    questions,
    ask(question: AskQuestion) {
      questions.push(question);
      return Promise.resolve({ kind });
    },
  };
}

const COMMANDS = ["touch allowed", "touch denied", "mkdir asked"];

const WAYS: readonly (readonly [name: string, options: (gate: Gate) => Options])[] = [
  ["canUseTool", (gate) => ({ canUseTool: claudeCanUseTool(gate) })],
  ["hooks", (gate) => ({ hooks: claudeHooks(gate) })],
  [
    "both",
    (gate) => ({
      hooks: claudeHooks(gate),
      canUseTool: claudeCanUseTool(gate),
    }),
  ],
  ["hooks, where Claude Code's own rules allow every command", (gate) => ({
    hooks: claudeHooks(gate),
    allowedTools: ["Bash"],
  })],
];

for (const [name, options] of WAYS) {
  test(`Claude Agent SDK, ${name}: allow runs, deny does not, a person is asked`, () =>
    withFolder(async (folder, has) => {
      const ask = person("allow-once");
      const gate = gateOf({ ask });
      const told = await agent(folder, COMMANDS, options(gate));
      assert.deepEqual(COMMANDS.map((each) => has(each.split(" ")[1]!)), [
        true,
        false,
        true,
      ]);
      assert.equal(ask.questions.length, 1);
      assert.match(
        told[1]!,
        /the deny rule `Bash\(touch denied:\*\)` denies it/,
      );
    }));

  test(`Claude Agent SDK, ${name}: a person's no, and a gate that fails, stop the call`, () =>
    withFolder(async (folder, has) => {
      await agent(
        folder,
        COMMANDS,
        options(gateOf({ ask: person("deny-once") })),
      );
      assert.equal(has("asked"), false);
      const broken = gateOf({
        tools: {
          Bash: {
            validateInput() {
              throw new Error("broken");
            },
          },
        },
      });
      const told = await agent(folder, ["touch never"], options(broken));
      assert.equal(has("never"), false);
      assert.match(told[0]!, /cannot be decided/);
    }));
}

test("Claude Agent SDK: a hook of the gate changes what runs", () =>
  withFolder(async (folder, has) => {
    const change = { command: "touch changed" };
    const hooks = {
      run: (event: object) =>
        Promise.resolve({
          decision: "proceed" as const,
          warnings: [],
          results: [],
          ..."call" in event && JSON.stringify(event.call).includes("original")
            ? { updatedInput: change }
            : {},
        }),
    };
    for (
      const options of [{ hooks: claudeHooks(gateOf({ hooks })) }, {
        canUseTool: claudeCanUseTool(gateOf({ hooks })),
      }]
    ) {
      await agent(folder, ["touch original"], options);
      assert.deepEqual([has("original"), has("changed")], [false, true]);
    }
  }));

for (const more of [{}, { allowedTools: ["Bash"] }]) {
  test(`Claude Agent SDK: an ask without anybody to answer it does not run, with ${JSON.stringify(more)}`, () =>
    withFolder(async (folder, has) => {
      const told = await agent(folder, ["mkdir asked"], {
        ...more,
        hooks: claudeHooks(gateOf()),
      });
      assert.equal(has("asked"), false, told.join());
    }));
}
