import { parse, TomlError } from "smol-toml";
import type { AgentSettings } from "./agent.ts";
import type { AgentName } from "./agent_name.ts";
import { SettingsFault } from "./event_fault.ts";
import { isOwnCommand } from "./own_command.ts";

/** A hook in a file of TOML: a table of the array `hooks`. */
export interface TomlForm {
  /** The agent. */
  readonly agent: AgentName;
  /** The lines below the header `[[hooks]]`; `toml` is the command as a TOML string. */
  lines(toml: string): readonly string[];
}

type TextEdits = Pick<AgentSettings, "install" | "uninstall" | "commands">;

const HEADER = "[[hooks]] # caliban";

/** How a hook gets to the end of such a file and out of it. */
export function tomlSettings(form: TomlForm): TextEdits {
  return {
    install: (text, { command }) => install(text ?? "", { form, command }),
    uninstall(text) {
      const left = withoutOwn(text);
      return left.trim() === "" ? undefined : left;
    },
    commands: (text) => commandsIn(text, form.agent),
  };
}

function install(
  text: string,
  { form, command }: { readonly form: TomlForm; readonly command: string },
): string {
  const hooks = tableOf(text)["hooks"];
  const isTables = hooks === undefined || /^\s*\[\[\s*hooks\s*\]\]/m.test(text);
  if (!isTables) {
    throw new SettingsFault('"hooks" is written as one value, and not as tables', {
      line: 1,
      column: 1,
    });
  }
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const block = [HEADER, ...form.lines(JSON.stringify(command)), ""].join(eol);
  if (text.endsWith(block) && commandsIn(text, form.agent).length === 1) return text;
  const free = withoutOwn(text);
  const gap = free === "" ? "" : free.endsWith("\n") ? eol : `${eol}${eol}`;
  const whole = `${free}${gap}${block}`;
  // A text that is wrong then was wrong before, or is not what it looks like.
  tableOf(whole);
  return whole;
}

/** The text without our tables, each with the one empty line above it. */
function withoutOwn(text: string): string {
  return text.replaceAll(
    /(?:(?<=\n)\r?\n)?\[\[hooks\]\] # caliban\r?\n(?:[a-z_]+ = .*(?:\r?\n|$))*/g,
    "",
  );
}

function commandsIn(text: string, agent: AgentName): readonly string[] {
  const { hooks } = tableOf(text);
  if (!Array.isArray(hooks)) return [];
  const commands = hooks.flatMap((hook: unknown) =>
    typeof hook === "object" && hook !== null && "command" in hook &&
      typeof hook.command === "string"
      ? [hook.command]
      : []
  );
  return [...new Set(commands.filter((each) => isOwnCommand(each, agent)))];
}

function tableOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    throw new SettingsFault("it is no TOML", { line, column });
  }
}
