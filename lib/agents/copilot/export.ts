import type { Loss } from "../../model/loss.ts";
import { type Glob, onlyText } from "../../pattern/glob.ts";
import type { ValueTest } from "../../pattern/pattern.ts";
import { beforeSpaceStar } from "../convert/bash_pattern.ts";
import type { FormatRule, FormatWriting, WriteContext } from "../convert/format.ts";
import { orderLosses } from "../convert/order_losses.ts";
import { editsFiles, lossOf, type Part, partsOf } from "../convert/parts.ts";
import { allAllow, distinctLosses } from "../convert/said.ts";
import { settingsLosses } from "../convert/settings_losses.ts";

type Entries = Map<string, boolean>;

/** Writes `chat.tools.terminal.autoApprove` and `chat.tools.edits.autoApprove`. */
export function writeCopilot(rules: readonly FormatRule[], context: WriteContext): FormatWriting {
  const { parts, losses } = partsOf(rules, context.profiles);
  const all: Loss[] = [...losses, ...settingsLosses(context.settings)];
  all.push(...orderLosses(rules, { context, agent: "VS Code" }));
  const lists = { terminal: new Map<string, boolean>(), edits: new Map<string, boolean>() };
  for (const part of parts) {
    if (part.rule.action === "deny") {
      all.push(lossOf(part, "widened", "there is no deny there, so it asks"));
    }
    if (part.tool === "Bash" && !part.isGlob) {
      put(lists.terminal, { part, said: commandKey(part), all });
    } else if (editsFiles(part.tool)) put(lists.edits, { part, said: editKey(part, parts), all });
    else if (part.rule.action !== "ask" || part.isGlob) {
      all.push(lossOf(part, "dropped", "only commands and edits can be approved there"));
    }
  }
  const settings = Object.entries(lists).flatMap(([name, entries]) => {
    // A number is moved to the front of an object; every other key keeps its place.
    const sorted = [...entries].toSorted((a, b) => Number(b[1]) - Number(a[1]));
    return sorted.length === 0
      ? []
      : [[`chat.tools.${name}.autoApprove`, Object.fromEntries(sorted)] as const];
  });
  return {
    text: JSON.stringify(Object.fromEntries(settings), null, 2) + "\n",
    losses: distinctLosses(all),
  };
}

/** A key, or why there is none. */
type Said = { readonly key: string; readonly narrowed?: string } | { readonly detail: string };

function put(entries: Entries, { part, said, all }: { part: Part; said: Said; all: Loss[] }): void {
  if ("detail" in said) return void all.push(lossOf(part, "dropped", said.detail));
  if (said.narrowed !== undefined) all.push(lossOf(part, "narrowed", said.narrowed));
  const approves = part.rule.action === "allow";
  // Of one key only one value stands: the refusal.
  entries.set(said.key, approves && entries.get(said.key) !== false);
}

type CommandTest = Extract<ValueTest, { kind: "command" }>;

function commandKey({ spec: specifier, rule }: Part): Said {
  if (specifier.kind === "any") return { key: "/^/" };
  if (specifier.kind !== "argument" || specifier.test.kind !== "command") {
    return { detail: "conditions on fields cannot be written" };
  }
  const { anchor, glob }: CommandTest = specifier.test;
  const wide = rule.action !== "allow";
  const head = wide && anchor === "whole" ? beforeSpaceStar(glob) : undefined;
  if (anchor === "contains") return { key: `/${regexOf(glob)}/` };
  const source = regexOf(head ?? glob);
  return { key: anchor === "prefix" || head ? `/^${source}(?:$| )/` : `/^${source}$/` };
}

function regexOf(glob: Glob): string {
  return glob.map((token) => {
    switch (token.kind) {
      case "text":
        return token.text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll("\n", "\\n");
      case "star":
        return "[^\\n]*";
      case "anyChar":
        return "[^\\n]";
    }
  }).join("");
}

function editKey(part: Part, parts: readonly Part[]): Said {
  const { spec: specifier, rule } = part;
  const wide = rule.action !== "allow";
  if (!wide && !allAllow(part, { parts, tools: ["Edit", "Write"] })) {
    return { detail: "there one entry is for Edit and Write, and not both are allowed that" };
  }
  if (specifier.kind === "any") return { key: "**/*" };
  if (specifier.kind !== "argument" || specifier.test.kind !== "path") {
    return { detail: "conditions on fields cannot be written" };
  }
  const { base, glob } = specifier.test.pattern;
  const text = glob.map((node) =>
    node.kind === "text" ? node.text : node.kind === "globstar" ? "**" : "*"
  ).join("");
  const simple = glob.every((node) =>
    node.kind === "globstar" ||
    node.kind === "text" && onlyText([node]) === node.text && !/[*?[\]{}\\]/.test(node.text)
  );
  if (!simple || base === "home") {
    return wide
      ? { key: "**/*", narrowed: "its path cannot be written, so it is every file" }
      : { detail: "its path cannot be written" };
  }
  const isPlainName = base === "plain" && (wide || !text.includes("/"));
  const key = base === "root" ? `/${text}` : isPlainName ? `**/${text}` : text;
  return wide && !text.endsWith("**") ? { key: `${key}{,/**}` } : { key };
}
