import type { Span } from "../../model/problem.ts";
import type { PolicyFile, SourceEntry, WrittenRule } from "../../model/rule.ts";
import { isListable, placeInLists, placeOf, type PlaceOptions } from "./place_rule.ts";

/** A file that is not there yet. */
const NO_FILE: PolicyFile = {
  shape: "none",
  rules: [],
  settings: {},
  tools: new Map(),
  problems: [],
};

/** The place of a rule that stands in no text. */
const NOWHERE: Span = { start: 0, end: 0, line: 1, column: 1 };

/**
 * The text of a file without rules: it alone tells if its `[permissions]` can be extended, namely if `decodeFast` can read it. Undefined for
 * an entry whose rules say where `add` would put another one.
 */
export function textThatTells({ text, file }: SourceEntry): string | undefined {
  return file?.shape === "none" ? text : undefined;
}

/**
 * The entry after the verb `add` wrote a rule to its file, with the trust that it had; undefined if the verb refuses the rule or
 * changes nothing. As `addToText` for an entry that is known by its rules, but no text is written or parsed: the rule stands nowhere.
 */
export function addToRules(entry: SourceEntry, options: PlaceOptions): SourceEntry | undefined {
  const { file = NO_FILE } = entry;
  const { pattern, action } = options.rule;
  // [[rule]] tables take no rule of today's format, and TOML has no lone surrogates.
  if (file.shape === "rule-array" || !pattern.isWellFormed()) return undefined;
  const place = placeOf(file, options);
  if (place.kind === "stands") return undefined;
  const { before, kept } = place;
  const inLists = file.shape === "buckets";
  if (inLists && !isListable({ ...kept, ...options.rule })) return undefined;
  const index = inLists
    ? placeInLists(file.rules, { action, before })?.index
    : before ?? file.rules.length;
  if (index === undefined) return undefined;
  const rule: WrittenRule = {
    pattern: { value: pattern, span: NOWHERE },
    action,
    ...kept,
    span: NOWHERE,
  };
  const rules = file.rules.toSpliced(index, 0, rule);
  const shape = inLists ? "buckets" : "canonical";
  return { ...entry, state: "read", file: { ...file, shape, rules } };
}
