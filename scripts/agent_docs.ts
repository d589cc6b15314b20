import { AGENT_NAMES } from "../lib/agents/registry.ts";

/** The runs of `deno task test:peers` inside one agent. */
interface HookFacts {
  readonly version: string;
  /** `ran` or `stopped`, by situation. */
  readonly effects: Readonly<Record<string, string>>;
}

/** The tools that an agent offers its model, and the meanings of their fields. */
interface ToolFacts {
  readonly version: string;
  readonly tools: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The JSON texts that the page is made of. */
interface AgentTexts {
  /** The recorded runs inside real agents. */
  readonly facts: string;
  /** defaults/agents.json as it will be: the one that is loaded may lack an agent. */
  readonly profiles: string;
  /** The tools that were read from the agents. */
  readonly offered: string;
}

/** The generated part of docs/agents.md. Throws Error where the runs do not name the same situations, or an agent has no profile. */
export function agentDocs({ facts: json, profiles, offered }: AgentTexts): string {
  const titleOf = titles(profiles);
  const facts = JSON.parse(json) as Readonly<Record<string, HookFacts>>;
  const [first] = Object.values(facts);
  const situations = Object.keys(first?.effects ?? {});
  const rows = AGENT_NAMES.flatMap((name) => {
    const run = facts[name];
    if (run === undefined) return [];
    const cells = situations.map((situation) => {
      const effect = run.effects[situation];
      if (effect === undefined) throw new Error(`${name} was not tried: ${situation}`);
      return effect === "ran" && situation !== "allowed" ? `**${effect}**` : effect;
    });
    return [`| ${titleOf(name)} ${run.version} | ${cells.join(" | ")} |\n`];
  });
  const untried = AGENT_NAMES.filter((name) => facts[name] === undefined)
    .map(titleOf);
  return `${HEAD}
| agent | ${situations.join(" | ")} |
| --- |${" --- |".repeat(situations.length)}
${rows.join("")}
${gaps(facts, titleOf)}${tail(untried)}${tools(offered, titleOf)}`;
}

function tools(json: string, titleOf: TitleOf): string {
  const { agents } = JSON.parse(json) as { readonly agents: Readonly<Record<string, ToolFacts>> };
  const rows = AGENT_NAMES.flatMap((name) => {
    const facts = agents[name];
    if (facts === undefined) return [];
    const named = Object.entries(facts.tools)
      .filter(([, fields]) => Object.values(fields).some((meaning) => meaning !== ""))
      .map(([tool]) => `\`${tool}\``);
    const fields = Object.values(facts.tools).flatMap((each) => Object.values(each));
    const count = [
      Object.keys(facts.tools).length,
      fields.length,
      fields.filter((meaning) => meaning !== "").length,
    ].join(" | ");
    return [`| ${titleOf(name)} ${facts.version} | ${count} | ${named.join(", ")} |\n`];
  });
  return `${TOOLS}${rows.join("")}`;
}

const TOOLS = `
## Tools

The tools that each agent offers its model, those that it keeps back at first, those in the types of Claude Code's SDK, and robota's by its source. Rules are tried on every field that names a
command, file, folder, URL, right or another tool (\`tests/cases/agents/offered_tools.json\`); \`deno task test:peers\` fails on a tool or field that is not
in that list.

| agent | tools | fields | that name something | tools with such a field |
| --- | --- | --- | --- | --- |
`;

/** The title of an agent, by its name. */
type TitleOf = (name: string) => string;

function titles(profiles: string): TitleOf {
  const all = JSON.parse(profiles) as Readonly<Record<string, { readonly title: string }>>;
  return (name) => {
    const profile = all[name];
    if (profile === undefined) throw new Error(`defaults/agents.toml has no table for ${name}`);
    return profile.title;
  };
}

const HEAD = `## Inside real agents

Each agent ran with a scripted model on a Linux machine, without a person to ask, and with the hook that \`caliban hook install\` writes.

- **denied, asked, allowed:** the model calls the agent's shell, and the policy denies the call, asks about it or allows it.
- **denied edit, another tool with a command, denied MCP tool:** the policy denies the call, and an allowed call of the same tool ran beside it.
- **broken policy, copy gone, file of the copy gone, copy emptied, hook hung, hook stopped:** the policy allows the call, and caliban cannot answer:
  a rule file has an error, the program or a file of it is gone or empty, it hangs, or its process is stopped (\`SIGSTOP\`).
- **hooks switched off by the project:** the policy denies the call, and a settings file of the project switches the agent's hooks off.

A dash says that the agent has no such tool for a model that it does not know, or no such switch.
`;

/** The cells in which a call ran that should have been stopped, in words. */
function gaps(facts: Readonly<Record<string, HookFacts>>, titleOf: TitleOf): string {
  const rows = AGENT_NAMES.flatMap((name) => {
    const ran = Object.entries(facts[name]?.effects ?? {}).filter(([situation, effect]) =>
      effect === "ran" && situation !== "allowed"
    );
    const names = ran.map(([situation]) => situation).join(", ");
    return ran.length === 0 ? [] : [`- ${titleOf(name)}: ${names}\n`];
  });
  if (rows.length === 0) return "";
  const head =
    "In these cases the call ran. The agent does not ask caliban then; `caliban doctor` names the file that does it, and is status 1:\n\n";
  return `${head}${rows.join("")}\n`;
}

function tail(untried: readonly string[]): string {
  const wrapped = untried.length === 0
    ? ""
    : `${
      untried.join(", ")
    }: not tried, since no package of them can be installed and driven without a person.\n\n`;
  return `${wrapped}The line that \`hook install\` writes has a watchdog in plain \`sh\`. It stops the call after five sixths of the time that the agent waits (25 of
30 seconds). A hook that hangs therefore stops the call. Where nobody can be asked, a question stops the call.
`;
}
