import { literalGlob, onlyText } from "../../pattern/glob.ts";
import {
  bashPrefix,
  bashWhole,
  EDIT_TOOLS,
  filePatterns,
  SHARED_NAME,
  sharesNames,
} from "../convert/patterns.ts";
import type { ExportContext, ExportResult, Format, FormatRule } from "../convert/format.ts";
import type { ImportBuilder, Subject } from "../convert/import_builder.ts";
import { commandTest, editsFiles, lossOf, type Part } from "../convert/parts.ts";
import { jsonExport, partialEdit, startExport } from "../convert/rule_export.ts";
import { openJson } from "../convert/unread_keys.ts";
import { type Approval, readApprovals } from "./copilot_approvals.ts";

/** Copilot CLI: the approvals in `permissions-config.json`, by the folder that they hold in. */
export const format: Format = {
  name: "copilot-cli",
  title: "Copilot CLI permissions-config.json",
  caveat: "there an approval holds in one folder only: import it with --scope project, and put " +
    "your project's path in place of the one that is written",
  detect: (path, text) => /permissions-config(?:\.json)?$/.test(path) && /"locations"/.test(text),
  read,
  write,
};

function read(text: string) {
  const { root, builder, isOther } = openJson(text, ["locations"]);
  if (isOther) return builder.finish();
  const locations = readApprovals(root, builder);
  const [first, ...others] = locations;
  const isEverywhere = ({ key }: Approval) =>
    others.every(({ approvals }) => approvals.some((other) => other.key === key));
  for (const { path, approvals } of locations) {
    for (const approval of approvals) {
      if (!isEverywhere(approval)) {
        builder.lose("dropped", approval.subject, `it holds in ${path}, and not in every folder`);
      } else if (path === first?.path) addApproval(approval, builder);
    }
  }
  return builder.finish();
}

const OUTSIDE = "in caliban it does not hold for files outside of the workspace";

function addApproval({ subject, fields }: Approval, builder: ImportBuilder): void {
  switch (fields.get("kind")) {
    case "commands":
      return addCommand(subject, { text: fields.get("identifier") ?? "", builder });
    case "read":
    case "write": {
      const kind = fields.get("kind") === "read" ? "read" : "edit";
      builder.add(subject, ...filePatterns(kind, { path: "./**", action: "allow" }));
      return builder.lose("narrowed", subject, OUTSIDE);
    }
    case "mcp":
      return addServerTool({ subject, fields }, builder);
    default:
      return builder.lose("dropped", subject, "caliban has no such tool");
  }
}

function addServerTool(
  { subject, fields }: Pick<Approval, "subject" | "fields">,
  builder: ImportBuilder,
): void {
  const [server, name] = [fields.get("serverName") ?? "", fields.get("toolName")];
  // Only null stands for every tool of the server.
  const tool = name === null ? "*" : name ?? "";
  const isPlain = /^[\w.-]+$/.test(server) && (name === null || /^[\w.-]+$/.test(tool));
  if (!isPlain) return builder.lose("dropped", subject, "no pattern can express the name");
  if (sharesNames(server)) return builder.lose("dropped", subject, SHARED_NAME);
  builder.add(subject, `mcp__${server}__${tool}`);
}

function addCommand(
  subject: Subject,
  { text, builder }: { readonly text: string; readonly builder: ImportBuilder },
): void {
  const head = /^(.+?):\*$/s.exec(text)?.[1];
  if (/^\s|\s$|^$/.test(head ?? text)) {
    return builder.lose("dropped", subject, "it names no command");
  }
  if (head !== undefined) return builder.add(subject, bashPrefix(literalGlob(head)));
  builder.add(subject, bashWhole(literalGlob(text)));
  builder.lose("narrowed", subject, "there it can hold for the command with arguments too");
}

/** The place of the folder in a file that is written. */
const FOLDER = "/path/of/your/project";

function write(rules: readonly FormatRule[], context: ExportContext): ExportResult {
  const { parts, losses } = startExport(rules, context);
  const approvals = new Map<string, object>();
  for (const part of parts) {
    const { action } = part.rule;
    if (action === "deny") {
      losses.push(lossOf(part, "widened", "the file has no deny, so Copilot asks"));
    }
    if (action !== "allow") continue;
    const written = isBelowStricter(part, { rules, context })
      ? "a stricter rule above it may match the same call, and the format has no such rules"
      : approvalOf(part, parts);
    if (typeof written === "string") losses.push(lossOf(part, "dropped", written));
    else approvals.set(JSON.stringify(written), written);
  }
  const location = approvals.size === 0 ? {} : { tool_approvals: [...approvals.values()] };
  return jsonExport({ locations: { [FOLDER]: location } }, losses);
}

/** The limit of rules above an allow that are compared with it; with more it counts as one that overlaps. */
const MOST_ABOVE = 200;

function isBelowStricter(
  { rule, index }: Part,
  { rules, context }: {
    readonly rules: readonly FormatRule[];
    readonly context: ExportContext;
  },
): boolean {
  const above = rules.slice(0, index).filter(({ action }) => action !== "allow");
  return above.length > MOST_ABOVE || above.some((other) => context.mayOverlap(rule, other));
}

/** The approval of an allow, or the reason that there is none. */
function approvalOf(part: Part, parts: readonly Part[]): object | string {
  const { tool, specifier } = part;
  const test = commandTest(part);
  if (tool === "Bash" && test !== undefined) {
    const text = onlyText(test.glob) ?? "";
    if (!/^\w[\w@%+=./ -]*$/.test(text) || text.endsWith(" ")) {
      return "the format has no wildcards and no special characters";
    }
    if (test.anchor === "prefix") return commandApproval(`${text}:*`);
    return test.anchor === "whole" && text.includes(" ")
      ? commandApproval(text)
      : "there it can hold for the command with any arguments";
  }
  if (specifier.kind !== "any") return "the format has no conditions on files and fields";
  const [, server, name] = /^mcp__([A-Za-z\d-]+)__([\w-]+|\*)$/.exec(tool) ?? [];
  if (server !== undefined) {
    return { kind: "mcp", serverName: server, toolName: name === "*" ? null : name };
  }
  if (!editsFiles(tool) || part.isGlob) return "the format has no approval of the whole tool";
  return partialEdit(part, { parts, tools: EDIT_TOOLS }) ?? { kind: "write" };
}

function commandApproval(identifier: string): object {
  return { kind: "commands", commandIdentifiers: [identifier] };
}
