import type { Runtime } from "../../io/runtime/runtime.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import { countEffects, type DiffReport, effectOf } from "../../report/diff/diff_report.ts";
import { settingChanges } from "../../report/diff/diff_settings.ts";
import { pathText } from "../../report/place_text.ts";
import { callCommand } from "../output/call_notes.ts";
import { timedDifferences } from "../../analysis/timed_differences.ts";
import { colorFor } from "../output/choose_color.ts";
import { EXIT } from "../errors/errors.ts";
import { DIFF_FORMATS } from "../../report/formats.ts";
import { formatName, printReport } from "../output/print_report.ts";
import { policyOptions } from "../input/open_policy.ts";
import {
  compileSides,
  openScene,
  type OperandPolicy,
  type OperandScene,
  readSide,
  shareLocal,
  type Side,
} from "../input/policy_operand.ts";
import { flagValues, type Invocation } from "../args/verb.ts";
import { warn } from "../output/print.ts";

/** Compares two policies and prints how they differ. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const format = formatName(invocation);
  const [old = "", now = ""] = invocation.operands;
  const scene = await openScene(runtime, policyOptions(invocation));
  const read = { runtime, scene };
  const { sides, shared } = await shareLocal(
    [await readSide(old, read), await readSide(now, read)],
    read,
  );
  for (const note of notesOf(sides, { names: [old, now], shared, scene })) {
    await warn(runtime, { label: "note:", message: note });
  }
  const compiled = compileSides([[old, sides[0]], [now, sides[1]]], scene);
  const report = reportOf(compiled, { sides, scene, time: runtime.now() });
  const style = colorFor(invocation, runtime);
  await printReport(report, { formats: DIFF_FORMATS, format, style, runtime });
  return fails(report, flagValues(invocation, "fail-on")) ? 1 : EXIT.ok;
}

interface Noting {
  readonly names: readonly [string, string];
  readonly shared: string | undefined;
  readonly scene: OperandScene;
}

/** Notes on facts that a person could mistake for a difference, or for none. */
function notesOf(
  sides: readonly [Side, Side],
  { names, shared, scene }: Noting,
): readonly string[] {
  const empty = sides.flatMap((side, index) =>
    side.kind === "workspace" && side.project.state === "absent" && side.local.state === "absent"
      ? [names[index]!]
      : []
  );
  return [
    ...[...new Set(empty)].map((name) =>
      `"${name}" has no policy file in .caliban/ and counts as empty`
    ),
    ...(shared === undefined
      ? []
      : [`"${pathText(shared, scene.location)}" is not in git and counts on both sides`]),
  ];
}

function reportOf(
  compiled: readonly OperandPolicy[],
  { sides, scene, time }: {
    readonly sides: readonly [Side, Side];
    readonly scene: OperandScene;
    readonly time: number;
  },
): DiffReport {
  const [old, now] = compiled as readonly [OperandPolicy, OperandPolicy];
  const [before, after] = [old, now].map(({ policy }) => withoutModes(policy)) as [
    CompiledPolicy,
    CompiledPolicy,
  ];
  const { groups, unknown } = timedDifferences(before, after, time);
  return {
    old: old.name,
    new: now.name,
    settings: settingChanges(old.policy, now.policy)
      .filter(({ name }) => name !== "hooks" || !sides.some(isExport)),
    groups: groups.map((group) => ({
      ...group,
      effect: effectOf(group.was.action, group.now.action),
      command: callCommand(group.witness, now.policy.profiles),
    })).toSorted((a, b) => Number(b.effect === "loosened") - Number(a.effect === "loosened")),
    unknown,
    folders: scene.location,
  };
}

/** True if a side is a policy that was exported, which has no hooks. */
function isExport(side: Side): boolean {
  return side.kind === "file" && side.entry.text?.trimStart().startsWith("{") === true;
}

/** The policy without the settings that no verdict depends on; they are compared as settings. */
function withoutModes(policy: CompiledPolicy): CompiledPolicy {
  const { defaultMode: _, enforce: __, ...settings } = policy.sources.settings;
  const plain = policy.with({ ...policy.sources, settings });
  if (plain === undefined) throw new RangeError("Cannot compile a policy that was compiled before");
  return plain;
}

/** True if there is a difference of a kind that fails; a setting that may loosen counts as one that does. */
function fails(report: DiffReport, kinds: readonly string[]): boolean {
  const { loosened, tightened, unclear } = countEffects(report);
  // A comparison that was cut off may hide any difference.
  const open = report.unknown.filter(({ kind }) => kind === "open").length;
  const counts: Readonly<Record<string, number>> = {
    loosened: loosened + unclear + open,
    any: loosened + unclear + tightened + open,
    unknown: report.unknown.length,
  };
  const wanted = kinds.length === 0 ? ["any"] : kinds;
  return wanted.some((kind) => (counts[kind] ?? 0) > 0);
}
