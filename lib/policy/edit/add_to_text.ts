import type { WrittenRule } from "../../model/settings.ts";
import { decodePolicy } from "../decode/decode_policy.ts";
import { type EditResult, insertRule } from "./edit_rules.ts";
import type { NewRule } from "./rule_text.ts";
import type { ToolProfiles } from "../compile/profiles.ts";
import { placeFor } from "./place_rule.ts";
import { sameAs } from "./same_pattern.ts";

/** What comes of adding a rule to the text of a policy file. */
export type AddResult =
  | { readonly kind: "added"; readonly text: string }
  /** The same rule stands already where it is wanted, on that line. */
  | { readonly kind: "stands"; readonly line: number }
  | { readonly kind: "refused"; readonly why: Extract<EditResult, { ok: false }> };

/** What is added, and where. */
export interface AddOptions {
  /** The rule. */
  readonly rule: NewRule;
  /** When it ends, in ms since 1970-01-01T00:00Z: its `expiresAt`. */
  readonly until?: number | undefined;
  /** Whether it must stand first. */
  readonly first: boolean;
  /** What is known about tools. */
  readonly profiles: ToolProfiles;
}

/** Adds a rule to the text of a permissions.toml, without its byte order mark, as the verb `add` does. */
export function addToText(text: string, options: AddOptions): AddResult {
  const { rule, first } = options;
  const { rules } = decodePolicy(text);
  const standing = standingRule(rules, options);
  if (standing !== undefined && (!first || standing === rules[0])) {
    return { kind: "stands", line: standing.span.line };
  }
  const before = first && rules.length > 0 ? 0 : placeAmong(rules, options);
  const result = insertRule(text, { ...toldBy(standing), ...rule }, { before });
  return result.ok ? { kind: "added", text: result.text } : { kind: "refused", why: result };
}

/** The first rule of the file that says the same for as long. */
function standingRule(
  rules: readonly WrittenRule[],
  { rule: { pattern, action }, until: expiresAt, profiles }: AddOptions,
): WrittenRule | undefined {
  const isSame = sameAs({ pattern, action, expiresAt }, profiles);
  return rules.find((rule) => isSame({ ...rule, pattern: rule.pattern.value }));
}

function placeAmong(rules: readonly WrittenRule[], { rule, profiles }: AddOptions) {
  const others = rules.map(({ pattern, action }) => ({ pattern: pattern.value, action }));
  return placeFor(rule, { rules: others, profiles });
}

/** What a rule tells people and the model: the same rule at the top of the file tells it too. */
function toldBy(rule: WrittenRule | undefined): Pick<NewRule, "comment" | "reason"> {
  return {
    ...(rule?.comment === undefined ? {} : { comment: rule.comment }),
    ...(rule?.reason === undefined ? {} : { reason: rule.reason }),
  };
}
