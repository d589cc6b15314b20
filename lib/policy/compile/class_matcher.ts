import { type CommandClass, SOURCE_KINDS, type SourceKind } from "../../model/call.ts";
import { any, fromBoolean, type Match } from "../../model/verdict.ts";
import type { Effect } from "../../shell/effect.ts";
import type { MatcherOptions, RuleMatcher } from "./rule_matcher.ts";

/** The search for the rule that decides one class of a command. */
export interface ClassSearch {
  /** The class that is decided. */
  readonly name: CommandClass;
  /** All classes of the command. */
  readonly classes: readonly CommandClass[];
  /** The reason why a rule that allows the class does not cover the command; undefined if it does. Computed when it is first asked. */
  readonly whyOpen: () => string | undefined;
  /** The lowest source of `[shell.classes]` that gives the classes; absent where a table does. */
  readonly givenBy?: SourceKind;
}

/**
 * The matcher of `@class`. An allow rule matches in the search for its class, if the files and URLs of the command are allowed
 * too. A deny or ask rule matches a command whose set has the class, and cannot be evaluated where that is unknown.
 */
export function classMatcher(
  name: CommandClass,
  { action, shell, source = "managed" }: MatcherOptions,
): RuleMatcher {
  if (action === "allow") {
    return ({ part }) =>
      fromBoolean(part?.search?.name === name && part.search.whyOpen() === undefined);
  }
  if (shell !== "parsed") return () => "indeterminate";
  return ({ part, line }) => {
    if (part) {
      const { search } = part;
      const known = mayHave(name, search?.classes ?? classesOf(part.effect));
      // A rule of a higher source holds without the classes that a lower one gives.
      return search?.givenBy !== undefined && isAbove(source, search.givenBy)
        ? any([known, mayHave(name, ["unknown"])])
        : known;
    }
    return line
      ? any(line.effects.map((effect) => mayHave(name, classesOf(effect))))
      : "indeterminate";
  };
}

function isAbove(one: SourceKind, other: SourceKind): boolean {
  return SOURCE_KINDS.indexOf(one) < SOURCE_KINDS.indexOf(other);
}

/** The match of a deny or ask with a set of classes: code, and what is unknown, may do anything. */
function mayHave(name: CommandClass, classes: readonly CommandClass[]): Match {
  if (classes.includes(name)) return "yes";
  return classes.includes("unknown") || classes.includes("code") ? "indeterminate" : "no";
}

/** The classes of an effect by its text alone. */
export function classesOf({ kind, traits, runsNothing }: Effect): readonly CommandClass[] {
  switch (kind) {
    case "command":
      return traits?.().classes ?? (runsNothing ? ["read"] : ["unknown"]);
    case "opaque":
      return ["unknown"];
    case "read":
      return ["read"];
    case "write":
      return ["edit"];
    case "url":
      return ["fetch"];
  }
}
