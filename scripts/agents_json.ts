import { parse } from "smol-toml";
import { z } from "zod";
import { AGENT_NAMES } from "../lib/agents/registry.ts";
import { PATH_CHANGES } from "../lib/pattern/path/path_readings.ts";

const word = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);
const words = z.string().regex(/^[A-Za-z_]+(?: [A-Za-z_]+)*$/).transform((text) => text.split(" "));

const tool = z.strictObject({
  tool: word,
  fields: z.record(word, word).default({}),
  cwd: words.default([]),
  unlike: z.array(word).default([]),
  patch: words.optional(),
  finds: z.literal(true).optional(),
  several: z.array(word).default([]),
  untried: z.literal(true).optional(),
  urls: word.optional(),
  calls: z.strictObject({ tool: word, input: word, names: z.literal(true).optional() }).optional(),
});

const hook = z.strictObject({
  allow: z.enum(["grants", "nothing"]),
  ask: z.enum(["prompts", "nothing"]),
  silence: z.enum(["judges", "runs"]),
  exit_two: z.enum(["stops", "nothing"]),
  wait_ms: z.int().positive().default(30_000),
  folder: z.enum(["project", "cwd"]),
  runs: z.array(z.enum(AGENT_NAMES)).default([]),
  unseen: z.array(z.strictObject({ tool: word.optional(), what: z.string().min(1) })).default([]),
}).transform(({ exit_two: exitTwo, wait_ms: waitMs, ...rest }) => ({ ...rest, exitTwo, waitMs }));

const agent = z.strictObject({
  title: z.string().min(1),
  version: z.string().min(1),
  source: z.string().min(1),
  mcp: z.enum(["server-tool", "server_tool", "mcp_server_tool", "server__tool", "server___tool"])
    .optional(),
  paths: z.array(z.enum(PATH_CHANGES)).optional(),
  hook,
  request: hook.in.partial().pick({ allow: true, ask: true, silence: true }).optional(),
  tools: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]*$/), tool),
}).transform(({ request, ...rest }) =>
  request === undefined ? rest : { ...rest, request: { ...rest.hook, ...request } }
);

const schema = z.strictObject(
  Object.fromEntries(AGENT_NAMES.map((name) => [name, agent])),
);

/** The text of defaults/agents.json for that of agents.toml. Throws Error on anything unexpected. */
export function agentsJson(toml: string): string {
  return JSON.stringify(agentsIn(toml), null, 2) + "\n";
}

/** The text of defaults/hook-runners.json for that of agents.toml. It spares a hook the facts about all other agents. Throws Error as `agentsJson` does. */
export function hookRunnersJson(toml: string): string {
  const agents = agentsIn(toml);
  const runners = AGENT_NAMES.map((ran) => {
    return [ran, AGENT_NAMES.filter((name) => agents[name]!.hook.runs.includes(ran))] as const;
  });
  const some = runners.filter(([, names]) => names.length > 0);
  return JSON.stringify(Object.fromEntries(some), null, 2) + "\n";
}

function agentsIn(toml: string): z.output<typeof schema> {
  const checked = schema.safeParse(parse(toml));
  if (checked.success) return checked.data;
  throw new Error(`Cannot use agents.toml: ${z.prettifyError(checked.error)}`);
}
