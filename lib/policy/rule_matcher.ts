import { all, type Match, negated } from "../model/match.ts";
import type { Action } from "../model/action.ts";
import type { ToolProfile } from "../model/tool_profile.ts";
import type { FieldTest, Spec, ValueTest } from "../pattern/pattern.ts";
import { readLine } from "../shell/read_line.ts";
import type { Facts } from "../tools/facts.ts";
import { fieldMatcher, type Reading, readingOf, textMatcher } from "./value_matcher.ts";
import { searchMatcher } from "./search_matcher.ts";

/** Whether a rule fits a call whose tool its pattern speaks of. */
export type RuleMatcher = (facts: Facts) => Match;

/** What a rule's spec is compiled for. */
export interface MatcherOptions extends Omit<Reading, "reach"> {
  /** What the rule says: allow rules are read strictly, the others widely. */
  readonly action: Action;
  /** The tool whose calls are matched. */
  readonly profile: ToolProfile;
}

/** Compiles a spec for one tool. */
export function ruleMatcher(spec: Spec, options: MatcherOptions): RuleMatcher {
  const { profile, action } = options;
  const reading: Reading = {
    ...options,
    reach: action === "allow" ? "strict" : "wide",
    asks: action === "ask",
  };
  switch (spec.kind) {
    case "any":
      return () => "yes";
    case "first":
      return firstMatcher(spec.test, { reading, profile });
    case "fields": {
      const fields = spec.fields.map((field) => partMatcher(field, { reading, profile }));
      const matches: RuleMatcher = (facts) => all(fields.map((field) => field(facts)));
      const names = spec.fields.some((field) => field.first && !field.negated);
      return reading.reach === "strict" && !names ? guardedByLine(matches, options) : matches;
    }
  }
}

/** Whose input a test is about, and how it is read. */
export interface Target {
  /** How the pattern is read. */
  readonly reading: Reading;
  /** The tool whose calls are matched. */
  readonly profile: ToolProfile;
}

/** The matcher of one field of a list; a path of Read's own is for a tool that searches what it searches. */
export function partMatcher(field: FieldTest, { reading, profile }: Target): RuleMatcher {
  if (!field.first || !profile.searches || field.test.kind !== "path") {
    return fieldMatcher(field, reading);
  }
  const fits = textMatcher(field.test, readingOf(field, reading));
  return searchMatcher(
    field.negated ? (text, facts) => negated(fits(text, facts)) : fits,
    profile.searches,
  );
}

function firstMatcher(test: ValueTest, { reading, profile }: Target): RuleMatcher {
  const fits = textMatcher(test, reading);
  if (profile.searches && test.kind === "path") return searchMatcher(fits, profile.searches);
  return (facts) => {
    const { first } = facts;
    switch (first.state) {
      case "none":
      case "missing":
        return "no";
      case "unknown":
        return "unknown";
      case "text":
        return fits(first.text, facts);
    }
  };
}

/** An allow rule that says nothing of the command itself covers only a line that is one command and does nothing besides. */
function guardedByLine(matches: RuleMatcher, options: MatcherOptions): RuleMatcher {
  if (options.profile.kind !== "command" || options.shell !== "parsed") return matches;
  return (facts) => {
    const { first, part } = facts;
    if (first.state !== "text") return "no";
    const { units } = part?.line ?? readLine(first.text);
    return units.length === 1 && units[0]!.kind === "command" ? matches(facts) : "no";
  };
}
