import type { AgentName } from "../agents/agent_name.ts";
import { createAnalysis } from "../analysis/create_analysis.ts";
import type { Finding } from "../model/finding.ts";
import type { FileProblem } from "../model/problem.ts";
import type { MergedSources, SourceEntry } from "../model/source_entry.ts";
import { type CompileOptions, compilePolicy } from "../policy/compile/compile_policy.ts";
import { decodePolicy } from "../policy/decode/decode_policy.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { PolicyError } from "../policy/decode/policy_error.ts";
import { speaksOf } from "../policy/compile/speaks_of.ts";
import { mergeSources } from "../policy/sources/merge.ts";
import { DEFAULT_TOOLS } from "../policy/compile/profiles.ts";
import type { LintContext, LintedFile, LintedRule } from "./lint_context.ts";
import { runChecks, type Selection } from "./run_checks.ts";

/** What lint looks at: the sources of a policy, and which of their files. */
export interface LintScene {
  /** Every source, highest first; workspace files count as trusted. */
  readonly entries: readonly SourceEntry[];
  /** Paths of the files that are looked at; the others are context. */
  readonly paths: readonly string[];
  /** What the policy is compiled for. */
  readonly surroundings: CompileOptions;
  /** The time now, in ms since 1970-01-01T00:00Z. */
  readonly now: number;
  /** The agents whose hooks are to enforce the policy; none when left out. */
  readonly agents?: readonly AgentName[];
}

/** What lint says about a scene. */
export interface LintResult {
  /** Every finding, by file and in the order of the text. */
  readonly findings: readonly Finding[];
  /** The files, highest first. */
  readonly files: readonly LintedFile[];
  /** The policy of all files that load. */
  readonly policy: Policy;
}

/**
 * Looks at the files of a scene. One that does not load is told of, and the others are looked at without it. Throws
 * PolicyError when a file that is context only does not load. Pure.
 */
export function lintScene(scene: LintScene, selection: Selection = {}): LintResult {
  const { policy, problems } = compiledWithout(scene);
  const files = scene.entries.flatMap((entry) =>
    scene.paths.includes(entry.path) ? linted(entry, problems) : []
  );
  const context: LintContext = {
    policy,
    files,
    rules: rulesOf(policy, files),
    analysis: createAnalysis(policy, { now: scene.now }),
    now: scene.now,
    agents: scene.agents ?? [],
  };
  return { findings: runChecks(context, selection), files, policy };
}

/** The policy of the scene, for comparing it with another; as `lintScene` makes it. Throws PolicyError likewise. */
export function scenePolicy(scene: LintScene): Policy {
  return compiledWithout(scene).policy;
}

/** The scene with another text in one of its files. */
export function withText(
  scene: LintScene,
  { path, text }: { readonly path: string; readonly text: string },
): LintScene {
  const entries = scene.entries.map((entry) =>
    entry.path === path ? { ...entry, text, file: decodePolicy(text) } : entry
  );
  return { ...scene, entries };
}

function merged(entries: readonly SourceEntry[]): MergedSources {
  return mergeSources(entries, { defaultTools: [...DEFAULT_TOOLS], speaksOf });
}

/** The policy without the files that have an error, and all problems. */
function compiledWithout(
  { entries, paths, surroundings }: LintScene,
): { readonly policy: Policy; readonly problems: readonly FileProblem[] } {
  const { policy, problems } = compilePolicy(merged(entries), surroundings);
  if (policy !== undefined) return { policy, problems };
  const errors = problems.filter(({ severity }) => severity === "error");
  const foreign = errors.filter(({ path }) => !paths.includes(path));
  if (foreign.length > 0) throw new PolicyError(foreign);
  const broken = new Set(errors.map(({ path }) => path));
  const rest = merged(entries.filter(({ path }) => !broken.has(path)));
  const again = compilePolicy(rest, surroundings);
  // A file may lean on a [tools] table of one that is left out.
  if (again.policy === undefined) throw new PolicyError(again.problems);
  return { policy: again.policy, problems: [...problems, ...unseen(again.problems, problems)] };
}

/** Problems that are not among others. */
function unseen(
  problems: readonly FileProblem[],
  others: readonly FileProblem[],
): readonly FileProblem[] {
  const key = ({ path, span, message }: FileProblem) => `${path}:${span.start}:${message}`;
  const known = new Set(others.map(key));
  return problems.filter((problem) => !known.has(key(problem)));
}

function linted(entry: SourceEntry, problems: readonly FileProblem[]): readonly LintedFile[] {
  const { path, kind, text, file } = entry;
  if (text === undefined || file === undefined) return [];
  return [{ path, kind, text, file, problems: problems.filter((each) => each.path === path) }];
}

/** The rules of the files that count, in their order: a file's rule is found again by its place. */
function rulesOf(policy: Policy, files: readonly LintedFile[]): readonly LintedRule[] {
  const places = new Map(
    files.flatMap((file) =>
      file.file.rules.map((written, at) =>
        [placeKey({ path: file.path, ...written.span }), { written, at, file }] as const
      )
    ),
  );
  return policy.rules.flatMap((rule) => {
    const found = places.get(placeKey(rule.source));
    return found === undefined ? [] : [{ rule, ...found }];
  });
}

function placeKey({ path, line, column }: { path: string; line: number; column: number }): string {
  return `${line}:${column}:${path}`;
}
