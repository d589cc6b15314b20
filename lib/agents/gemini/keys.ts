import { quoted } from "../../text/problems.ts";
import type { TomlNode, TomlTable } from "../../text/toml_node.ts";
import type { Draft } from "../convert/draft.ts";

/** Keys that make a rule hold at some times only. */
export const CONDITIONS = ["modes", "interactive", "toolAnnotations", "subagent"];

/** The keys of a rule, with what their value is. */
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

/** Keys of which a rule has one at most. */
export const EXPRESSIONS = ["argsPattern", "commandPrefix", "commandRegex"];

/** Says which keys of a rule are unknown, of the wrong type, or do not go together. */
export function refuseUnknown(table: TomlTable, draft: Draft): void {
  for (const { name, key, value } of table.members.values()) {
    const kind = KEYS.get(name);
    if (kind === undefined) {
      draft.problem(key, `Cannot read key ${quoted(name)}: there is no such key`, "unknown-key");
    } else if (!isKind(value, kind)) {
      draft.problem(value.span, `Cannot read ${name}: expected ${EXPECTED.get(kind)}`);
    }
  }
  const [, second] = [...table.members.values()].filter(({ name }) => EXPRESSIONS.includes(name));
  if (second) {
    const detail = `only one of ${EXPRESSIONS.join(", ")} may stand in a rule`;
    draft.problem(second.key, `Cannot read ${second.name}: ${detail}`);
  }
}

const EXPECTED: ReadonlyMap<string, string> = new Map([
  ["text", "a string"],
  ["texts", "a string, or a list of them that is not empty"],
  ["boolean", "true or false"],
]);

function isKind(value: TomlNode, kind: string): boolean {
  if (kind === "text") return value.type === "string";
  if (kind === "boolean") return value.type === "boolean";
  if (kind !== "texts" || value.type === "string") return true;
  return value.type === "array" && value.items.length > 0 &&
    value.items.every(({ type }) => type === "string");
}
