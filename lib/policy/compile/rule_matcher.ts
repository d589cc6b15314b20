import { all, type Match, negated } from "../../model/verdict.ts";
import type { Action, SourceKind, ToolProfile } from "../../model/call.ts";
import type { FieldTest, Specifier, ValueTest } from "../../pattern/parse_pattern.ts";
import type { Request } from "./request.ts";
import { classMatcher } from "./class_matcher.ts";
import {
  fieldContext,
  fieldMatcher,
  type MatcherContext,
  searchMatcher,
  textMatcher,
} from "./value_matcher.ts";

/** The match of a rule with a call of its tool. */
export type RuleMatcher = (request: Request) => Match;

/** The surroundings that a rule's specifier is compiled for. */
export interface MatcherOptions extends Omit<MatcherContext, "semantics"> {
  /** The source of the rule; absent for one that is tried alone. */
  readonly source?: SourceKind;
  /** The rule's action: an allow must surely fit, others may possibly fit. */
  readonly action: Action;
  /** The tool whose calls are matched. */
  readonly profile: ToolProfile;
}

/** Compiles a specifier for one tool. */
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
    case "class":
      return classMatcher(specifier.name, options);
    case "argument":
      return firstMatcher(specifier.test, { reading, profile });
    case "fields": {
      const fields = specifier.fields.map((field) => partMatcher(field, { reading, profile }));
      const matches: RuleMatcher = (request) => all(fields.map((field) => field(request)));
      const names = specifier.fields.some((field) => field.isArgument && !field.negated);
      return reading.semantics === "must" && !names ? forSingleCommand(matches, options) : matches;
    }
  }
}

/** The tool that a test is for. */
export interface Target {
  /** The semantics of the pattern. */
  readonly reading: MatcherContext;
  /** The tool whose calls are matched. */
  readonly profile: ToolProfile;
}

/** The matcher of one field of a list; a path of Read's own is for a tool that searches what it searches. */
export function partMatcher(field: FieldTest, { reading, profile }: Target): RuleMatcher {
  if (!field.isArgument || !profile.searches || field.test.kind !== "path") {
    return fieldMatcher(field, reading);
  }
  const fits = textMatcher(field.test, fieldContext(field, reading));
  return searchMatcher(
    field.negated ? (text, request) => negated(fits(text, request)) : fits,
    { ...profile.searches, asks: reading.asks },
  );
}

function firstMatcher(test: ValueTest, { reading, profile }: Target): RuleMatcher {
  const fits = textMatcher(test, reading);
  if (profile.searches && test.kind === "path") {
    return searchMatcher(fits, { ...profile.searches, asks: reading.asks });
  }
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

/** An allow rule without a test of the command fits only a line that is one command and has no other effect. */
function forSingleCommand(matches: RuleMatcher, options: MatcherOptions): RuleMatcher {
  if (options.profile.kind !== "command" || options.shell !== "parsed") return matches;
  return (request) => {
    const effects = request.parsedLine?.effects ?? [];
    return effects.length === 1 && effects[0]!.kind === "command" ? matches(request) : "no";
  };
}
