import { createAnalysis } from "../analysis/create_analysis.ts";
import { differences } from "../analysis/differences.ts";
import { evaluate } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import type { Finding, Fix, TextEdit } from "../model/problem.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { removeRules } from "../policy/edit/edit_rules.ts";
import { sampleCalls } from "../suggest/sample_calls.ts";
import { applySplices } from "../text/splice.ts";
import { duplicate } from "./checks/order/duplicate.ts";
import type { LintedFile } from "./check.ts";
import { type LintResult, type LintScene, lintScene, scenePolicy, withText } from "./lint_scene.ts";
import { isRemovable } from "./removal.ts";
import type { Selection } from "./run_checks.ts";

/** The result of `fixScene`. */
export interface Fixed {
  /** The scene with the new texts. */
  readonly scene: LintScene;
  /** The remaining findings. */
  readonly result: LintResult;
  /** The fixed findings, in the order in which they were fixed. */
  readonly fixed: readonly Finding[];
  /** The findings whose fix would have changed a verdict. */
  readonly refused: readonly Finding[];
}

/** The most rounds; one removal can make another possible. */
const ROUNDS = 100;

/**
 * Applies the fixes that change no verdict, round by round until none is left. A fix that changes verdicts is applied only if
 * `select` names its finding. Each round is checked against the policy before it, and each file alone against its old text.
 * Pure; throws as `lintScene` does.
 */
export function fixScene(scene: LintScene, selection: Selection = {}): Fixed {
  const fixed: Finding[] = [];
  const refused = new Map<string, Finding>();
  let now = scene;
  let result = lintScene(now, selection);
  for (let round = 0; round < ROUNDS; round++) {
    const wanted = result.findings.filter((finding) =>
      isWanted(finding, selection) && !refused.has(keyOf(finding))
    );
    const batch = compatible(wanted);
    if (batch.length === 0) break;
    const { scene: next, done, failed } = applied(now, { batch, files: result.files });
    for (const finding of failed) refused.set(keyOf(finding), finding);
    if (done.length === 0) continue;
    fixed.push(...done);
    now = next;
    result = lintScene(now, selection);
  }
  return { scene: now, result, fixed, refused: [...refused.values()] };
}

function isWanted({ id, fix }: Finding, { select }: Selection): boolean {
  return fix !== undefined && (fix.verdicts === "same" || (select ?? []).includes(id));
}

/** A key that does not change if lines move. */
function keyOf({ id, path, rule, message }: Finding): string {
  return `${id}\n${path}\n${rule?.pattern}\n${message.replace(/\d+/g, "")}`;
}

/** Fixes that can be applied at once: none removes a rule that another depends on, and none overlap. */
function compatible(findings: readonly Finding[]): readonly Finding[] {
  const gone = new Set<Finding["rule"]>();
  const kept = new Set<Finding["rule"]>();
  const batch: Finding[] = [];
  for (const finding of findings) {
    const { rule, related, fix } = finding;
    if (gone.has(rule) || kept.has(rule) || related.some((each) => gone.has(each))) continue;
    if (batch.some((other) => overlaps(finding, other))) continue;
    if (fix?.removesRule) gone.add(rule);
    else kept.add(rule);
    for (const each of related) kept.add(each);
    batch.push(finding);
  }
  return batch;
}

function overlaps(one: Finding, other: Finding): boolean {
  if (one.path !== other.path || one.fix?.removesRule || other.fix?.removesRule) return false;
  return (one.fix?.edits ?? []).some((a) =>
    (other.fix?.edits ?? []).some((b) => a.span.start <= b.span.end && b.span.start <= a.span.end)
  );
}

interface Batch {
  readonly batch: readonly Finding[];
  readonly files: readonly LintedFile[];
}

interface Applied {
  readonly scene: LintScene;
  readonly done: readonly Finding[];
  readonly failed: readonly Finding[];
}

/** Applies the batch if it is safe, otherwise its first safe fix. */
function applied(scene: LintScene, { batch, files }: Batch): Applied {
  const next = edited(scene, { batch, files });
  if (isSafe({ before: scene, after: next }, batch)) {
    return { scene: next, done: batch, failed: [] };
  }
  const [only] = batch;
  if (only === undefined || batch.length === 1) return { scene, done: [], failed: batch };
  const failed: Finding[] = [];
  for (const finding of batch) {
    const alone = edited(scene, { batch: [finding], files });
    if (isSafe({ before: scene, after: alone }, [finding])) {
      // The others follow in the next round, with new places.
      return { scene: alone, done: [finding], failed };
    }
    failed.push(finding);
  }
  return { scene, done: [], failed };
}

function edited(scene: LintScene, { batch, files }: Batch): LintScene {
  return files.reduce((next, file) => {
    const own = batch.filter(({ path }) => path === file.path);
    return own.length === 0 ? next : withText(next, { path: file.path, text: textOf(file, own) });
  }, scene);
}

/** A file's text with its fixes applied; edits of patterns come first, since they move no rule. */
function textOf({ text, file }: LintedFile, findings: readonly Finding[]): string {
  const fixes = findings.flatMap(({ fix }) => fix === undefined ? [] : [fix]);
  const changed = applySplices(
    text,
    fixes.filter(isEdit).flatMap(({ edits }) => edits).map(splice),
  );
  const indexes = findings.flatMap(({ rule, fix }) => {
    if (rule === null || !fix?.removesRule) return [];
    const { line, column } = rule.source;
    const at = file.rules.findIndex(({ span }) => span.line === line && span.column === column);
    return at < 0 ? [] : [at];
  });
  if (indexes.length === 0) return changed;
  const removed = removeRules(changed, indexes);
  return removed.ok ? removed.text : changed;
}

function isEdit({ removesRule }: Fix): boolean {
  return removesRule !== true;
}

function splice({ span: { start, end }, text }: TextEdit) {
  return { start, end, text };
}

/**
 * True if the new texts load and, if the fixes promise it, no verdict changes: neither in the whole policy, nor in a file
 * alone, since other machines have other files.
 */
function isSafe(
  { before, after }: { readonly before: LintScene; readonly after: LintScene },
  batch: readonly Finding[],
): boolean {
  const gone = batch.filter(({ fix }) => fix?.removesRule).length;
  if (scenePolicy(after).rules.length !== scenePolicy(before).rules.length - gone) return false;
  const same = batch.filter(({ fix }) => fix?.verdicts === "same");
  if (same.length < batch.length) return same.length === 0;
  const witnesses = batch.flatMap(({ witness }) => witness === undefined ? [] : [witness]);
  if (!decideSame({ before, after, witnesses })) return false;
  return [...new Set(batch.map(({ path }) => path))].every((path) => {
    const own = alone(before, path);
    return decideSame({ before: own, after: alone(after, path), witnesses }) &&
      batch.every((finding) => finding.path !== path || isRemovableAlone(own, finding));
  });
}

interface Comparing {
  readonly before: LintScene;
  readonly after: LintScene;
  readonly witnesses: readonly ToolCall[];
}

function decideSame({ before, after, witnesses }: Comparing): boolean {
  const { now } = before;
  return sameVerdicts(scenePolicy(before), scenePolicy(after), { now, witnesses });
}

/** True if a redundant rule is also redundant in its file alone. */
function isRemovableAlone(scene: LintScene, { id, rule }: Finding): boolean {
  if (id === duplicate.id || rule === null) return true;
  const policy = scenePolicy(scene);
  const { line, column } = rule.source;
  const own = policy.rules.find(({ source }) =>
    source.path === rule.source.path && source.line === line && source.column === column
  );
  return own !== undefined &&
    isRemovable(own, { policy, analysis: createAnalysis(policy, { now: scene.now }) });
}

/** The scene of one file and the built-in rules. */
function alone(scene: LintScene, path: string): LintScene {
  const entries = scene.entries.filter((entry) => entry.path === path || entry.kind === "builtin");
  return { ...scene, entries };
}

/**
 * True if two policies decide the same: the analysis finds no call that they decide differently, and no call made of their
 * rules' texts has another verdict or reason.
 */
function sameVerdicts(
  before: CompiledPolicy,
  after: CompiledPolicy,
  { now, witnesses }: { readonly now: number; readonly witnesses: readonly ToolCall[] },
): boolean {
  const calls = [before, after].flatMap(({ rules, profiles }) =>
    rules.flatMap(({ pattern }) => sampleCalls(pattern, profiles))
  );
  const agree = [...calls, ...witnesses].every((call) => {
    const was = evaluate(before, call, { now });
    const is = evaluate(after, call, { now });
    return was.action === is.action && was.by === is.by && was.rule?.reason === is.rule?.reason;
  });
  return agree && differences(before, after, { now }).groups.length === 0;
}
