import { printedJson } from "../../text/printed_json.ts";
import { type TimedDifferences, timedDifferences } from "../../analysis/timed_differences.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import type { Rule } from "../../model/rule.ts";
import { type DiffGroup, type DiffReport, effectOf } from "../../report/diff/diff_report.ts";
import { settingChanges } from "../../report/diff/diff_settings.ts";
import { classDifferences, keyOf } from "../../suite/class_trials.ts";
import type { OperandPolicy } from "../input/policy_operand.ts";
import { callCommand } from "./call_notes.ts";

/** The differences of two policies, the old one first. */
export function policyDiff(
  compiled: readonly OperandPolicy[],
  { folders, time, hooks, onStep }: Pick<DiffReport, "folders"> & {
    /** The time now, in ms since 1970-01-01T00:00Z. */
    readonly time: number;
    readonly hooks: "compared" | "left out";
    /** Called after each call and group that is compared. */
    readonly onStep?: () => void;
  },
): DiffReport {
  const [old, now] = compiled as readonly [OperandPolicy, OperandPolicy];
  const [before, after] = [old, now].map(({ policy }) => withoutModes(policy)) as [
    CompiledPolicy,
    CompiledPolicy,
  ];
  const { groups, unknown } = withClasses(
    timedDifferences(before, after, time, onStep === undefined ? {} : { onStep }),
    {
      before,
      after,
      time,
    },
  );
  const changed = changedSide(old.policy, now.policy);
  return {
    old: old.name,
    new: now.name,
    settings: settingChanges(old.policy, now.policy)
      .filter(({ name }) => name !== "hooks" || hooks === "compared"),
    groups: groups.map((group) => ({
      ...group,
      ...changed(group),
      effect: effectOf(group.was.action, group.now.action),
      command: callCommand(group.witness, now.policy.profiles),
    })).toSorted((a, b) => Number(b.effect === "loosened") - Number(a.effect === "loosened")),
    unknown,
    folders,
  };
}

/** The differences with those that show in commands of a class, which are tried. */
function withClasses(
  { groups, unknown }: TimedDifferences,
  { before, after, time }: {
    readonly before: CompiledPolicy;
    readonly after: CompiledPolicy;
    readonly time: number;
  },
): TimedDifferences {
  const tried = classDifferences(before, after, time);
  const known = new Set(groups.filter(({ from }) => from === undefined).map(keyOf));
  return {
    groups: [...groups, ...tried.groups.filter((group) => !known.has(keyOf(group)))],
    // The analysis names the classes whose rules changed.
    unknown: unknown.some(({ text }) => text.startsWith("commands of the class @"))
      ? unknown
      : [...unknown, ...tried.unknown],
  };
}

/** Finds the side of a group whose rule the other policy lacks. */
function changedSide(old: CompiledPolicy, now: CompiledPolicy) {
  const key = ({ pattern, action, source }: Rule) => printedJson([pattern, action, source.kind]);
  const keysOf = ({ rules }: CompiledPolicy) => new Set(rules.map(key));
  const [olds, nows] = [keysOf(old), keysOf(now)];
  return (group: Pick<DiffGroup, "was" | "now">): Pick<DiffGroup, "changed"> => {
    if (group.now.rule !== null && !olds.has(key(group.now.rule))) return { changed: "now" };
    return group.was.rule !== null && !nows.has(key(group.was.rule)) ? { changed: "was" } : {};
  };
}

/** The policy without the settings that no verdict depends on; they are compared as settings. */
function withoutModes(policy: CompiledPolicy): CompiledPolicy {
  const { defaultMode: _, enforce: __, ...settings } = policy.sources.settings;
  const plain = policy.with({ ...policy.sources, settings });
  if (plain === undefined) throw new RangeError("Cannot compile a policy that was compiled before");
  return plain;
}
