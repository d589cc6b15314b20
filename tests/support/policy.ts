import assert from "node:assert/strict";
import "../../lib/shell/parse/loaded_parser.ts";
import type { Action, ShellMode, SourceKind, ToolOverride } from "../../lib/model/call.ts";
import type { FileProblem } from "../../lib/model/problem.ts";
import type { MergedSources, PlacedRule } from "../../lib/model/rule.ts";
import type { PathContext } from "../../lib/pattern/path/call_path.ts";
import { type Compiled, compilePolicy } from "../../lib/policy/compile/compile_policy.ts";
import type { CompiledPolicy } from "../../lib/policy/compile/compiled_policy.ts";

/** A rule as a test writes it. */
export interface TestRule {
  /** Its pattern. */
  readonly pattern: string;
  /** Its action. */
  readonly action: Action;
  /** Its source; `project` when left out. */
  readonly kind?: SourceKind;
  /** When it ends, in ms since 1970-01-01T00:00Z. */
  readonly expiresAt?: number;
  /** For the model. */
  readonly reason?: string;
}

/** The settings of a test's policy. */
export interface PolicyOptions {
  /** The reading of commands; `parsed` when left out. */
  readonly shell?: ShellMode;
  /** True if expired rules no longer count. */
  readonly enforceExpiry?: boolean;
  /** `[shell] wrappers`; none when left out. */
  readonly wrappers?: readonly string[];
  /** `[shell] variables`. */
  readonly variables?: readonly string[];
  /** The settings by which paths are compared, if they differ from `CONTEXT`. */
  readonly context?: Partial<PathContext>;
  /** The folder of calls that name none; the workspace when left out. */
  readonly cwd?: string;
  /** `[tools.NAME]` tables. */
  readonly tools?: Readonly<Record<string, ToolOverride>>;
}

/** The repositories of a machine on which a workspace is one repository, and the folders in it that `foreign` names are others. */
export function oneRepository(
  workspace: string,
  foreign: readonly string[] = [],
): NonNullable<PathContext["gitRepository"]> {
  const isBelow = (path: string, folder: string) =>
    path === folder || path.startsWith(`${folder}/`);
  return (folder) =>
    foreign.some((each) => isBelow(folder, `${workspace}/${each}`)) || !isBelow(folder, workspace)
      ? "foreign"
      : folder === workspace
      ? "here"
      : "above";
}

/** A workspace, which is one repository, and a home folder on Linux, without a file system. */
export const CONTEXT: PathContext = {
  platform: "linux",
  workspace: ["/home/u/ws"],
  home: ["/home/u"],
  ignoreCase: false,
  gitRepository: () => "here",
};

/** The compiled rules, and every problem of their patterns. */
export function compiledOf(rules: readonly TestRule[], options: PolicyOptions = {}): Compiled {
  const context = { ...CONTEXT, ...options.context };
  return compilePolicy(mergedOf(rules, options), {
    context,
    cwd: options.cwd ?? context.workspace[0]!,
  });
}

/** The policy of these rules, in this order; fails the test when a pattern has an error. */
export function policyOf(rules: readonly TestRule[], options: PolicyOptions = {}): CompiledPolicy {
  const { policy, problems } = compiledOf(rules, options);
  assert.ok(policy, problems.map((problem: FileProblem) => problem.message).join("\n"));
  return policy;
}

function mergedOf(rules: readonly TestRule[], options: PolicyOptions): MergedSources {
  return {
    entries: [],
    rules: placed(rules),
    settings: {
      wrappers: options.wrappers ?? [],
      variables: options.variables ?? [],
      classes: [],
      repositories: [],
      shell: options.shell ?? "parsed",
      enforceExpiry: options.enforceExpiry ?? false,
      managedOnly: false,
    },
    tools: new Map(Object.entries(options.tools ?? {})),
    notices: [],
    problems: [],
  };
}

/** The rules in a file that holds nothing but their patterns in quotes, one a line. */
function placed(rules: readonly TestRule[]): readonly PlacedRule[] {
  const text = rules.map(({ pattern }) => `"${pattern}"`).join("\n");
  let start = 0;
  return rules.map((rule, index): PlacedRule => {
    const end = start + rule.pattern.length + 2;
    const span = { start, end, line: index + 1, column: 1 };
    start = end + 1;
    const kind = rule.kind ?? "project";
    return {
      pattern: { value: rule.pattern, span },
      action: rule.action,
      ...(rule.expiresAt === undefined ? {} : { expiresAt: rule.expiresAt }),
      ...(rule.reason === undefined ? {} : { reason: rule.reason }),
      span,
      source: { kind, path: `${kind}.toml`, line: index + 1, column: 1 },
      text,
    };
  });
}
