import type { WrittenHook } from "../../model/rule.ts";
import type { Problem } from "../../model/problem.ts";
import { decodeHooks } from "../../policy/decode/decode_hooks.ts";
import { type JsonMember, shown } from "../../text/json_node.ts";
import type { ImportBuilder, Subject } from "../convert/import_builder.ts";
import {
  ALL_EDIT_TOOLS,
  bashWhole,
  toolPattern,
  uncertainStart,
  wildGlob,
} from "../convert/patterns.ts";
import { tomlMember } from "../convert/read_policy_json.ts";
import type { Format } from "../convert/format.ts";
import { readPermissionLists, type SettingEffect } from "../convert/permission_lists.ts";
import { loseUnknownKey } from "../convert/unread_keys.ts";
import { writeRobota } from "./export.ts";

const SETTINGS_FILE = /\.robota[\\/]settings[\w.-]*\.json$/;

/** robota: `permissions` with `deny` and `allow`, then a matrix of modes and tools. */
export const format: Format = {
  name: "robota",
  title: "robota settings.json",
  caveat:
    "robota compares the text of a whole command line, and its mode decides about calls without a rule",
  detect: (path, text) =>
    /\.robota[\\/]|robota[\w.-]*\.json$/.test(path) && /"permissions"\s*:/.test(text),
  settings: SETTINGS_FILE,
  read: (text, path) =>
    readPermissionLists(text, {
      isSettings: SETTINGS_FILE.test(path),
      readRule: readRobotaRule,
      readSetting,
      readHooks,
    }),
  keepsHooks: true,
  write: writeRobota,
};

/** Reads the mode. In robota the deny list also holds with bypassPermissions. */
function readSetting(member: JsonMember, builder: ImportBuilder): SettingEffect {
  const { name, key: span, value } = member;
  if (!["mode", "defaultMode", "permissionMode"].includes(name) || value.type !== "string") {
    loseUnknownKey(member, builder);
    return undefined;
  }
  switch (value.value) {
    case "plan":
    case "default":
      return { mode: value.value };
    case "acceptEdits": {
      const detail =
        "caliban still asks about edits outside of the workspace and of files that steer the agent";
      builder.loseSetting(shown(member), { span, detail, kind: "narrowed" });
      return { mode: "acceptEdits" };
    }
    case "bypassPermissions": {
      const detail =
        "caliban still asks about files that steer the agent and about lines that cannot be analysed";
      builder.loseSetting(shown(member), { span, detail, kind: "narrowed" });
      return { tail: [{ text: "*", action: "allow", span: value.span }] };
    }
    default:
      builder.loseSetting(shown(member), {
        span,
        detail: "caliban has no such mode",
        kind: "widened",
      });
      return undefined;
  }
}

/** Reads `hooks`, which have the shape of ours. Anything else in it is lost. */
function readHooks(member: JsonMember, builder: ImportBuilder): readonly WrittenHook[] {
  const { member: table, problems } = tomlMember(member);
  const all: Problem[] = [...problems];
  const hooks = decodeHooks(table, all);
  for (const { span, message } of all) {
    const detail = message.replace(/^Cannot read /, "caliban cannot read it: ");
    builder.loseSetting("hooks", { span, detail, kind: "widened" });
  }
  return hooks;
}

const FILES: readonly string[] = ["Read", ...ALL_EDIT_TOOLS];

/** Reads `Tool`, `Tool(*)` and `Tool(glob)`. In the glob only * is special. */
function readRobotaRule(subject: Subject, builder: ImportBuilder): void {
  if (subject.action === "ask") {
    return builder.unreadable(subject, "robota has no ask list");
  }
  const [, tool, content] = /^([^()\s:]+)(?:\((.*)\))?$/s.exec(subject.text.trim()) ?? [];
  if (tool === undefined || content?.trim() === "") {
    return builder.unreadable(subject, "expected Tool or Tool(…)");
  }
  if (content === undefined || content === "*") {
    return builder.add(subject, tool.includes("*") ? tool : toolPattern(tool));
  }
  const start = uncertainStart(content);
  if (start !== undefined) {
    const pattern = tool === "Bash" ? bashWhole(start) : toolPattern(tool);
    const detail = "the meaning of ? [ { and \\ in robota is not certain";
    return builder.approximate(subject, { pattern, detail });
  }
  if (tool === "Bash") return builder.add(subject, bashWhole(wildGlob(content)));
  if (FILES.includes(tool)) return builder.add(subject, `${tool}:${plainPath(content)}`);
  if (tool === "WebFetch" && !/^(?:domain:|\w+!?=|~)/.test(content)) {
    return builder.add(subject, `${tool}:${content}`);
  }
  builder.approximate(subject, {
    pattern: toolPattern(tool),
    detail: `caliban does not compare the input of ${tool}, so it is the whole tool`,
  });
}

/** A path, escaped where it looks like a condition on a field. */
function plainPath(content: string): string {
  return /^[\w.]+!?=/.test(content) ? `\\${content}` : content;
}
