import type { AgentName } from "../agents/registry.ts";
import type { Analysis } from "../analysis/analysis.ts";
import type { FileProblem, Finding, Severity } from "../model/problem.ts";
import type { PolicyFile, Rule, WrittenRule } from "../model/rule.ts";
import type { CompiledPolicy, CompiledRule } from "../policy/compile/compiled_policy.ts";
import type { SourceKind } from "../model/call.ts";

/** The documentation of a check; `--explain` and docs/lint.md show it. */
export interface CheckDocs {
  /** The policies that it finds: one sentence without a final full stop. */
  readonly what: string;
  /** The reason why that matters: some sentences. */
  readonly why: string;
  /** A permissions.toml that it finds something in. */
  readonly avoid: string;
  /** The same done well: it finds nothing there. */
  readonly prefer: string;
}

/** A finding of a check, which adds its id and the default severity. */
export interface Found extends Omit<Finding, "id" | "severity" | "related"> {
  /** The severity if it differs from the check's own. */
  readonly severity?: Severity;
  /** Other rules that it names, in order; none by default. */
  readonly related?: readonly Rule[];
}

/** A check of lint. */
export interface Check {
  /** Its id, as `--select` and `# caliban-ignore:` take it. */
  readonly id: string;
  /** The default severity of its findings. */
  readonly severity: Severity;
  /** The documentation. */
  readonly docs: CheckDocs;
  /** True if the check runs; it always runs by default. */
  isOn?(context: LintContext): boolean;
  /** Finds it. Pure; in any order, since findings are sorted afterwards. */
  find(context: LintContext): readonly Found[];
}

/** A permissions.toml for the docs: settings, then one rule a line, as `{ pattern = "…", action = "…" }`. */
export function example(
  rules: readonly string[],
  settings: readonly string[] = [],
): string {
  const lines = rules.map((rule) => `  { ${rule} },`);
  return ["[permissions]", ...settings, "rules = [", ...lines, "]"].join("\n");
}

/** A rule for an example. */
export function rule(pattern: string, action: "allow" | "deny" | "ask"): string {
  return `pattern = "${pattern}", action = "${action}"`;
}

/** A rule of a linted file. */
export interface LintedRule {
  readonly rule: CompiledRule;
  /** The rule as it is written. */
  readonly written: WrittenRule;
  /** Its place among the rules of its file, from 0. */
  readonly at: number;
  readonly file: LintedFile;
}

export interface LintedFile {
  readonly path: string;
  /** The source that it belongs to. */
  readonly kind: SourceKind;
  /** Its text, without a byte order mark. */
  readonly text: string;
  /** Its decoded contents. */
  readonly file: PolicyFile;
  /** Its problems, those of patterns included. */
  readonly problems: readonly FileProblem[];
}

/** The input of a check. */
export interface LintContext {
  /** The policy, without the files that do not load. */
  readonly policy: CompiledPolicy;
  /** The linted files, highest first. */
  readonly files: readonly LintedFile[];
  /** Their rules, highest first; those of files that do not load are left out. */
  readonly rules: readonly LintedRule[];
  /** The analysis of the policy. */
  readonly analysis: Analysis;
  /** The agents whose hooks are to enforce the policy; usually none. */
  readonly agents: readonly AgentName[];
  /** The time now, in ms since 1970-01-01T00:00Z. */
  readonly now: number;
}
