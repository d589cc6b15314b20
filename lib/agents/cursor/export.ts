import { onlyText } from "../../pattern/glob.ts";
import type { ExportContext, ExportResult, FormatRule } from "../convert/format.ts";
import { idleAsks } from "../convert/order_losses.ts";
import { commandTest, editsFiles, lossOf, type Part, pathOf } from "../convert/parts.ts";
import {
  dropped,
  inexact,
  jsonExport,
  partialEdit,
  type Rendered,
  startExport,
} from "../convert/rule_export.ts";

/** Writes `permissions` with `allow` and `deny`. */
export function writeCursor(rules: readonly FormatRule[], context: ExportContext): ExportResult {
  const leftOut = idleAsks(rules, context);
  const { parts, losses } = startExport(rules, context, { strictestIn: "Cursor", leftOut });
  const lists = { allow: new Set<string>(), deny: new Set<string>() };
  for (const part of parts) {
    const isAllow = part.rule.action === "allow";
    if (part.rule.action === "ask") {
      const detail = "Cursor has no ask, and without an entry an allow would win, so it is a deny";
      losses.push(lossOf(part, "narrowed", detail));
    }
    const rendered = renderCursor(part, { parts, isAllow });
    losses.push(...rendered.losses);
    for (const text of rendered.texts) lists[isAllow ? "allow" : "deny"].add(text);
  }
  const permissions = { allow: [...lists.allow], deny: [...lists.deny] };
  return jsonExport({ permissions }, losses);
}

const NO_FIELDS = "the format cannot express conditions on input fields";

function renderCursor(
  part: Part,
  { parts, isAllow }: { parts: readonly Part[]; isAllow: boolean },
): Rendered {
  const { tool, specifier, isGlob } = part;
  const [, server, name] = /^mcp__([^*?]+?)__([^*?]+|\*)$/.exec(tool) ?? [];
  if (server !== undefined && specifier.kind === "any") {
    return { texts: [`Mcp(${server}:${name})`], losses: [] };
  }
  if (isGlob) return dropped(part, "the format cannot express a wildcard in a tool's name");
  if (tool === "Bash") return renderShell(part, isAllow);
  if (tool === "WebFetch" && specifier.kind === "any") {
    return { texts: ["WebFetch(*)"], losses: [] };
  }
  if (tool === "WebFetch" && specifier.kind === "argument" && specifier.test.kind === "domain") {
    return inexact(part, {
      kind: isAllow ? "narrowed" : "widened",
      texts: [`WebFetch(${specifier.test.host})`],
      detail: "Cursor does not count its subdomains",
    });
  }
  const isEdit = editsFiles(tool);
  if (!isEdit && tool !== "Read") {
    return dropped(part, "Cursor has rules for Shell, Read, Write, WebFetch and Mcp only");
  }
  const partial = partialEdit(part, { parts });
  if (partial !== undefined) return dropped(part, partial);
  return renderFile(part, isAllow);
}

/** Renders a rule on files; Write stands for every tool that edits. */
function renderFile(part: Part, isAllow: boolean): Rendered {
  const isEdit = editsFiles(part.tool);
  const name = isEdit ? "Write" : "Read";
  if (part.specifier.kind === "any") {
    const texts = [`${name}(**)`, `${name}(/**)`];
    if (!isEdit || isAllow) return { texts, losses: [] };
    const detail = "there one rule is for all tools that edit";
    return inexact(part, { kind: "narrowed", texts, detail });
  }
  const path = pathOf(part);
  if (path === undefined) return dropped(part, NO_FIELDS);
  const { base, glob } = path;
  const isSimple = glob.every((node) =>
    node.kind === "globstar" || node.kind === "text" && !/[*?[\]{}\\]/.test(node.text)
  );
  const text = glob.map((node) => node.kind === "text" ? node.text : "**").join("");
  if (!isSimple || base === "home") {
    return dropped(part, "it is not certain how Cursor compares its path");
  }
  const isAnywhere = base === "plain" && (!isAllow || !text.includes("/"));
  const at = base === "root" ? "/" : isAnywhere ? "**/" : "";
  if (isAllow) return { texts: [`${name}(${at}${text})`], losses: [] };
  return inexact(part, {
    kind: "widened",
    texts: [`${name}(${at}${text})`, `${name}(${at}${text}/**)`],
    detail: "Cursor does not resolve links and other spellings of a path",
  });
}

function renderShell(part: Part, isAllow: boolean): Rendered {
  if (part.specifier.kind === "any") return { texts: ["Shell(*)"], losses: [] };
  const test = commandTest(part);
  if (test === undefined) return dropped(part, NO_FIELDS);
  const { anchor, glob } = test;
  const text = onlyText(glob);
  const [name = "", ...args] = text?.split(" ") ?? [];
  const isPlain = text !== undefined && /^[\w./+-]+$/.test(name) && !/[:*?{}[\]\\()]/.test(text);
  if (anchor === "prefix" && isPlain) {
    const rest = args.join(" ");
    const texts = rest === ""
      ? [`Shell(${name})`]
      : [`Shell(${name}:${rest})`, `Shell(${name}:${rest} *)`];
    return { texts, losses: [] };
  }
  if (isAllow) {
    return dropped(part, "Cursor can allow only a command with any further arguments");
  }
  const first = glob[0]?.kind === "text" ? /^([\w./+-]+)( |$)/.exec(glob[0].text) : null;
  const isWord = first && (first[2] === " " || glob.length === 1) && anchor !== "contains";
  const command = isWord ? first[1] : undefined;
  if (command === undefined) return dropped(part, "its first word is not plain text");
  return inexact(part, {
    kind: "narrowed",
    texts: [`Shell(${command})`],
    detail: `it holds for every call of ${command}`,
  });
}
