import { all, type Match, negated } from "../../model/match.ts";
import type { Action } from "../../model/action.ts";
import type { ToolProfile } from "../../model/tool_profile.ts";
import type { FieldTest, Specifier, ValueTest } from "../../pattern/pattern.ts";
import { readLine } from "../../shell/read_line.ts";
import type { Request } from "./facts.ts";
import { fieldContext, fieldMatcher, type MatcherContext, textMatcher } from "./value_matcher.ts";
import { searchMatcher } from "./search_matcher.ts";

/** Whether a rule fits a call whose tool its pattern speaks of. */
export type RuleMatcher = (request: Request) => Match;

/** What a rule's spec is compiled for. */
export interface MatcherOptions extends Omit<MatcherContext, "semantics"> {
  /** What the rule says: allow rules are read strictly, the others widely. */
  readonly action: Action;
  /** The tool whose calls are matched. */
  readonly profile: ToolProfile;
}

/** Compiles a spec for one tool. */
export function ruleMatcher(specifier: Specifier, options: MatcherOptions): RuleMatcher {
  const { profile, action } = options;
  const reading: MatcherContext = {
    ...options,
    semantics: action === "allow" ? "must" : "may",
    asks: action === "ask",
  };
  switch (specifier.kind) {
    case "any":
      return () => "yes";
    case "argument":
      return firstMatcher(specifier.test, { reading, profile });
    case "fields": {
      const fields = specifier.fields.map((field) => partMatcher(field, { reading, profile }));
      const matches: RuleMatcher = (request) => all(fields.map((field) => field(request)));
      const names = specifier.fields.some((field) => field.first && !field.negated);
      return reading.semantics === "must" && !names ? guardedByLine(matches, options) : matches;
    }
  }
}

/** Whose input a test is about, and how it is read. */
export interface Target {
  /** How the pattern is read. */
  readonly reading: MatcherContext;
  /** The tool whose calls are matched. */
  readonly profile: ToolProfile;
}

/** The matcher of one field of a list; a path of Read's own is for a tool that searches what it searches. */
export function partMatcher(field: FieldTest, { reading, profile }: Target): RuleMatcher {
  if (!field.first || !profile.searches || field.test.kind !== "path") {
    return fieldMatcher(field, reading);
  }
  const fits = textMatcher(field.test, fieldContext(field, reading));
  return searchMatcher(
    field.negated ? (text, request) => negated(fits(text, request)) : fits,
    profile.searches,
  );
}

function firstMatcher(test: ValueTest, { reading, profile }: Target): RuleMatcher {
  const fits = textMatcher(test, reading);
  if (profile.searches && test.kind === "path") return searchMatcher(fits, profile.searches);
  return (request) => {
    const { first } = request;
    switch (first.state) {
      case "none":
      case "missing":
        return "no";
      case "unknown":
        return "indeterminate";
      case "text":
        return fits(first.text, request);
    }
  };
}

/** An allow rule that says nothing of the command itself covers only a line that is one command and does nothing besides. */
function guardedByLine(matches: RuleMatcher, options: MatcherOptions): RuleMatcher {
  if (options.profile.kind !== "command" || options.shell !== "parsed") return matches;
  return (request) => {
    const { first, part } = request;
    if (first.state !== "text") return "no";
    const { units: effects } = part?.line ?? readLine(first.text);
    return effects.length === 1 && effects[0]!.kind === "command" ? matches(request) : "no";
  };
}
