import { type Action, strictness } from "../model/action.ts";
import type { WrittenRule } from "../model/settings.ts";
import type { Glob } from "../pattern/glob.ts";
import { onlyText } from "../pattern/glob.ts";
import { globsOverlap } from "../pattern/overlap.ts";
import { parsePattern } from "../pattern/parse_pattern.ts";
import { parseSpec } from "../pattern/parse_spec.ts";
import type { Pattern, Spec } from "../pattern/pattern.ts";
import type { ToolProfiles } from "../tools/profiles.ts";

/** A rule that is to be placed. */
export interface NewRule {
  /** Its pattern. */
  readonly pattern: string;
  /** Its action. */
  readonly action: Action;
}

/**
 * The index of the rule of a file above which a new one goes; undefined for the end. A deny or ask goes above the first
 * rule that says less and may fit the same calls; where that cannot be told, it may.
 */
export function placeFor(
  rule: NewRule,
  { rules, profiles }: { rules: readonly WrittenRule[]; profiles: ToolProfiles },
): number | undefined {
  if (rule.action === "allow") return undefined;
  const at = rules.findIndex((other) =>
    strictness(other.action) < strictness(rule.action) &&
    mayMeet(rule.pattern, { other: other.pattern.value, profiles })
  );
  return at < 0 ? undefined : at;
}

/** Whether two patterns may fit the same call: false only where they surely do not. */
export function mayMeet(
  text: string,
  { other, profiles }: { other: string; profiles: ToolProfiles },
): boolean {
  const [a, b] = [parsePattern(text), parsePattern(other)];
  if (!a.ok || !b.ok) return true;
  const [left, right] = [specOf(a.value, profiles), specOf(b.value, profiles)];
  // A deny or ask rule with a path holds for other tools too.
  if (!globsOverlap(a.value.tool, b.value.tool)) return left === undefined || isPath(left);
  const [one, two] = [commandGlobs(left), commandGlobs(right)];
  if (!one || !two) return true;
  return one.some((glob) => two.some((each) => globsOverlap(glob, each)));
}

function specOf(pattern: Pattern, profiles: ToolProfiles): Spec | undefined {
  const name = onlyText(pattern.tool);
  if (name === undefined) return undefined;
  const spec = parseSpec(pattern, profiles.get(name));
  return spec.ok ? spec.value : undefined;
}

function isPath(spec: Spec): boolean {
  if (spec.kind === "first") return spec.test.kind === "path";
  return spec.kind === "fields" && spec.fields.some((field) => field.first);
}

/** The globs of which a command must fit one; undefined for what is no command pattern. */
function commandGlobs(spec: Spec | undefined): readonly Glob[] | undefined {
  if (spec?.kind !== "first" || spec.test.kind !== "command" || spec.test.reach === "inside") {
    return undefined;
  }
  const { glob } = spec.test;
  return [glob, [...glob, { kind: "text", text: " " }, { kind: "run" }]];
}
