import type { Glob } from "../../pattern/glob.ts";
import type { Loss } from "../../model/problem.ts";
import type { ExportContext, ExportResult, Format, FormatRule } from "../convert/format.ts";
import { idleAsks } from "../convert/order_losses.ts";
import { type CommandTest, commandTest, editsFiles, lossOf, type Part } from "../convert/parts.ts";
import { beforeSpaceStar } from "../convert/patterns.ts";
import { blockExport, startExport } from "../convert/rule_export.ts";

/** Cedar policies over `Action::"call"`, `Tool::"NAME"` and a context with `command`, `path` or `url`. Export only. */
export const format: Format = {
  name: "cedar",
  title: "Cedar policies",
  caveat:
    "Cedar compares the text of one simple command at a time, and forbids every call that no policy permits",
  detect: (path) => /\.cedar$/.test(path),
  write: writeCedar,
};

function writeCedar(rules: readonly FormatRule[], context: ExportContext): ExportResult {
  const leftOut = idleAsks(rules, context);
  const { parts, losses } = startExport(rules, context, { strictestIn: "Cedar", leftOut });
  const idle = "Cedar has no ask, and forbids every call that no policy permits";
  losses.push(...leftOut.map((rule) => lossOf({ rule }, "narrowed", idle)));
  const policies = parts.flatMap((part) => {
    const { condition, loss } = conditionOf(part);
    if (loss) losses.push(loss);
    if (part.rule.action === "ask") {
      losses.push(lossOf(part, "narrowed", "Cedar has no ask, so it is forbidden"));
    }
    return condition === undefined ? [] : [policyText(part.rule, condition)];
  });
  return blockExport(policies, { losses, between: "\n", empty: "// Nothing is permitted.\n" });
}

/** The scope and the conditions of a policy; the lists may be empty. */
interface Condition {
  readonly resource: string;
  readonly when: readonly string[];
  readonly unless: readonly string[];
}

interface RenderedCondition {
  readonly condition?: Condition;
  readonly loss?: Loss;
}

function conditionOf(part: Part): RenderedCondition {
  const resource = resourceOf(part);
  if (resource === undefined) {
    const detail = "the format cannot express a wildcard in a tool's name";
    return { loss: lossOf(part, "dropped", detail) };
  }
  const condition = { resource, when: [], unless: [] };
  if (part.specifier.kind === "any") return { condition };
  const test = commandTest(part);
  if (test !== undefined) return commandCondition(part, { test, resource });
  const detail = "the format can express only commands and tools";
  if (part.rule.action === "allow") return { loss: lossOf(part, "dropped", detail) };
  return { condition, loss: lossOf(part, "narrowed", `${detail}, so it is the whole tool`) };
}

function resourceOf({ tool, isGlob, rule, specifier }: Part): string | undefined {
  if (isGlob) return tool === "*" ? "resource" : undefined;
  if (editsFiles(tool) && rule.action !== "allow" && specifier.kind !== "any") {
    return 'resource in [Tool::"Edit", Tool::"Write", Tool::"MultiEdit", Tool::"NotebookEdit"]';
  }
  return `resource == Tool::${cedarText(tool)}`;
}

/** Characters that join commands, or nest one in another. A permit is for commands without them. */
const OPERATORS = [";", "&", "|", "<", ">", "$", "`", "(", ")", "\n", "\r"];

function commandCondition(
  part: Part,
  { test: { anchor, glob }, resource }: { test: CommandTest; resource: string },
): RenderedCondition {
  const isAllow = part.rule.action === "allow";
  const isInexact = glob.some(({ kind }) => kind === "anyChar");
  if (isInexact && isAllow) {
    return { loss: lossOf(part, "dropped", "the format cannot express a ?") };
  }
  const globs = globsOf({ anchor, glob }, isAllow);
  const matches = globs.map((each) => `context.command like ${cedarGlob(each)}`).join(" || ");
  return {
    condition: {
      resource,
      when: [`context has command && (${matches})`],
      unless: isAllow
        ? OPERATORS.map((sign) => `context.command like ${cedarText(`*${sign}*`)}`)
        : [],
    },
    ...(isInexact ? { loss: lossOf(part, "narrowed", "its ? becomes *, any text") } : {}),
  };
}

/** The globs of which one must match the whole command. */
function globsOf(
  { anchor, glob }: Pick<CommandTest, "anchor" | "glob">,
  isAllow: boolean,
): readonly Glob[] {
  if (anchor === "contains") return [[{ kind: "star" }, ...glob, { kind: "star" }]];
  if (anchor === "prefix") {
    return [glob, [...glob, { kind: "text", text: " " }, { kind: "star" }]];
  }
  const head = isAllow ? undefined : beforeSpaceStar(glob);
  return head ? [head, glob] : [glob];
}

function cedarGlob(glob: Glob): string {
  const inner = glob.map((token) =>
    token.kind === "text" ? cedarText(token.text).slice(1, -1).replaceAll("*", "\\*") : "*"
  ).join("").replace(/(?<!\\)\*+/g, "*");
  return `"${inner}"`;
}

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
