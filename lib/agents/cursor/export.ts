import type { Action } from "../../model/action.ts";
import type { Loss } from "../../model/loss.ts";
import { onlyText } from "../../pattern/glob.ts";
import type { ValueTest } from "../../pattern/pattern.ts";
import type { FormatRule, FormatWriting, WriteContext } from "../convert/format.ts";
import { idleAsks, orderLosses } from "../convert/order_losses.ts";
import { editsFiles, lossOf, type Part, partsOf } from "../convert/parts.ts";
import { allAllow, distinctLosses, type Said } from "../convert/said.ts";
import { settingsLosses } from "../convert/settings_losses.ts";

/** Writes `permissions` with `allow` and `deny`. */
export function writeCursor(rules: readonly FormatRule[], context: WriteContext): FormatWriting {
  const leftOut = idleAsks(rules, context);
  const { parts, losses } = partsOf(
    rules.filter((rule) => !leftOut.includes(rule)),
    context.profiles,
  );
  const all: Loss[] = [...losses, ...settingsLosses(context.settings)];
  all.push(...orderLosses(rules, { context, agent: "Cursor", leftOut }));
  const lists: Record<"allow" | "deny", string[]> = { allow: [], deny: [] };
  for (const part of parts) {
    const list = part.rule.action === "allow" ? "allow" : "deny";
    if (part.rule.action === "ask") {
      const detail =
        "there is no ask there, and an allow would win over saying nothing, so it is a deny";
      all.push(lossOf(part, "narrowed", detail));
    }
    const said = sayCursor(part, { parts, action: list });
    all.push(...said.losses);
    lists[list].push(...said.texts);
  }
  const unique = (list: readonly string[]) => [...new Set(list)];
  const permissions = { allow: unique(lists.allow), deny: unique(lists.deny) };
  return { text: JSON.stringify({ permissions }, null, 2) + "\n", losses: distinctLosses(all) };
}

function sayCursor(
  part: Part,
  { parts, action }: { parts: readonly Part[]; action: Action },
): Said {
  const unsaid = (detail: string): Said => ({
    texts: [],
    losses: [lossOf(part, "dropped", detail)],
  });
  const { tool, spec: specifier, isGlob } = part;
  const mcp = /^mcp__([^*?]+?)__([^*?]+|\*)$/.exec(tool);
  if (mcp && specifier.kind === "any") return { texts: [`Mcp(${mcp[1]}:${mcp[2]})`], losses: [] };
  if (isGlob) return unsaid("a wildcard in a tool's name cannot be written");
  if (tool === "Bash") return sayShell(part, { unsaid, action });
  if (tool === "WebFetch" && specifier.kind === "any") {
    return { texts: ["WebFetch(*)"], losses: [] };
  }
  if (tool === "WebFetch" && specifier.kind === "argument" && specifier.test.kind === "domain") {
    const kind = action === "allow" ? "narrowed" : "widened";
    return {
      texts: [`WebFetch(${specifier.test.host})`],
      losses: [lossOf(part, kind, "its subdomains do not count there")],
    };
  }
  const isEdit = editsFiles(tool);
  if (!isEdit && tool !== "Read") {
    return unsaid("only Shell, Read, Write, WebFetch and Mcp can be named");
  }
  if (isEdit && action === "allow" && !allAllow(part, { parts, tools: ["Edit", "Write"] })) {
    return unsaid("there one rule is for Edit and Write, and not both are allowed that");
  }
  return sayFile(part, { unsaid, action });
}

/** What it says of files; Write stands for every tool that edits. */
function sayFile(
  part: Part,
  { unsaid, action }: { unsaid: (detail: string) => Said; action: Action },
): Said {
  const { spec: specifier } = part;
  const isEdit = editsFiles(part.tool);
  const name = isEdit ? "Write" : "Read";
  if (specifier.kind === "any") {
    const detail = "there one rule is for all tools that edit";
    const losses = isEdit && action !== "allow" ? [lossOf(part, "narrowed", detail)] : [];
    return { texts: [`${name}(**)`, `${name}(/**)`], losses };
  }
  if (specifier.kind !== "argument" || specifier.test.kind !== "path") {
    return unsaid("conditions on fields cannot be written");
  }
  const { base, glob } = specifier.test.pattern;
  const simple = glob.every((node) =>
    node.kind === "globstar" || node.kind === "text" && !/[*?[\]{}\\]/.test(node.text)
  );
  const text = glob.map((node) => node.kind === "text" ? node.text : "**").join("");
  if (!simple || base === "home") return unsaid("how its path is compared there is not certain");
  const at = base === "root"
    ? "/"
    : base === "plain" && (action !== "allow" || !text.includes("/"))
    ? "**/"
    : "";
  if (action === "allow") return { texts: [`${name}(${at}${text})`], losses: [] };
  const losses = [
    lossOf(part, "widened", "links and other spellings of a path are not followed there"),
  ];
  return { texts: [`${name}(${at}${text})`, `${name}(${at}${text}/**)`], losses };
}

type CommandTest = Extract<ValueTest, { kind: "command" }>;

function sayShell(
  part: Part,
  { unsaid, action }: { unsaid: (detail: string) => Said; action: Action },
): Said {
  const { spec: specifier } = part;
  if (specifier.kind === "any") return { texts: ["Shell(*)"], losses: [] };
  if (specifier.kind !== "argument" || specifier.test.kind !== "command") {
    return unsaid("conditions on fields cannot be written");
  }
  const { anchor, glob }: CommandTest = specifier.test;
  const text = onlyText(glob);
  const [name = "", ...args] = text?.split(" ") ?? [];
  if (
    anchor === "prefix" && text !== undefined && /^[\w./+-]+$/.test(name) &&
    !/[:*?{}[\]\\()]/.test(text)
  ) {
    const rest = args.join(" ");
    return {
      texts: rest === ""
        ? [`Shell(${name})`]
        : [`Shell(${name}:${rest})`, `Shell(${name}:${rest} *)`],
      losses: [],
    };
  }
  if (action === "allow") {
    return unsaid("only a command with any arguments, or those behind some words, can be named");
  }
  const first = glob[0]?.kind === "text" ? /^([\w./+-]+)( |$)/.exec(glob[0].text) : null;
  const named = first && (first[2] === " " || glob.length === 1) && anchor !== "contains"
    ? first[1]
    : undefined;
  if (named === undefined) return unsaid("its first word is not plain text");
  return {
    texts: [`Shell(${named})`],
    losses: [lossOf(part, "narrowed", `it holds for every call of ${named}`)],
  };
}
