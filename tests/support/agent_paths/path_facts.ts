import facts from "../../cases/agents/path_facts.json" with { type: "json" };
import type { AgentName } from "../../../lib/agents/registry.ts";
import { PATH_TOOLS, type PathTool } from "./path_tools.ts";
import { type Spelling, SPELLINGS } from "./spellings.ts";

/**
 * The effect of a tool on the files: `target` for the file that the spelling is about; `folder` where files beside it were shown
 * too; `written` for a file of exactly the name that was given; another file's path from the project; or nothing.
 */
export type Touched = string | undefined;

/** The effects of a tool of an agent, seen in the real package. */
export interface ToolFacts {
  readonly name: string;
  readonly part: string;
  /** The spellings by their effect; those that touched nothing are in none. */
  readonly touched: Readonly<Record<string, readonly string[]>>;
}

/** The effects of an agent's tools. */
export interface AgentFacts {
  readonly version: string;
  readonly tools: readonly ToolFacts[];
}

/** The effects of every agent that was tried. */
export const PATH_FACTS = facts as unknown as Readonly<Partial<Record<AgentName, AgentFacts>>>;

/** A tool with a spelling. */
export interface PathCase {
  readonly tool: PathTool;
  readonly spelling: Spelling;
  /** A short text that no other case of the agent has. */
  readonly id: string;
}

/** Every tool of an agent with every spelling. */
export function pathCases(agent: AgentName): readonly PathCase[] {
  return (PATH_TOOLS[agent] ?? []).flatMap((tool, at) =>
    SPELLINGS.filter(({ name }) => tool.except?.spellings.test(name) !== true)
      .map((spelling, row) => ({ tool, spelling, id: `${at}q${row}` }))
  );
}

/** The effects in the form of the file. */
export function toolFacts(
  cases: readonly PathCase[],
  effects: readonly Touched[],
): readonly ToolFacts[] {
  const tools = [...new Set(cases.map(({ tool }) => tool))];
  return tools.map((tool) => {
    const touched: Record<string, string[]> = {};
    for (const [at, each] of cases.entries()) {
      const effect = effects[at];
      if (each.tool === tool && effect !== undefined) {
        (touched[effect] ??= []).push(each.spelling.name);
      }
    }
    return { name: tool.name, part: tool.part, touched };
  });
}

/** The effect of a case as the file has it. */
export function knownEffect(agent: AgentName, { tool, spelling }: PathCase): Touched {
  const known = PATH_FACTS[agent]?.tools.find(({ name, part }) =>
    name === tool.name && part === tool.part
  );
  return Object.entries(known?.touched ?? {}).find(([, names]) => names.includes(spelling.name))
    ?.[0];
}
