import type { Located } from "../../model/place.ts";
import type { FileSettings, PolicyFile } from "../../model/settings.ts";
import type { ToolOverride } from "../../model/tool_profile.ts";
import { hookBlock } from "./hook_text.ts";
import {
  type Pair,
  settingPairs,
  shellPairs,
  toolPairs,
  writtenPairs,
} from "../schema/policy_pairs.ts";
import { testBlock } from "../schema/test_pairs.ts";
import { tomlKey, tomlPair } from "../../text/toml_text.ts";

/** What stands in the canonical text besides what the file says. */
export interface WriteOptions {
  /** Lines for the top of the file; each that does not begin with `#` is made a comment. */
  readonly header?: string;
}

/**
 * The canonical permissions.toml that says what `file` says: settings, rules, tests, tools, hooks, each where it has any.
 * Reading it gives the same back. Throws RangeError for a rule that expires outside of the years 0 to 9999.
 */
export function writePolicy(file: PolicyFile, options: WriteOptions = {}): string {
  const parts = [
    headerText(options.header),
    settingsText(file.settings),
    ...file.rules.map((rule) => table("[[permissions.rules]]", writtenPairs(rule))),
    ...(file.tests ?? []).map(testBlock),
    ...[...file.tools].map(([name, tool]) => toolText(name, tool)),
    ...(file.hooks ?? []).map(hookBlock),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function headerText(header: string | undefined): string {
  if (header === undefined || header === "") return "";
  const lines = header.replace(/\r?\n$/, "").split(/\r?\n/);
  const shown = lines.map((line) => line.replace(/(?!\t)[\p{Cc}\p{Surrogate}]/gu, "\uFFFD"));
  return shown.map((line) => line.startsWith("#") ? `${line}\n` : `# ${line}`.trimEnd() + "\n")
    .join("");
}

function settingsText(settings: FileSettings): string {
  const permissions = settingPairs(settings);
  const shell = shellPairs(settings);
  return [
    ...(permissions.length === 0 ? [] : [table("[permissions]", permissions)]),
    ...(shell.length === 0 ? [] : [table("[shell]", shell)]),
  ].join("\n");
}

function toolText(name: string, { value }: Located<ToolOverride>): string {
  return table(`[tools.${tomlKey(name)}]`, toolPairs(value));
}

function table(
  header: string,
  pairs: readonly Pair<string | boolean | readonly string[]>[],
): string {
  return [header, ...pairs.map(tomlPair), ""].join("\n");
}
