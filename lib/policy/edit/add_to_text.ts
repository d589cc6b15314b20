import { decodePolicy } from "../decode/decode_policy.ts";
import { insertInList } from "./edit_lists.ts";
import { type EditResult, insertRule, refusedRule } from "./edit_rules.ts";
import { placeFor } from "./place_among.ts";
import { type AddOptions, placeOf } from "./place_rule.ts";

/** The result of adding a rule to the text of a policy file. */
export type AddResult =
  | { readonly kind: "added"; readonly text: string }
  /** The same rule is already in its place, on that line. */
  | { readonly kind: "stands"; readonly line: number }
  | { readonly kind: "refused"; readonly why: Extract<EditResult, { ok: false }> };

/** Adds a rule to the text of a permissions.toml, without its byte order mark, as the verb `add` does. */
export function addToText(text: string, options: AddOptions): AddResult {
  const file = decodePolicy(text);
  const place = placeOf(file, { ...options, placeAmong: placeFor });
  if (place.kind === "stands") return place;
  const { before, kept } = place;
  const rule = { ...kept, ...options.rule };
  const result = file.shape === "buckets"
    ? refusedRule(rule) ?? insertInList(text, rule, { before })
    : insertRule(text, rule, { before });
  return result.ok ? { kind: "added", text: result.text } : { kind: "refused", why: result };
}
