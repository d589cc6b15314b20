import { parse, TomlError } from "smol-toml";
import {
  type AgentSettings,
  claudeSample,
  isOwnCommand,
  SettingsFault,
} from "../settings/agent_settings.ts";

/** Kimi Code's config.toml: each hook is a table of the array `hooks`. */
export const settings: AgentSettings = {
  path: () => [".kimi-code", "config.toml"],
  notes: [],
  sample: claudeSample("Bash"),
  install: (text, { command }) => install(text ?? "", command),
  uninstall(text) {
    const left = withoutOwn(text);
    return left.trim() === "" ? undefined : left;
  },
  commands: commandsIn,
};

const HEADER = "[[hooks]] # caliban";

function install(text: string, command: string): string {
  const hooks = parseTable(text)["hooks"];
  const isTables = hooks === undefined || /^\s*\[\[\s*hooks\s*\]\]/m.test(text);
  if (!isTables) {
    throw new SettingsFault('"hooks" is written as one value, and not as tables', {
      line: 1,
      column: 1,
    });
  }
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const block = [
    HEADER,
    'event = "PreToolUse"',
    `command = ${JSON.stringify(command)}`,
    'matcher = ".*"',
    "timeout = 30",
    "",
  ].join(eol);
  if (text.endsWith(block) && commandsIn(text).length === 1) return text;
  const free = withoutOwn(text);
  const gap = free === "" ? "" : free.endsWith("\n") ? eol : `${eol}${eol}`;
  const whole = `${free}${gap}${block}`;
  // A text that fails to parse now was broken before, or is not what it looks like.
  parseTable(whole);
  return whole;
}

/** The text without our tables, each with the one empty line above it. */
function withoutOwn(text: string): string {
  return text.replaceAll(
    /(?:(?<=\n)\r?\n)?\[\[hooks\]\] # caliban\r?\n(?:[a-z_]+ = .*(?:\r?\n|$))*/g,
    "",
  );
}

function commandsIn(text: string): readonly string[] {
  const { hooks } = parseTable(text);
  if (!Array.isArray(hooks)) return [];
  const commands = hooks.flatMap((hook: unknown) =>
    typeof hook === "object" && hook !== null && "command" in hook &&
      typeof hook.command === "string"
      ? [hook.command]
      : []
  );
  return [...new Set(commands.filter((each) => isOwnCommand(each, "kimi")))];
}

function parseTable(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    throw new SettingsFault("it is not valid TOML", { line, column });
  }
}
