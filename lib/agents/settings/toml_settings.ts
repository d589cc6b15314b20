import { parse, TomlError } from "smol-toml";
import type { AgentName } from "../registry.ts";
import { eachOnce, namesHook, SettingsFault, type TextEdits } from "./agent_settings.ts";
import { isOwnCommand } from "./own_command.ts";

/** The place of hooks in a TOML file that has more in it. */
export interface TomlForm {
  readonly agent: AgentName;
  /** The names of the array of tables that holds hooks. */
  readonly path: readonly string[];
  /** The lines of our table. */
  linesFor(command: string): readonly string[];
  /** A member that keeps hooks switched on, in a table at the top of the file. */
  readonly flag?: { readonly table: string; readonly name: string };
}

const MARK = " # caliban";

/** Edits for such a file: a table of our own at its end, and the rest to the byte. */
export function tomlSettings(form: TomlForm): TextEdits {
  return {
    install: (text, { command }) => install(text ?? "", { form, command }),
    uninstall(text) {
      const left = withoutOwn(text, form);
      return left.trim() === "" ? undefined : left;
    },
    commands: (text) => commandsIn(text, form),
    mentions: (text) => commandsIn(text, form, namesHook),
    empty: "",
  };
}

interface Installing {
  readonly form: TomlForm;
  readonly command: string;
}

function install(text: string, { form, command }: Installing): string {
  checkTables(text, form);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const block = [headerOf(form), ...form.linesFor(command), ""].join(eol);
  const isOnlyOne = commandsIn(text, form).length === 1;
  if (text.endsWith(block) && isOnlyOne && isFlagged(text, form)) return text;
  const free = withFlag(withoutOwn(text, form), { form, eol });
  const gap = free === "" ? "" : free.endsWith("\n") ? eol : `${eol}${eol}`;
  const whole = `${free}${gap}${block}`;
  // A text that fails to parse now was broken before, or is not what it looks like.
  parseToml(whole);
  return whole;
}

/** Throws SettingsFault where hooks are one value, to which no table can be added. */
function checkTables(text: string, { path }: TomlForm): void {
  const name = path.join(".");
  const isTables = valueIn(parseToml(text), path) === undefined ||
    new RegExp(`^\\s*\\[\\[\\s*${path.join("\\s*\\.\\s*")}\\s*\\]\\]`, "m").test(text);
  if (!isTables) throw faultAtStart(`"${name}" is written as one value, and not as tables`);
}

function headerOf({ path }: TomlForm): string {
  return `[[${path.join(".")}]]${MARK}`;
}

/** The text with the flag switched on: in its table if there is one, else in a table of our own. */
function withFlag(text: string, { form, eol }: { form: TomlForm; eol: string }): string {
  if (form.flag === undefined || isFlagged(text, form)) return text;
  const { table, name } = form.flag;
  const there = valueIn(parseToml(text), [table]);
  const line = `${name} = true${MARK}${eol}`;
  if (there === undefined) {
    const gap = text === "" || text.endsWith("\n\n") ? "" : text.endsWith("\n") ? eol : eol + eol;
    return `${text}${gap}[${table}]${MARK}${eol}${line}`;
  }
  const header = new RegExp(`^[ \\t]*\\[\\s*${table}\\s*\\][^\\n]*(?:\\n|$)`, "m").exec(text);
  if (header === null || valueIn(parseToml(text), [table, name]) !== undefined) {
    throw faultAtStart(`"${table}.${name}" is not true, which switches hooks off`);
  }
  const end = header.index + header[0].length;
  const before = text.slice(0, end);
  return `${before}${before.endsWith("\n") ? "" : eol}${line}${text.slice(end)}`;
}

function isFlagged(text: string, { flag }: TomlForm): boolean {
  return flag === undefined || valueIn(parseToml(text), [flag.table, flag.name]) === true;
}

/** The text without our tables, each with the one empty line above it, and without our flag. */
function withoutOwn(text: string, form: TomlForm): string {
  const { agent, path, flag } = form;
  commandsIn(text, form);
  const header = path.join("\\.");
  const table =
    `(?:(?<=\\n)\\r?\\n)?\\[\\[${header}\\]\\]${MARK}\\r?\\n(?:[a-z_]+ = .*(?:\\r?\\n|$))*`;
  const isOwn = (found: string) =>
    textsIn(parseToml(found)).some((each) => isOwnCommand(each, agent));
  const left = text.replaceAll(new RegExp(table, "g"), (found) => isOwn(found) ? "" : found);
  if (flag === undefined) return left;
  const line = `${flag.name} = true${MARK}(?:\\r?\\n|$)`;
  const ownTable = `(?:(?<=\\n)\\r?\\n)?\\[${flag.table}\\]${MARK}\\r?\\n${line}`;
  return left.replaceAll(new RegExp(ownTable, "g"), "").replaceAll(new RegExp(line, "g"), "");
}

function commandsIn(
  text: string,
  { agent, path }: TomlForm,
  isWanted = isOwnCommand,
): readonly string[] {
  const texts = textsIn(valueIn(parseToml(text), path));
  return eachOnce(texts.filter((each) => isWanted(each, agent)));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function valueIn(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    root,
  );
}

function parseToml(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    throw new SettingsFault("it is not valid TOML", { line, column });
  }
}

function faultAtStart(message: string): SettingsFault {
  return new SettingsFault(message, { line: 1, column: 1 });
}
