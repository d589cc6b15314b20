import type { Problem, Span } from "../../model/problem.ts";
import { formatToml } from "../../text/format/format_toml.ts";
import { parseToml } from "../../text/toml_tree.ts";
import { TEST_KEYS } from "../decode/decode_call.ts";
import { decodePolicy } from "../decode/decode_policy.ts";
import { KEYS } from "../decode/table_keys.ts";
import { type IgnoredPlaces, ignoredPlaces, keyOf } from "./ignored_places.ts";

/** The contents of a text, with its problems. */
export interface Decoded {
  readonly problems: readonly Problem[];
}

/** A text in canonical form, or the problems for which it has none. */
export type FormatResult =
  | {
    readonly ok: true;
    readonly text: string;
    /** The comments that would ignore other findings in canonical form: what they stand in or above is left as it is. */
    readonly kept: readonly Span[];
  }
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
 * `decode` reads the same from it, and lint finds the same in it. A text with an error has none. Throws Error where the result
 * would mean something else, which is a bug.
 */
export function formatPolicy(
  text: string,
  decode: (text: string) => Decoded = decodePolicy,
): FormatResult {
  const before = decode(text);
  const problems = before.problems.filter(({ severity }) => severity === "error");
  if (problems.length > 0) return { ok: false, problems };
  const { formatted, kept } = decode === decodePolicy
    ? formatKeeping(text)
    : { formatted: formatToml(text, { order: orderOf }), kept: [] };
  const isSame = meaningOf(before) === meaningOf(decode(formatted)) &&
    commentsOf(text) === commentsOf(formatted);
  if (!isSame) throw new Error("the canonical form of the file has another meaning");
  return { ok: true, text: formatted, kept: kept.map(({ span }) => span) };
}

function orderOf(path: readonly string[]): readonly string[] | undefined {
  return ORDERS.get(path.join("."));
}

/** The canonical form in which each `# caliban-ignore` comment ignores what it does in the text, and those kept for that. */
function formatKeeping(
  text: string,
): { readonly formatted: string; readonly kept: readonly IgnoredPlaces[] } {
  const all = ignoredPlaces(text);
  let kept: readonly IgnoredPlaces[] = [];
  for (;;) {
    const lines = new Set(kept.map(({ span }) => span.line));
    const formatted = formatToml(text, { order: orderOf, kept: lines });
    const changed = all.length === 0 ? [] : changedKeys(all, ignoredPlaces(formatted));
    if (changed.length === 0) return { formatted, kept };
    const more = all.filter((each) => kept.includes(each) || changed.includes(keyOf(each)));
    if (more.length === kept.length) {
      throw new Error("the canonical form of the file ignores other findings");
    }
    kept = more;
  }
}

/** The keys that stand a different number of times in two lists. */
function changedKeys(
  before: readonly IgnoredPlaces[],
  after: readonly IgnoredPlaces[],
): readonly string[] {
  const counts = new Map<string, number>();
  for (const each of before) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
  for (const each of after) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) - 1);
  return [...counts].flatMap(([key, count]) => count === 0 ? [] : [key]);
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
