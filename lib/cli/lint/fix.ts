import type { PolicyFacts } from "../../io/load/find_facts.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { type Fixed, fixScene } from "../../lint/fix_scene.ts";
import { type LintResult, type LintScene, lintScene } from "../../lint/lint_scene.ts";
import type { Selection } from "../../lint/run_checks.ts";
import type { Finding } from "../../model/finding.ts";
import { pathText } from "../../report/place_text.ts";
import { unifiedDiff } from "../../report/unified_diff.ts";
import { InputError } from "../errors.ts";
import type { LintScenes } from "./scenes.ts";
import { warn } from "../warn.ts";
import { boundOf } from "../write_bound.ts";
import { writePolicyFile } from "../write_file.ts";

/** What came of `--fix`. */
export interface FixOutcome {
  /** What is left to say; with `--diff` what there is, since nothing was mended. */
  readonly results: readonly LintResult[];
  /** What was mended. */
  readonly fixed: readonly Finding[];
  /** Whether the change was only shown. */
  readonly shown: boolean;
}

/** Mends what is safe and writes it, or with `show` only shows the change. Throws WriteError. */
export async function runFixes(
  { scenes, facts }: LintScenes,
  { selection, mode, runtime }: {
    selection: Selection;
    mode: "show" | "write";
    runtime: Runtime;
  },
): Promise<FixOutcome> {
  const all = scenes.map((scene) => ({ before: scene, after: fixScene(scene, selection) }));
  for (const { after } of all) await sayRefused(after, runtime);
  const changes = all.flatMap(({ before, after }) =>
    changesOf({ before, after: after.scene }, facts)
  );
  if (mode === "show") {
    const diffs = changes.map(({ path, before, after }) =>
      unifiedDiff(pathText(path, facts), { before, after })
    );
    await runtime.write("stdout", diffs.join(""));
    if (diffs.length === 0) {
      await warn(runtime, {
        label: "note:",
        message: "Nothing that is found has a fix; without --fix the findings are shown",
      });
    }
    return { results: scenes.map((scene) => lintScene(scene, selection)), fixed: [], shown: true };
  }
  for (const change of changes) await writeChange(change);
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
  facts: PolicyFacts,
): readonly Change[] {
  return after.entries.flatMap(({ kind, path, text = "" }, index) => {
    const old = before.entries[index]?.text ?? "";
    const within = kind === "user" ? null : boundOf(path, facts);
    return old === text ? [] : [{ path, before: old, after: text, within }];
  });
}

/** Writes a file, unless somebody has changed it since it was read. */
async function writeChange({ path, before, after, within }: Change): Promise<void> {
  await writePolicyFile({ path, within, newFolders: 0 }, (text) => {
    if (text === before) return after;
    throw new InputError(`Cannot fix "${path}": it was changed meanwhile`, {
      hint: "Nothing was written to it; run the command again",
    });
  });
}

async function sayRefused({ refused }: Fixed, runtime: Runtime): Promise<void> {
  for (const { id, path, span } of refused) {
    const place = `${path}:${span.line}`;
    const message = `The fix for ${id} in ${place} is left out: some verdict could change with it`;
    await warn(runtime, { message });
  }
}
