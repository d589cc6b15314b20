import type { Action } from "../../model/action.ts";
import type { Loss } from "../../model/loss.ts";
import type { Format, FormatRule, FormatWriting, WriteContext } from "../convert/format.ts";
import { readOpencode } from "./import.ts";
import { permissionOf, PERMISSIONS, sayOpencode } from "./say.ts";
import { lossOf, type Part, partsOf, toolsOf } from "../convert/parts.ts";
import { distinctLosses } from "../convert/said.ts";
import { settingsLosses } from "../convert/settings_losses.ts";

/** opencode: `permission` in `opencode.json`; written against 1.1. */
export const OPENCODE: Format = {
  name: "opencode",
  title: "opencode.json",
  caveat:
    "opencode compares commands as they are written, and asks about files outside of the project by itself",
  detect: (path, text) =>
    /opencode\.jsonc?$/.test(path) || /"permission"\s*:/.test(text) && !/rulesync/.test(path),
  read: (text) => readOpencode(text),
  write: writeOpencode,
};

/** Patterns of one permission with their actions, the first that fits first. */
type Patterns = Map<string, Action>;

function writeOpencode(rules: readonly FormatRule[], context: WriteContext): FormatWriting {
  const { parts, losses } = partsOf(rules, context.profiles);
  const all: Loss[] = [...losses, ...settingsLosses(context.settings)];
  const lists = new Map<string, Patterns>();
  const lastDeny = rules.findLastIndex(({ action }) => action === "deny");
  const everything = parts.findIndex((part) => part.isGlob && part.tool === "*");
  for (const part of everything < 0 ? parts : parts.slice(0, everything)) {
    const names = part.isGlob ? globNames(part, { context, all }) : [permissionOf(part.tool)];
    const { patterns, losses: lost } = sayOpencode(part, parts);
    all.push(...lost);
    // An ask that fits too much would hide a deny behind it.
    const broad = lost.some(({ kind }) => kind === "narrowed");
    const { rule: { action: said }, index } = part;
    const action = broad && said === "ask" && index < lastDeny ? "deny" : said;
    for (const name of names) for (const pattern of patterns) put(lists, { name, pattern, action });
  }
  const rest = parts[everything]?.rule.action ?? "ask";
  return { text: textOf(lists, rest), losses: distinctLosses(all) };
}

/**
 * The text, written by hand: an object would put keys that look like numbers first. The last that fits decides there, also
 * among permissions, so that those with wildcards stand in the reverse order too.
 */
function textOf(lists: ReadonlyMap<string, Patterns>, rest: Action): string {
  const named = [...lists].filter(([name]) => PERMISSIONS.includes(name));
  const others = [...lists].filter(([name]) => !PERMISSIONS.includes(name)).toReversed();
  const lines = [
    pair("*", rest, 4),
    ...others.flatMap(([name, patterns]) =>
      [...patterns.values()].map((said) => pair(name, said, 4))
    ),
    ...named.map(([name, patterns]) => {
      const reversed = [...patterns].toReversed();
      const whole = patterns.has("*") ? reversed : [["*", rest] as const, ...reversed];
      const inner = whole.map(([pattern, action]) => pair(pattern, action, 6)).join(",\n");
      return `    ${JSON.stringify(name)}: {\n${inner}\n    }`;
    }),
  ];
  const schema = '  "$schema": "https://opencode.ai/config.json",';
  return `{\n${schema}\n  "permission": {\n${lines.join(",\n")}\n  }\n}\n`;
}

function pair(key: string, action: Action, indent: number): string {
  return `${" ".repeat(indent)}${JSON.stringify(key)}: "${action}"`;
}

function put(
  lists: Map<string, Patterns>,
  { name, pattern, action }: { name: string; pattern: string; action: Action },
): void {
  const patterns = lists.get(name) ?? new Map<string, Action>();
  // Of two that fit the same the first decides, and a name stands once in an object. What follows "*" is never reached.
  if (!patterns.has(pattern) && !patterns.has("*")) patterns.set(pattern, action);
  lists.set(name, patterns);
}

function globNames(
  part: Part,
  { context, all }: { context: WriteContext; all: Loss[] },
): readonly string[] {
  const server = /^mcp__([^*?_]+)__\*$/.exec(part.tool)?.[1];
  if (server !== undefined) return [`${server}_*`];
  const { action } = part.rule;
  const detail = "a wildcard in a tool's name is written for the known tools alone";
  if (action === "allow") {
    all.push(lossOf(part, "dropped", detail));
    return [];
  }
  all.push(lossOf(part, "widened", detail));
  return toolsOf(part, context.profiles).map(permissionOf);
}
