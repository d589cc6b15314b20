import type { AgentSettings } from "./agent.ts";
import type { AgentName } from "./agent_name.ts";
import { isOwnCommand } from "./own_command.ts";

/** A file that is ours alone. */
export interface OwnFile {
  /** The agent. */
  readonly agent: AgentName;
  /** The whole file; `json` is the command as a JSON text, which stands in it once or more. */
  text(json: string): string;
}

type TextEdits = Pick<AgentSettings, "install" | "uninstall" | "commands">;

/** How a hook stands in a file of its own, which `uninstall` removes. */
export function ownFile({ agent, text: whole }: OwnFile): TextEdits {
  return {
    install: (_text, { command }) => whole(JSON.stringify(command)),
    uninstall: (text) => commandsIn(text, agent).length === 0 ? text : undefined,
    commands: (text) => commandsIn(text, agent),
  };
}

/** The texts of a JSON or JavaScript file that are command lines of ours. */
function commandsIn(text: string, agent: AgentName): readonly string[] {
  const texts = [...text.matchAll(/"(?:[^"\\\n]|\\.)*"/g)].flatMap(([written]) => textOf(written));
  return [...new Set(texts.filter((each) => isOwnCommand(each, agent)))];
}

function textOf(written: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === "string" ? [value] : [];
  } catch (error) {
    // What JavaScript can escape and JSON cannot was not written by us.
    if (!(error instanceof SyntaxError)) throw error;
    return [];
  }
}
