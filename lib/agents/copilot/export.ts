import type { Loss } from "../../model/problem.ts";
import { onlyText } from "../../pattern/glob.ts";
import { commandRegex } from "../convert/command_regex.ts";
import type { ExportContext, ExportResult, FormatRule } from "../convert/format.ts";
import { commandTest, editsFiles, lossOf, type Part, pathOf } from "../convert/parts.ts";
import { jsonExport, partialEdit, startExport } from "../convert/rule_export.ts";

/** Writes `chat.tools.terminal.autoApprove` and `chat.tools.edits.autoApprove`. */
export function writeCopilot(rules: readonly FormatRule[], context: ExportContext): ExportResult {
  const { parts, losses } = startExport(rules, context, { strictestIn: "VS Code" });
  const lists = { terminal: new Map<string, boolean>(), edits: new Map<string, boolean>() };
  for (const part of parts) {
    if (part.rule.action === "deny") {
      losses.push(lossOf(part, "widened", "VS Code has no deny, so it asks"));
    }
    if (part.tool === "Bash" && !part.isGlob) {
      put(lists.terminal, { part, key: commandKey(part), losses });
    } else if (editsFiles(part.tool)) {
      put(lists.edits, { part, key: editKey(part, parts), losses });
    } else if (part.rule.action !== "ask" || part.isGlob) {
      losses.push(lossOf(part, "dropped", "VS Code approves only commands and edits"));
    }
  }
  const settings = Object.entries(lists).flatMap(([name, entries]) => {
    // JavaScript moves numeric keys of an object to the front; every other key keeps its place.
    const sorted = [...entries].toSorted((a, b) => Number(b[1]) - Number(a[1]));
    return sorted.length === 0
      ? []
      : [[`chat.tools.${name}.autoApprove`, Object.fromEntries(sorted)] as const];
  });
  return jsonExport(Object.fromEntries(settings), losses);
}

/** The key of an entry, or the reason that there is none. */
type EntryKey =
  | { readonly text: string; readonly narrowed?: string }
  | { readonly dropped: string };

function put(
  entries: Map<string, boolean>,
  { part, key, losses }: { part: Part; key: EntryKey; losses: Loss[] },
): void {
  if ("dropped" in key) return void losses.push(lossOf(part, "dropped", key.dropped));
  if (key.narrowed !== undefined) losses.push(lossOf(part, "narrowed", key.narrowed));
  const approves = part.rule.action === "allow";
  // A key has one value: the refusal wins.
  entries.set(key.text, approves && entries.get(key.text) !== false);
}

const NO_FIELDS = { dropped: "the format cannot express conditions on input fields" };

function commandKey(part: Part): EntryKey {
  if (part.specifier.kind === "any") return { text: "/^/" };
  const test = commandTest(part);
  if (test === undefined) return NO_FIELDS;
  return { text: `/${commandRegex(test, part)}/` };
}

function editKey(part: Part, parts: readonly Part[]): EntryKey {
  const isAllow = part.rule.action === "allow";
  const partial = partialEdit(part, { parts });
  if (partial !== undefined) return { dropped: partial };
  if (part.specifier.kind === "any") return { text: "**/*" };
  const path = pathOf(part);
  if (path === undefined) return NO_FIELDS;
  const { base, glob } = path;
  const text = glob.map((node) =>
    node.kind === "text" ? node.text : node.kind === "globstar" ? "**" : "*"
  ).join("");
  const isSimple = glob.every((node) =>
    node.kind === "globstar" ||
    node.kind === "text" && onlyText([node]) === node.text && !/[*?[\]{}\\]/.test(node.text)
  );
  if (!isSimple || base === "home") {
    const detail = "the format cannot express its path";
    return isAllow
      ? { dropped: detail }
      : { text: "**/*", narrowed: `${detail}, so it is every file` };
  }
  const isPlainName = base === "plain" && (!isAllow || !text.includes("/"));
  const key = base === "root" ? `/${text}` : isPlainName ? `**/${text}` : text;
  return { text: !isAllow && !text.endsWith("**") ? `${key}{,/**}` : key };
}
