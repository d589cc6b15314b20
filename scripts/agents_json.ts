import { parse } from "smol-toml";
import { z } from "zod";
import { AGENT_NAMES } from "../lib/agents/agent_name.ts";

const word = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);
const words = z.string().regex(/^[A-Za-z_]+(?: [A-Za-z_]+)*$/).transform((text) => text.split(" "));

const tool = z.strictObject({
  tool: word,
  fields: z.record(word, word).default({}),
  cwd: words.default([]),
  unlike: z.array(word).default([]),
  patch: words.optional(),
});

const agent = z.strictObject({
  title: z.string().min(1),
  version: z.string().min(1),
  source: z.string().min(1),
  mcp: z.enum(["server-tool", "server_tool", "mcp_server_tool"]).optional(),
  tools: z.record(word, tool),
});

const schema = z.strictObject(
  Object.fromEntries(AGENT_NAMES.map((name) => [name, agent])),
);

/** The text of defaults/agents.json for that of agents.toml. Throws Error on anything unexpected. */
export function agentsJson(toml: string): string {
  const checked = schema.safeParse(parse(toml));
  if (checked.success) return JSON.stringify(checked.data, null, 2) + "\n";
  throw new Error(`Cannot use agents.toml: ${z.prettifyError(checked.error)}`);
}
