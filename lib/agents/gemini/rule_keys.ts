import { quoted } from "../../model/problem.ts";
import type { TomlNode, TomlTable } from "../../text/toml_node.ts";
import type { ImportBuilder } from "../convert/import_builder.ts";

/** Keys that make a rule conditional. */
export const CONDITIONS = ["modes", "interactive", "toolAnnotations", "subagent"];

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

/** Adds problems for keys of a rule that are unknown, of the wrong type, or exclude each other. */
export function refuseUnknown(table: TomlTable, builder: ImportBuilder): void {
  for (const { name, key, value } of table.members.values()) {
    const kind = KEYS.get(name);
    if (kind === undefined) {
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
