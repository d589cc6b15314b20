import { type Action, strictness } from "../../model/call.ts";
import type { FileSettings, WrittenRule } from "../../model/rule.ts";
import { canonicalText } from "../../pattern/print_pattern.ts";
import type { ToolProfiles } from "../compile/profiles.ts";
import type { RuleText } from "./may_overlap.ts";
import type { placeFor } from "./place_among.ts";
import type { NewRule } from "./policy_pairs.ts";

/** A rule to add, and its place. */
export interface AddOptions {
  readonly rule: NewRule;
  /** Its `expiresAt` as a time, in ms since 1970-01-01T00:00Z. */
  readonly until?: number | undefined;
  /** True if it must stand first in the file. */
  readonly first: boolean;
  /** The known tools. */
  readonly profiles: ToolProfiles;
}

/** Options of `placeOf`. */
export interface PlaceOptions extends AddOptions {
  /** The place of a rule among others: `placeFor`, or what gives the same for this rule. */
  readonly placeAmong: typeof placeFor;
}

/** The place of a new rule in a file. */
export type RulePlace =
  | {
    readonly kind: "new";
    /** The index of the rule above which it goes; undefined for the end. */
    readonly before: number | undefined;
    /** The texts that it keeps of the same rule further down. */
    readonly kept: Pick<NewRule, "comment" | "reason">;
  }
  /** The same rule is there already, on that line. */
  | { readonly kind: "stands"; readonly line: number };

/** The place of a rule that the verb `add` adds to a file. */
export function placeOf(
  { rules, settings }: {
    readonly rules: readonly WrittenRule[];
    readonly settings: Pick<FileSettings, "wrappers">;
  },
  options: PlaceOptions,
): RulePlace {
  const { rule, first } = options;
  const standing = standingRule(rules, options);
  if (standing !== undefined && (!first || standing === rules[0])) {
    return { kind: "stands", line: standing.span.line };
  }
  const before = first && rules.length > 0 ? 0 : options.placeAmong(rule, {
    rules: rules.map(({ pattern, action }) => ({ pattern: pattern.value, action })),
    profiles: options.profiles,
    wrappers: settings.wrappers?.value.map(({ value }) => value) ?? [],
  });
  return { kind: "new", before, kept: commentOf(standing) };
}

/** The place of a rule among those of lists by action: its index in its own list, and among all. */
export interface ListPlace {
  readonly at: number;
  readonly index: number;
}

/**
 * The place of a rule in the list of its action, for the index of the rule above which it is to go; undefined for the end. Lists decide in
 * the order deny, ask, allow, so that a rule may stand higher than wanted; undefined if it would stand lower.
 */
export function placeInLists(
  rules: readonly Pick<RuleText, "action">[],
  { action, before }: { readonly action: Action; readonly before: number | undefined },
): ListPlace | undefined {
  const first = rules.filter((rule) => strictness(rule.action) > strictness(action)).length;
  const count = rules.filter((rule) => rule.action === action).length;
  const at = Math.min((before ?? rules.length) - first, count);
  return at < 0 ? undefined : { at, index: first + at };
}

/** True for a rule that a list by action can hold: a pattern alone. */
export function isListable({ comment, reason, expiresAt }: NewRule): boolean {
  return comment === undefined && reason === undefined && expiresAt === undefined;
}

/** The first rule of the file with the same meaning. */
function standingRule(
  rules: readonly WrittenRule[],
  { rule: { pattern, action }, until: expiresAt, profiles }: AddOptions,
): WrittenRule | undefined {
  const isSame = hasSameMeaning({ pattern, action, expiresAt }, profiles);
  return rules.find((rule) => isSame({ ...rule, pattern: rule.pattern.value }));
}

/** The comment and reason of a rule, which the same rule at the top of the file keeps. */
function commentOf(rule: WrittenRule | undefined): Pick<NewRule, "comment" | "reason"> {
  return {
    ...(rule?.comment === undefined ? {} : { comment: rule.comment }),
    ...(rule?.reason === undefined ? {} : { reason: rule.reason }),
  };
}

/** The meaning of a rule, without its texts for people and the model. */
export interface RuleMeaning {
  readonly pattern: string;
  readonly action: Action;
  /** The time when it ends, in ms since 1970-01-01T00:00Z. */
  readonly expiresAt?: number | undefined;
}

/** The same text for rules with the same meaning and the same end. */
export function meaningOf(
  { pattern, action, expiresAt }: RuleMeaning,
  profiles: ToolProfiles,
): string {
  return JSON.stringify([action, expiresAt ?? null, canonicalText(pattern, profiles)]);
}

/**
 * Returns a test for rules with the same meaning and the same end; their comments and reasons may differ.
 */
export function hasSameMeaning(
  wanted: RuleMeaning,
  profiles: ToolProfiles,
): (rule: RuleMeaning) => boolean {
  const pattern = canonicalText(wanted.pattern, profiles);
  return (rule) =>
    rule.action === wanted.action && rule.expiresAt === wanted.expiresAt &&
    canonicalText(rule.pattern, profiles) === pattern;
}
