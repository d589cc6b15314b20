// The tools and fields that each real agent offers its model, and those of the types that its package publishes, are those of
// tests/cases/agents/offered_tools.json, whose meanings tests/unit/agents/offered_tools_test.ts holds the rules to. UPDATE=1 adds what is
// new with a question mark, which that test refuses: a person reads what the field names.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { inScene } from "../../tests/support/agent_scene.ts";
import { withoutSearch } from "./agents/installed.ts";
import { fieldsInTypes, fieldsOf, type OfferedFields, toolsIn } from "./agents/offered_tools.ts";
import { REAL_AGENTS, type RealAgent } from "./agents/real_agents.ts";
import { runAgent } from "./agents/run_agent.ts";

const FACTS = new URL("../../tests/cases/agents/offered_tools.json", import.meta.url);

interface Facts {
  readonly version: string;
  readonly tools: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The types that packages publish, and their names of tools that the agent names otherwise. */
const TYPES: Readonly<
  Record<string, { readonly file: string; readonly names: Readonly<Record<string, string>> }>
> = {
  claude: {
    file: "node_modules/@anthropic-ai/claude-agent-sdk/sdk-tools.d.ts",
    names: {
      FileEdit: "Edit",
      FileRead: "Read",
      FileWrite: "Write",
      ReadMcpResource: "ReadMcpResourceTool",
      ReadMcpResourceDir: "ReadMcpResourceDirTool",
    },
  },
};

/** Stands for what is loaded later, and cannot be called. */
const PLACEHOLDER = "DeferredToolPlaceholder";

async function offered(agent: RealAgent): Promise<OfferedFields> {
  let tools = new Map<string, readonly string[]>();
  await inScene(async (scene) => {
    const script = agent.findTools ?? [agent.shell("true")];
    const ran = await runAgent(agent, { ...scene, script });
    assert.equal(ran.results.length, script.length, ran.printed);
    tools = new Map([...fieldsOf(ran.tools.values()), ...fieldsOf(toolsIn(ran.results))]);
  });
  const types = TYPES[agent.agent];
  if (types !== undefined) {
    const text = readFileSync(new URL(types.file, import.meta.url), "utf8");
    for (const [typed, fields] of fieldsInTypes(text)) {
      const name = types.names[typed] ?? typed;
      tools.set(name, [...new Set([...tools.get(name) ?? [], ...fields])].toSorted());
    }
  }
  tools.delete(PLACEHOLDER);
  return tools;
}

/** The facts as a text with a line for each tool. */
function printed(about: string, agents: Readonly<Record<string, Facts>>): string {
  const blocks = Object.entries(agents).map(([name, { version, tools }]) => {
    const lines = Object.entries(tools).map(([tool, fields]) =>
      `    ${JSON.stringify(tool)}: ${spaced(fields)}`
    );
    return `  "${name}": {\n   "version": "${version}",\n   "tools": {\n${
      lines.join(",\n")
    }\n   }\n  }`;
  });
  return `{\n "about": ${JSON.stringify(about)},\n "agents": {\n${blocks.join(",\n")}\n }\n}\n`;
}

function spaced(fields: Readonly<Record<string, string>>): string {
  const members = Object.entries(fields)
    .map(([field, meaning]) => `${JSON.stringify(field)}: ${JSON.stringify(meaning)}`);
  return `{${members.join(", ")}}`;
}

for (const agent of REAL_AGENTS) {
  test(
    `every tool and field that ${agent.package} offers is known`,
    { skip: withoutSearch(agent) },
    async () => {
      const { about, agents } = JSON.parse(readFileSync(FACTS, "utf8"));
      const known: Facts | undefined = agents[agent.agent];
      const tools = Object.fromEntries(
        [...await offered(agent)].toSorted(([one], [other]) => one < other ? -1 : 1)
          .map(([tool, fields]) => [
            tool,
            Object.fromEntries(fields.map((field) => [field, known?.tools[tool]?.[field] ?? "?"])),
          ]),
      );
      const facts: Facts = { version: agent.version, tools };
      if (process.env["UPDATE"] === "1") {
        writeFileSync(FACTS, printed(about, { ...agents, [agent.agent]: facts }));
      } else assert.deepEqual(facts, known);
    },
  );
}
