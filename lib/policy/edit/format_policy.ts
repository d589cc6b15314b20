import type { Problem } from "../../model/problem.ts";
import { formatToml } from "../../text/format/format_toml.ts";
import { parseToml } from "../../text/toml_tree.ts";
import { TEST_KEYS } from "../decode/decode_call.ts";
import { decodePolicy } from "../decode/decode_policy.ts";
import { KEYS } from "../decode/table_keys.ts";

/** The contents of a text, with its problems. */
export interface Decoded {
  readonly problems: readonly Problem[];
}

/** A text in canonical form, or the problems for which it has none. */
export type FormatResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The lists of tables whose keys have an order, by their path. */
const ORDERS: ReadonlyMap<string, readonly string[]> = new Map([
  ["permissions.rules", KEYS.rule],
  ["rule", KEYS.rule],
  ["permissions.tests", TEST_KEYS],
  ["tests", TEST_KEYS],
]);

/**
 * The text of a permissions.toml, without its byte order mark, in canonical form: every rule, setting and comment is there, and
 * `decode` reads the same from it. A text with an error has none. Throws Error where the result would mean something else,
 * which is a bug.
 */
export function formatPolicy(
  text: string,
  decode: (text: string) => Decoded = decodePolicy,
): FormatResult {
  const before = decode(text);
  const problems = before.problems.filter(({ severity }) => severity === "error");
  if (problems.length > 0) return { ok: false, problems };
  const formatted = formatToml(text, (path) => ORDERS.get(path.join(".")));
  const isSame = meaningOf(before) === meaningOf(decode(formatted)) &&
    commentsOf(text) === commentsOf(formatted);
  if (!isSame) throw new Error("the canonical form of the file has another meaning");
  return { ok: true, text: formatted };
}

/** The decoded contents, without places. */
function meaningOf(decoded: Decoded): string {
  return JSON.stringify(decoded, (key, value) => {
    if (key === "span" || key === "key" || key === "path" || key === "text") return undefined;
    return value instanceof Map ? [...value] : value;
  });
}

/** The comments, in any order. */
function commentsOf(text: string): string {
  const { comments } = parseToml(text);
  return comments.map((start) => text.slice(start).split("\n", 1)[0]!.trimEnd()).toSorted()
    .join("\n");
}
