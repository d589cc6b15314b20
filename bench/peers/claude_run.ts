import assert from "node:assert/strict";
import { type Options, query } from "@anthropic-ai/claude-agent-sdk";
import { scriptedModel } from "./model/scripted_model.ts";

/** Runs Claude Code in a folder with a model that wants these commands; what the model was told about each. */
export async function claudeRun(
  folder: string,
  commands: readonly string[],
  { home = folder, ...options }: Options & { readonly home?: string } = {},
): Promise<readonly string[]> {
  const server = await scriptedModel(
    commands.map((command) => ({ name: "Bash", input: { command, description: "x" } })),
  );
  try {
    const run = query({
      prompt: "go",
      options: {
        cwd: folder,
        settingSources: [],
        env: {
          PATH: process.env.PATH,
          HOME: home,
          ANTHROPIC_BASE_URL: server.url,
          ANTHROPIC_API_KEY: "none",
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        },
        ...options,
      },
    });
    for await (const message of run) {
      if (message.type === "result") {
        assert.equal(message.subtype, "success", JSON.stringify(message));
      }
    }
    return server.results;
  } finally {
    await server.close();
  }
}
