import type { Action } from "../../model/action.ts";
import type { RuleSource } from "../../model/source.ts";
import type { ToolProfile } from "../../model/tool_profile.ts";
import { onlyText } from "../../pattern/glob.ts";
import { globsOverlap } from "../../pattern/overlap.ts";
import { parsePattern } from "../../pattern/parse_pattern.ts";
import type { PathContext } from "../../pattern/path/path_facts.ts";
import type { Pattern, Specifier } from "../../pattern/pattern.ts";
import { type ToolRule, toolRuleFor } from "../compile/rule_table.ts";
import type { ToolProfiles } from "../compile/profiles.ts";
import { commandsMeet } from "./commands_meet.ts";

/** A rule as it is written. */
export interface RuleWords {
  /** Its pattern. */
  readonly pattern: string;
  /** Its action. */
  readonly action: Action;
}

/** What is asked about two rules. */
export interface Meeting {
  /** The rule that says more; a deny or ask. */
  readonly stricter: RuleWords;
  /** What is known about tools. */
  readonly profiles: ToolProfiles;
}

/** Only what a rule says is asked here, never whether it fits: no path is compared, and no source is shown. */
const NOWHERE: RuleSource = { kind: "project", path: "", line: 1, column: 1 };
const NO_PATHS: PathContext = { platform: "linux", workspace: [], home: [], ignoreCase: true };

/**
 * Whether a rule that stands first may decide a call that a stricter one fits or cannot evaluate: false only where it
 * surely does not.
 */
export function mayMeet(first: RuleWords, { stricter, profiles }: Meeting): boolean {
  const [one, two] = [parsePattern(first.pattern), parsePattern(stricter.pattern)];
  if (!one.ok || !two.ok) return true;
  const names = [one.value, two.value].flatMap(({ tool }) => onlyText(tool) ?? []);
  // Both may speak of a tool that nothing is known about.
  if (names.length === 0 && globsOverlap(one.value.tool, two.value.tool)) return true;
  const known = profiles.known.map(({ name }) => name);
  return [...new Set([...names, ...known])].some((name) => {
    const profile = profiles.get(name);
    const left = entryOf(first, { parsed: one.value, profile, profiles });
    const right = left && entryOf(stricter, { parsed: two.value, profile, profiles });
    return right !== undefined && entriesMeet(left, right);
  });
}

/** What a rule says about the calls of one tool; a deny or ask on a file speaks of every tool that does the same to it. */
function entryOf(
  { pattern, action }: RuleWords,
  options: { parsed: Pattern; profile: ToolProfile; profiles: ToolProfiles },
): ToolRule | undefined {
  const { parsed, profile, profiles } = options;
  const rule = { pattern, action, index: 0, source: NOWHERE, parsed };
  return toolRuleFor(rule, { profile, profiles, shell: "parsed", context: NO_PATHS });
}

function entriesMeet(one: ToolRule | undefined, two: ToolRule): boolean {
  if (!one?.specifier || !two.specifier || one.also || two.also) return true;
  return specsMeet(one.specifier, two.specifier);
}

/** Links lead any path anywhere, and of field lists nothing is known: only commands, texts and hosts are compared. */
function specsMeet(one: Specifier, two: Specifier): boolean {
  if (one.kind !== "argument" || two.kind !== "argument") return true;
  const [left, right] = [one.test, two.test];
  if (left.kind === "command" && right.kind === "command") return commandsMeet(left, right);
  if (left.kind === "text" && right.kind === "text") return globsOverlap(left.glob, right.glob);
  if (left.kind === "domain" && right.kind === "domain") {
    return `.${left.host}`.endsWith(`.${right.host}`) || `.${right.host}`.endsWith(`.${left.host}`);
  }
  return true;
}
