import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  type Model,
  type ModelResponse,
  Runner,
  setTracingDisabled,
  tool,
  Usage,
} from "@openai/agents";
import { z } from "zod";
import { openaiToolGate } from "../../lib/adapters/adapters.ts";
import { createGate, type Gate, policyFromToml } from "../../lib/core.ts";
import { gateOf } from "./workspace.ts";

setTracingDisabled(true);

/** A model that calls the shell with these commands in turn, and then says what it was told about each. */
function scripted(
  commands: readonly string[],
): Model & { readonly told: string[] } {
  const told: string[] = [];
  let turn = 0;
  return {
    told,
    getResponse({ input }): Promise<ModelResponse> {
      const results = typeof input === "string"
        ? []
        : input.filter((each) => each.type === "function_call_result");
      told.splice(
        0,
        told.length,
        ...results.map((each) => JSON.stringify(each.output)),
      );
      const command = commands[turn++];
      const output: ModelResponse["output"] = command === undefined
        ? [{
          type: "message",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "done" }],
        }]
        : [{
          type: "function_call",
          callId: `call_${turn}`,
          name: "shell",
          status: "completed",
          arguments: JSON.stringify({ command }),
        }];
      return Promise.resolve({ usage: new Usage(), output });
    },
    // deno-lint-ignore require-yield -- nothing here streams
    async *getStreamedResponse() {
      throw new Error("nothing here streams");
    },
  };
}

/** The shell's parameters, which add a member to an input: the gate has to know them. */
const PARAMETERS = z.object({
  command: z.string(),
  timeout: z.number().default(10),
});

function scene(
  gate: Gate,
  commands: readonly string[],
  { schema = PARAMETERS }: { readonly schema?: typeof PARAMETERS | null } = {},
) {
  const ran: string[] = [];
  const model = scripted(commands);
  const shell = tool({
    name: "shell",
    description: "runs a command",
    parameters: PARAMETERS,
    execute: ({ command }) => {
      ran.push(command);
      return `ran ${command}`;
    },
    ...openaiToolGate(gate, "Bash", schema === null ? {} : { schema }),
  });
  return { ran, model, agent: new Agent({ name: "a", model, tools: [shell] }) };
}

const COMMANDS = ["touch allowed", "touch denied", "mkdir asked"];

test("OpenAI Agents SDK: allow runs, deny does not run with approval either, an ask does", async () => {
  const { ran, model, agent } = scene(gateOf(), COMMANDS);
  const runner = new Runner();
  let result = await runner.run(agent, "go");
  const asked: string[] = [];
  while (result.interruptions.length > 0) {
    for (const each of result.interruptions) {
      asked.push(JSON.parse(each.arguments ?? "{}").command);
      result.state.approve(each);
    }
    result = await runner.run(agent, result.state);
  }
  assert.deepEqual(asked, ["touch denied", "mkdir asked"]);
  assert.deepEqual(ran, ["touch allowed", "mkdir asked"]);
  assert.match(
    model.told[1]!,
    /not run: the deny rule `Bash\(touch denied:\*\)` denies it/,
  );
  assert.equal(result.finalOutput, "done");
});

test("OpenAI Agents SDK: a rejected ask does not run", async () => {
  const { ran, agent } = scene(gateOf(), ["mkdir asked"]);
  const runner = new Runner();
  const first = await runner.run(agent, "go");
  assert.equal(first.interruptions.length, 1);
  first.state.reject(first.interruptions[0]!);
  await runner.run(agent, first.state);
  assert.deepEqual(ran, []);
});

test("OpenAI Agents SDK: with guardrails before approval nobody is shown a deny", async () => {
  const { ran, agent } = scene(gateOf(), COMMANDS);
  const runner = new Runner({
    toolExecution: { preApprovalInputGuardrails: true },
  });
  let result = await runner.run(agent, "go");
  const asked: string[] = [];
  while (result.interruptions.length > 0) {
    for (const each of result.interruptions) {
      asked.push(JSON.parse(each.arguments ?? "{}").command);
      result.state.approve(each);
    }
    result = await runner.run(agent, result.state);
  }
  assert.deepEqual(asked, ["mkdir asked"]);
  assert.deepEqual(ran, ["touch allowed", "mkdir asked"]);
});

test("OpenAI Agents SDK: the gate's own person is asked once", async () => {
  let questions = 0;
  const ask = {
    ask: () =>
      Promise.resolve(
        { kind: ++questions === 1 ? "allow-once" : "deny-once" } as const,
      ),
  };
  const { ran, agent } = scene(gateOf({ ask }), ["mkdir one"]);
  const result = await new Runner().run(agent, "go");
  assert.deepEqual([result.finalOutput, ran, questions], [
    "done",
    ["mkdir one"],
    1,
  ]);
});

test("OpenAI Agents SDK: an approval for ever is none for what the gate asks about", async () => {
  const { ran, agent } = scene(gateOf(), [
    "mkdir one",
    "mkdir two",
    "touch three",
  ]);
  const runner = new Runner();
  let result = await runner.run(agent, "go");
  while (result.interruptions.length > 0) {
    for (const each of result.interruptions) {
      result.state.approve(each, { alwaysApprove: true });
    }
    result = await runner.run(agent, result.state);
  }
  assert.deepEqual(ran, ["mkdir one", "touch three"]);
});

test("OpenAI Agents SDK: without the schema no approval holds for what the SDK adds to an input", async () => {
  const { ran, model, agent } = scene(gateOf(), ["mkdir asked"], { schema: null });
  const runner = new Runner();
  const first = await runner.run(agent, "go");
  first.state.approve(first.interruptions[0]!);
  await runner.run(agent, first.state);
  assert.deepEqual(ran, []);
  assert.match(model.told[0]!, /the approval is for another input/);
});

test("OpenAI Agents SDK: a deny that came between approval and run counts", async () => {
  const gate = gateOf();
  const { ran, agent } = scene(gate, ["mkdir asked"]);
  const runner = new Runner();
  const first = await runner.run(agent, "go");
  first.state.approve(first.interruptions[0]!);
  gate.setPolicy(
    policyFromToml(
      '[[permissions.rules]]\npattern = "Bash"\naction = "deny"\n',
    ),
  );
  await runner.run(agent, first.state);
  assert.deepEqual(ran, []);
});

test("OpenAI Agents SDK: a gate that fails lets nothing run", async () => {
  const broken: Gate = {
    ...createGate({ policy: policyFromToml("") }),
    decide: () => Promise.reject(new Error("broken")),
  };
  const { ran, agent } = scene(broken, ["touch allowed"]);
  const runner = new Runner();
  const first = await runner.run(agent, "go");
  first.state.approve(first.interruptions[0]!);
  await runner.run(agent, first.state);
  assert.deepEqual(ran, []);
});
