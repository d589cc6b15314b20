import type { AgentName } from "../registry.ts";
import { eachOnce, namesHook, type TextEdits } from "./agent_settings.ts";
import { isOwnCommand } from "./own_command.ts";

/** A file that holds only our hook. */
export interface OwnFile {
  readonly agent: AgentName;
  /** Returns the whole file; `json` is the command as a JSON text, which stands in it at least once. */
  text(json: string): string;
}

/** The edits of a file of our own, which `uninstall` removes. */
export function ownFile({ agent, text: whole }: OwnFile): TextEdits {
  return {
    install: (_text, { command }) => whole(JSON.stringify(command)),
    uninstall: (text) => commandsIn(text, agent).length === 0 ? text : undefined,
    commands: (text) => commandsIn(text, agent),
    mentions: (text) => commandsIn(text, agent, namesHook),
    empty: null,
  };
}

/** Our command lines among the strings of a JSON or JavaScript file. */
function commandsIn(
  text: string,
  agent: AgentName,
  isWanted = isOwnCommand,
): readonly string[] {
  const texts = [...text.matchAll(/"(?:[^"\\\n]|\\.)*"/g)].flatMap(([literal]) =>
    parseString(literal)
  );
  return eachOnce(texts.filter((each) => isWanted(each, agent)));
}

function parseString(literal: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === "string" ? [value] : [];
  } catch (error) {
    // An escape of JavaScript that JSON lacks is not ours.
    if (!(error instanceof SyntaxError)) throw error;
    return [];
  }
}
