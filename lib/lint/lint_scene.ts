import type { AgentName } from "../agents/registry.ts";
import { createAnalysis } from "../analysis/create_analysis.ts";
import type { FileProblem, Finding } from "../model/problem.ts";
import type { MergedSources, SourceEntry } from "../model/rule.ts";
import { appliesTo, type CompileOptions, compilePolicy } from "../policy/compile/compile_policy.ts";
import { decodePolicy } from "../policy/decode/decode_policy.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { PolicyError } from "../policy/decode/policy_error.ts";
import { mergeSources } from "../policy/sources/merge.ts";
import { DEFAULT_TOOLS } from "../policy/compile/profiles.ts";
import type { LintContext, LintedFile, LintedRule } from "./check.ts";
import { runChecks, type Selection } from "./run_checks.ts";

/** The input of lint: the sources of a policy, and the files to lint. */
export interface LintScene {
  /** Every source, highest first; workspace files count as trusted. */
  readonly entries: readonly SourceEntry[];
  /** Paths of the files to lint; the others are context. */
  readonly paths: readonly string[];
  /** The machine and folders that the policy is compiled for. */
  readonly surroundings: CompileOptions;
  /** The time now, in ms since 1970-01-01T00:00Z. */
  readonly now: number;
  /** The agents whose hooks are to enforce the policy; none by default. */
  readonly agents?: readonly AgentName[];
  /** Called after each step of the analysis: some three for each rule. */
  readonly onStep?: () => void;
}

export interface LintResult {
  /** Every finding, by file and in the order of the text. */
  readonly findings: readonly Finding[];
  /** The files, highest first. */
  readonly files: readonly LintedFile[];
  /** The policy of all files that load. */
  readonly policy: CompiledPolicy;
}

/**
 * Lints the files of a scene. A file that does not load is a finding, and the others are linted without it. Throws
 * PolicyError if a file that is only context does not load. Pure.
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
    analysis: createAnalysis(policy, {
      now: scene.now,
      ...(scene.onStep === undefined ? {} : { onStep: scene.onStep }),
    }),
    now: scene.now,
    agents: scene.agents ?? [],
  };
  return { findings: runChecks(context, selection), files, policy };
}

/** The policy of the scene, as `lintScene` compiles it. Throws PolicyError likewise. */
export function scenePolicy(scene: LintScene): CompiledPolicy {
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
  return mergeSources(entries, { defaultTools: [...DEFAULT_TOOLS], appliesTo });
}

/** The policy without the files that have an error, and all problems. */
function compiledWithout(
  { entries, paths, surroundings }: LintScene,
): { readonly policy: CompiledPolicy; readonly problems: readonly FileProblem[] } {
  const { policy, problems } = compilePolicy(merged(entries), surroundings);
  if (policy !== undefined) return { policy, problems };
  const errors = problems.filter(({ severity }) => severity === "error");
  const foreign = errors.filter(({ path }) => !paths.includes(path));
  if (foreign.length > 0) throw new PolicyError(foreign);
  const broken = new Set(errors.map(({ path }) => path));
  const rest = merged(entries.filter(({ path }) => !broken.has(path)));
  const again = compilePolicy(rest, surroundings);
  // A file may depend on a [tools] table of one that is left out.
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

/** The rules of the files in the policy's order; a file's rule is found by its place. */
function rulesOf(policy: CompiledPolicy, files: readonly LintedFile[]): readonly LintedRule[] {
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
