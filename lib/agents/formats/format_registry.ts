import { type AgentModules, AGENTS, type FormatModule } from "../registry.ts";
import type { Format } from "../convert/format.ts";

/** Formats of rules, by the word on the command line: those of agents, then those that belong to no agent. */
const FORMATS: Readonly<Record<string, FormatModule>> = {
  ...Object.fromEntries(
    Object.entries<AgentModules>(AGENTS).flatMap(([name, { format }]) =>
      format === undefined ? [] : [[name, format]]
    ),
  ),
  rulesync: () => import("./rulesync.ts"),
  zed: () => import("./zed.ts"),
  "copilot-cli": () => import("./copilot_cli.ts"),
  cedar: () => import("./cedar.ts"),
};

/** The names of the formats that rules can be written in, in the order of help. */
export const EXPORT_FORMATS: readonly string[] = Object.keys(FORMATS);

/** The names of the formats that rules can be read from, in the order of help. */
export const IMPORT_FORMATS: readonly string[] = EXPORT_FORMATS.filter((name) => name !== "cedar");

/** Loads the format of that name; undefined where there is none. */
export async function loadFormat(name: string): Promise<Format | undefined> {
  const load = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  return (await load?.())?.format;
}

/** Loads every format, in the order of help. */
export async function loadFormats(): Promise<readonly Format[]> {
  const modules = await Promise.all(Object.values(FORMATS).map((load) => load()));
  return modules.map(({ format }) => format);
}

/** The formats that a file can be read as, by its path and text; several where they cannot be told apart. */
export async function detectFormats(path: string, text: string): Promise<readonly Format[]> {
  const readable = (await loadFormats()).filter(({ read }) => read);
  const fitting = readable.filter((each) => each.detect(path, text));
  const others = fitting.filter(({ name }) => name !== "claude");
  // Other agents write Claude Code's keys too; a file that names one of them is not Claude Code's.
  if (fitting.length > 0) return others.length > 0 ? others : fitting;
  return readable.filter(({ settings }) => settings?.test(path));
}
