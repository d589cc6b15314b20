// The README's examples of the adapters; `deno task test:peers` checks them against the packages' own types.
import { query } from "@anthropic-ai/claude-agent-sdk";
import { Agent, Runner, tool as openaiTool } from "@openai/agents";
import { generateText, type LanguageModel, tool as aiTool } from "ai";
import { z } from "zod";
import {
  aiSdkToolApproval,
  aiSdkTools,
  claudeCanUseTool,
  claudeHooks,
  openaiToolGate,
} from "../../lib/adapters/adapters.ts";
import type { Gate } from "../../lib/core.ts";

/** Claude Agent SDK: every call is judged in its own folder, and what Claude Code asks about goes to the gate as well. */
export async function claudeAgent(gate: Gate, prompt: string): Promise<void> {
  const options = {
    hooks: claudeHooks(gate),
    canUseTool: claudeCanUseTool(gate),
  };
  for await (const message of query({ prompt, options })) {
    console.log(message.type);
  }
}

const parameters = z.object({ command: z.string() });

/** OpenAI Agents SDK: the gate is a part of the tool. */
export async function openaiAgent(
  gate: Gate,
  run: (command: string) => string,
): Promise<void> {
  const shell = openaiTool({
    name: "shell",
    description: "Runs a command",
    parameters,
    execute: ({ command }) => run(command),
    ...openaiToolGate(gate, "Bash"),
  });
  const runner = new Runner({
    toolExecution: { preApprovalInputGuardrails: true },
  });
  const result = await runner.run(
    new Agent({ name: "coder", tools: [shell] }),
    "list the files",
  );
  console.log(
    result.interruptions.length > 0 ? "to be approved" : result.finalOutput,
  );
}

/** AI SDK: the gate answers for all tools. */
export async function aiSdk(model: LanguageModel, gate: Gate): Promise<void> {
  const tools = {
    Bash: aiTool({
      inputSchema: parameters,
      execute: ({ command }) => `ran ${command}`,
    }),
  };
  const toolApproval = aiSdkToolApproval(gate);
  const { text } = await generateText({
    model,
    tools,
    toolApproval,
    prompt: "list the files",
  });
  console.log(text);
}

/** AI SDK before its version 7. */
export async function olderAiSdk(
  model: LanguageModel,
  gate: Gate,
): Promise<void> {
  const tools = aiSdkTools(gate, {
    Bash: aiTool({
      inputSchema: parameters,
      execute: ({ command }) => `ran ${command}`,
    }),
  });
  const { text } = await generateText({
    model,
    tools,
    prompt: "list the files",
  });
  console.log(text);
}
