import type { Loss } from "../../model/loss.ts";
import type { Glob } from "../../pattern/glob.ts";
import type { ValueTest } from "../../pattern/pattern.ts";
import { beforeSpaceStar } from "../convert/bash_pattern.ts";
import type { Format, FormatRule, FormatWriting, WriteContext } from "../convert/format.ts";
import { idleAsks, orderLosses } from "../convert/order_losses.ts";
import { editsFiles, lossOf, type Part, partsOf } from "../convert/parts.ts";
import { distinctLosses } from "../convert/said.ts";
import { settingsLosses } from "../convert/settings_losses.ts";

/** Cedar policies over `Action::"call"`, `Tool::"NAME"` and a context with `command`, `path` or `url`. Only written. */
export const CEDAR: Format = {
  name: "cedar",
  title: "Cedar policies",
  caveat: "Cedar compares texts, of one simple command at a time, and forbids what nothing permits",
  detect: (path) => /\.cedar$/.test(path),
  write: writeCedar,
};

function writeCedar(rules: readonly FormatRule[], context: WriteContext): FormatWriting {
  const leftOut = idleAsks(rules, context);
  const { parts, losses } = partsOf(
    rules.filter((rule) => !leftOut.includes(rule)),
    context.profiles,
  );
  const all: Loss[] = [...losses, ...settingsLosses(context.settings)];
  all.push(...orderLosses(rules, { context, agent: "Cedar", leftOut }));
  const silent = "there is no ask in Cedar, and what nothing permits is forbidden";
  all.push(...leftOut.map((rule) => lossOf({ rule }, "narrowed", silent)));
  const policies = parts.flatMap((part) => {
    const { condition, loss } = conditionOf(part);
    if (loss) all.push(loss);
    if (part.rule.action === "ask") {
      all.push(lossOf(part, "narrowed", "there is no ask in Cedar, so it is forbidden"));
    }
    return condition === undefined ? [] : [policyText(part.rule, condition)];
  });
  const text = policies.length === 0 ? "// Nothing is permitted.\n" : policies.join("\n");
  return { text, losses: distinctLosses(all) };
}

/** What of a call is asked, in Cedar's words; it may be empty. */
interface Condition {
  readonly resource: string;
  readonly when: readonly string[];
  readonly unless: readonly string[];
}

interface Said {
  readonly condition?: Condition;
  readonly loss?: Loss;
}

function conditionOf(part: Part): Said {
  const { spec: specifier, rule: { action } } = part;
  const wide = action !== "allow";
  const named = resourceOf(part);
  if (named === undefined) {
    return { loss: lossOf(part, "dropped", "a wildcard in a tool's name cannot be written") };
  }
  const condition = { resource: named, when: [], unless: [] };
  if (specifier.kind === "any") return { condition };
  if (specifier.kind === "argument" && specifier.test.kind === "command") {
    return commandCondition(part, specifier.test);
  }
  const detail = "only commands and tools can be told apart as text";
  if (!wide) return { loss: lossOf(part, "dropped", detail) };
  return { condition, loss: lossOf(part, "narrowed", `${detail}, so it is the whole tool`) };
}

function resourceOf({ tool, isGlob, rule, spec: specifier }: Part): string | undefined {
  if (isGlob) return tool === "*" ? "resource" : undefined;
  if (editsFiles(tool) && rule.action !== "allow" && specifier.kind !== "any") {
    return 'resource in [Tool::"Edit", Tool::"Write", Tool::"MultiEdit", Tool::"NotebookEdit"]';
  }
  return `resource == Tool::${cedarText(tool)}`;
}

type CommandTest = Extract<ValueTest, { kind: "command" }>;

/** What joins commands, or makes one of another; a permit is for a command that has none of it. */
const OPERATORS = [";", "&", "|", "<", ">", "$", "`", "(", ")", "\n", "\r"];

function commandCondition(part: Part, { anchor, glob }: CommandTest): Said {
  const wide = part.rule.action !== "allow";
  const odd = glob.some(({ kind }) => kind === "anyChar");
  if (odd && !wide) return { loss: lossOf(part, "dropped", "a ? cannot be written") };
  const resource = resourceOf(part) ?? "resource";
  const head = wide && anchor === "whole" ? beforeSpaceStar(glob) : undefined;
  const globs: readonly Glob[] = anchor === "contains"
    ? [[{ kind: "star" }, ...glob, { kind: "star" }]]
    : anchor === "prefix"
    ? [glob, [...glob, { kind: "text", text: " " }, { kind: "star" }]]
    : head
    ? [head, glob]
    : [glob];
  const fits = globs.map((each) => `context.command like ${cedarGlob(each)}`).join(" || ");
  return {
    condition: {
      resource,
      when: [`context has command && (${fits})`],
      unless: wide ? [] : OPERATORS.map((sign) => `context.command like ${cedarText(`*${sign}*`)}`),
    },
    ...(odd ? { loss: lossOf(part, "narrowed", "its ? is any text there") } : {}),
  };
}

function cedarGlob(glob: Glob): string {
  const inner = glob.map((token) =>
    token.kind === "text" ? cedarText(token.text).slice(1, -1).replaceAll("*", "\\*") : "*"
  ).join("").replace(/(?<!\\)\*+/g, "*");
  return `"${inner}"`;
}

/** A string of Cedar. */
function cedarText(text: string): string {
  const inner = [...text].map((char) => {
    if (char === '"' || char === "\\") return `\\${char}`;
    if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(char)) {
      return `\\u{${char.codePointAt(0)!.toString(16)}}`;
    }
    return char;
  }).join("");
  return `"${inner}"`;
}

function policyText(
  { pattern, action }: FormatRule,
  { resource, when, unless }: Condition,
): string {
  const effect = action === "allow" ? "permit" : "forbid";
  return [
    `@rule(${cedarText(`${action} ${pattern}`)})`,
    `${effect} (principal, action == Action::"call", ${resource})`,
    ...(when.length === 0 ? [] : [`when { ${when.join(" && ")} }`]),
    ...(unless.length === 0 ? [] : [`unless { ${unless.join(" || ")} }`]),
  ].join("\n") + ";\n";
}
