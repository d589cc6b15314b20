import type { Runtime } from "../../io/runtime/runtime.ts";
import { findRepository } from "../../io/git/repository.ts";
import type { DiffKind, DiffReport } from "../../report/diff/diff_report.ts";
import { pathText } from "../../report/place_text.ts";
import { styleFor } from "../output/choose_color.ts";
import { EXIT } from "../errors/errors.ts";
import { DIFF_FORMATS } from "../../report/formats.ts";
import { policyDiff } from "../output/policy_diff.ts";
import { formatName, printReport } from "../output/print_report.ts";
import { policyOptions } from "../input/open_policy.ts";
import {
  compileSides,
  openScene,
  type OperandScene,
  readSide,
  shareLocal,
  type Side,
} from "../input/policy_operand.ts";
import { flagValues, type Invocation } from "../args/verb.ts";
import { warn } from "../output/print.ts";
import { startProgress } from "../output/progress.ts";

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
  const isOff = format !== "text" && format !== "json";
  const progress = startProgress(runtime, { noun: "comparisons", stride: 8, isOff });
  let steps = 0;
  const report = policyDiff(compiled, {
    folders: scene.location,
    time: runtime.now(),
    hooks: sides.some(isExport) ? "left out" : "compared",
    onStep: () => progress.tick(++steps),
  });
  await progress.clear();
  const { workspace } = scene.location;
  const failing = failingOf(flagValues(invocation, "fail-on"));
  const target = {
    root: findRepository(runtime, workspace) ?? workspace,
    file: fileOf(sides[1]),
    fails: (kind: DiffKind) => failing.has(kind),
  };
  const style = styleFor(invocation, runtime);
  await printReport({ ...report, target }, { formats: DIFF_FORMATS, format, style, runtime });
  return kindsOf(report).some((kind) => failing.has(kind)) ? 1 : EXIT.ok;
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

/** True if a side is a policy that was exported, which has no hooks. */
function isExport(side: Side): boolean {
  return side.kind === "file" && side.entry.text?.trimStart().startsWith("{") === true;
}

/** The file of a side that a person edits. */
function fileOf(side: Side): string {
  return (side.kind === "file" ? side.entry : side.project).path;
}

/** The kinds of changes and gaps that each value of `--fail-on` names; a comparison that was cut off may hide any difference. */
const FAILING: Readonly<Record<string, readonly DiffKind[]>> = {
  loosened: ["loosened", "unclear", "open"],
  any: ["loosened", "unclear", "tightened", "open"],
  unknown: ["open", "tried"],
};

/** The kinds that fail; any difference where no flag names one. */
function failingOf(flags: readonly string[]): ReadonlySet<DiffKind> {
  const wanted = flags.length === 0 ? ["any"] : flags;
  return new Set(wanted.flatMap((flag) => FAILING[flag] ?? []));
}

/** The kinds of all changes and gaps in a report. */
function kindsOf({ groups, settings, unknown }: DiffReport): readonly DiffKind[] {
  return [
    ...[...groups, ...settings].map(({ effect }) => effect),
    ...unknown.map(({ kind }) => kind),
  ];
}
