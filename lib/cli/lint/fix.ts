import type { PolicyLocation } from "../../io/load/policy_location.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { type Fixed, fixScene } from "../../lint/fix_scene.ts";
import { type LintResult, type LintScene, lintScene } from "../../lint/lint_scene.ts";
import type { Selection } from "../../lint/run_checks.ts";
import type { Finding } from "../../model/problem.ts";
import { pathText } from "../../report/place_text.ts";
import { InputError } from "../errors/errors.ts";
import type { LintScenes } from "./scenes.ts";
import { warn } from "../output/print.ts";
import type { Progress } from "../output/progress.ts";
import { boundOf, type PolicyWriting, writePolicyFile } from "../write/write_file.ts";

/** The result of `--fix`. */
export interface FixOutcome {
  /** The remaining findings; with `--diff` all of them, since nothing was fixed. */
  readonly results: readonly LintResult[];
  readonly fixed: readonly Finding[];
  /** True if the change was only shown. */
  readonly shown: boolean;
}

/** Applies the safe fixes and writes them, or with `show` prints the change. Throws WriteError. */
export async function runFixes(
  { scenes, location }: LintScenes,
  { selection, mode, runtime, progress }: {
    selection: Selection;
    mode: "show" | "write";
    runtime: Runtime;
    progress: Progress;
  },
): Promise<FixOutcome> {
  const all = scenes.map((scene) => ({ before: scene, after: fixScene(scene, selection) }));
  await progress.clear();
  for (const { after } of all) await warnOfSkipped(after, runtime);
  const changes = all.flatMap(({ before, after }) =>
    changesOf({ before, after: after.scene }, location)
  );
  if (mode === "show") {
    const { unifiedDiff } = await import("../../report/unified_diff.ts");
    const diffs = changes.map(({ path, before, after }) =>
      unifiedDiff(pathText(path, location), { before, after })
    );
    await runtime.write("stdout", diffs.join(""));
    if (diffs.length === 0) {
      await warn(runtime, {
        label: "note:",
        message: "No finding has a fix; without --fix the findings are shown",
      });
    }
    return { results: scenes.map((scene) => lintScene(scene, selection)), fixed: [], shown: true };
  }
  for (const change of changes) await writeChange(change, { location, runtime });
  return {
    results: all.map(({ after }) => after.result),
    fixed: all.flatMap(({ after }) => after.fixed),
    shown: false,
  };
}

interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly within: string | null;
}

function changesOf(
  { before, after }: { readonly before: LintScene; readonly after: LintScene },
  location: PolicyLocation,
): readonly Change[] {
  return after.entries.flatMap(({ kind, path, text = "" }, index) => {
    const old = before.entries[index]?.text ?? "";
    const within = kind === "user" ? null : boundOf(path, location);
    return old === text ? [] : [{ path, before: old, after: text, within }];
  });
}

/** Writes a file, unless somebody has changed it since it was read. */
async function writeChange(
  { path, before, after, within }: Change,
  writing: PolicyWriting,
): Promise<void> {
  await writePolicyFile({ path, within, newFolders: 0 }, (text) => {
    if (text === before) return after;
    throw new InputError(`Cannot fix "${path}": it has changed since it was read`, {
      hint: "The file was not written; run the command again",
    });
  }, writing);
}

async function warnOfSkipped({ refused }: Fixed, runtime: Runtime): Promise<void> {
  for (const { id, path, span } of refused) {
    const place = `${path}:${span.line}`;
    const message = `The fix for ${id} in ${place} is skipped: it could change a verdict`;
    await warn(runtime, { message });
  }
}
