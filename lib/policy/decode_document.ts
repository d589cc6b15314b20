import type { Problem } from "../model/problem.ts";
import type { PolicyFile } from "../model/settings.ts";
import type { TomlDocument } from "./toml_node.ts";
import { decodeHooks } from "./decode_hooks.ts";
import { decodeRules } from "./decode_rules.ts";
import { decodeSettings } from "./decode_settings.ts";
import { decodeShell } from "./decode_shell.ts";
import { decodeTools } from "./decode_tools.ts";
import { readTable } from "./read_value.ts";
import { unknownKeys } from "./unknown_keys.ts";

/** Reads a permissions.toml that is parsed already; as total as `decodePolicy`. */
export function decodeDocument(document: TomlDocument): PolicyFile {
  const { root } = document;
  const problems: Problem[] = [...document.problems, ...unknownKeys(root, "file")];
  const member = root.members.get("permissions");
  const permissions = member && readTable(member, problems);
  if (permissions !== undefined) problems.push(...unknownKeys(permissions, "permissions"));
  const shell = root.members.get("shell");
  const settings = {
    ...(permissions && decodeSettings(permissions, problems)),
    ...(shell && decodeShell(shell, problems)),
  };
  const { shape, rules } = decodeRules(root, { permissions, problems });
  const toolsMember = root.members.get("tools");
  const tools = toolsMember === undefined ? new Map() : decodeTools(toolsMember, problems);
  const hooksMember = root.members.get("hooks");
  const hooks = hooksMember && decodeHooks(hooksMember, problems);
  problems.sort((a, b) => a.span.start - b.span.start);
  return { shape, rules, settings, tools, ...(hooks && { hooks }), problems };
}
