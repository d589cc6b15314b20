import type { Located } from "../model/place.ts";
import type { FileSettings, PolicyFile, WrittenRule } from "../model/settings.ts";
import type { ToolOverride } from "../model/tool_profile.ts";
import { formatInstant } from "./instant.ts";
import { ruleBlock } from "./rule_text.ts";
import { tomlKey, tomlString } from "./toml_text.ts";

/** What stands in the canonical text besides what the file says. */
export interface WriteOptions {
  /** Lines for the top of the file; each that does not begin with `#` is made a comment. */
  readonly header?: string;
}

/**
 * The canonical permissions.toml that says what `file` says: settings, rules, tools, each where it has any. Reading it
 * gives the same settings, rules and tools back. Throws RangeError for a rule that expires outside of the years 0 to 9999.
 */
export function writePolicy(file: PolicyFile, options: WriteOptions = {}): string {
  const parts = [
    headerText(options.header),
    settingsText(file.settings),
    ...file.rules.map(ruleText),
    ...[...file.tools].map(([name, tool]) => toolText(name, tool)),
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
  const pairs = [
    ["default_mode", settings.defaultMode],
    ["enforce", settings.enforce],
    ["shell", settings.shell],
    ["enforce_expiry", settings.enforceExpiry],
    ["audit_log", settings.auditLog],
    ["require_trust", settings.requireTrust],
    ["managed_only", settings.managedOnly],
  ] as const;
  const lines = pairs.flatMap(([key, setting]) => setting ? [settingLine(key, setting)] : []);
  return lines.length === 0 ? "" : `[permissions]\n${lines.join("")}`;
}

function settingLine(key: string, setting: Located<string | boolean>): string {
  const { value } = setting;
  return `${key} = ${typeof value === "string" ? tomlString(value) : value}\n`;
}

function ruleText(rule: WrittenRule): string {
  const { pattern, action, comment, reason, expiresAt } = rule;
  return ruleBlock({
    pattern: pattern.value,
    action,
    ...(comment !== undefined && { comment }),
    ...(reason !== undefined && { reason }),
    ...(expiresAt !== undefined && { expiresAt: formatInstant(expiresAt) }),
  });
}

function toolText(name: string, tool: Located<ToolOverride>): string {
  const { firstArg, kind, class: toolClass } = tool.value;
  const pairs = [["first_arg", firstArg], ["kind", kind], ["class", toolClass]] as const;
  const lines = pairs.flatMap(([key, value]) =>
    value === undefined ? [] : [`${key} = ${tomlString(value)}\n`]
  );
  return `[tools.${tomlKey(name)}]\n${lines.join("")}`;
}
