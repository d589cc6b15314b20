import { quoted } from "../../model/problem.ts";
import type { TomlNode, TomlTable } from "../../text/toml_node.ts";
import type { ImportBuilder, Subject } from "../convert/import_builder.ts";

/** Keys that make a rule conditional. */
const CONDITIONS = ["modes", "interactive", "toolAnnotations", "subagent"];

/** The keys of a rule, with the kind of their value. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ["toolName", "texts"],
  ["mcpName", "text"],
  ["argsPattern", "text"],
  ["commandPrefix", "texts"],
  ["commandRegex", "text"],
  ["decision", "text"],
  ["priority", "number"],
  ["allowRedirection", "boolean"],
  ["allow_redirection", "boolean"],
  ["denyMessage", "text"],
  ["deny_message", "text"],
  ...CONDITIONS.map((name) => [name, "any"] as const),
]);

/** Keys of which a rule has at most one. */
export const EXPRESSIONS = ["argsPattern", "commandPrefix", "commandRegex"];

/** True for a key that makes a rule conditional, or may. */
export function isCondition(name: string): boolean {
  return CONDITIONS.includes(name) || !KEYS.has(name);
}

/**
 * Adds problems for keys of a rule that are of the wrong type or exclude each other, and for unknown ones: an allow is left out then.
 * An unknown key of a deny or ask with a decision is a condition that is not read, without which it is wider.
 */
export function refuseUnknown(
  table: TomlTable,
  { subject, builder }: { readonly subject: Subject; readonly builder: ImportBuilder },
): void {
  const isWider = subject.action !== "allow" && table.members.has("decision");
  for (const { name, key, value } of table.members.values()) {
    const kind = KEYS.get(name);
    if (kind === undefined) {
      if (isWider) continue;
      builder.problem(key, `Cannot read key ${quoted(name)}: there is no such key`, "unknown-key");
    } else if (!isKind(value, kind)) {
      builder.problem(value.span, `Cannot read ${name}: expected ${EXPECTED.get(kind)}`);
    }
  }
  const [, second] = [...table.members.values()].filter(({ name }) => EXPRESSIONS.includes(name));
  if (second) {
    const detail = `a rule can have only one of ${EXPRESSIONS.join(", ")}`;
    builder.problem(second.key, `Cannot read ${second.name}: ${detail}`);
  }
}

const EXPECTED: ReadonlyMap<string, string> = new Map([
  ["text", "a string"],
  ["texts", "a string, or a non-empty list of strings"],
  ["boolean", "true or false"],
]);

function isKind(value: TomlNode, kind: string): boolean {
  if (kind === "text") return value.type === "string";
  if (kind === "boolean") return value.type === "boolean";
  if (kind !== "texts" || value.type === "string") return true;
  return value.type === "array" && value.elements.length > 0 &&
    value.elements.every(({ type }) => type === "string");
}
