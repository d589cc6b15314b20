import type { AgentName } from "../agents/agent_name.ts";
import type { Analysis } from "../analysis/analysis.ts";
import type { FileProblem } from "../model/problem.ts";
import type { PolicyFile, WrittenRule } from "../model/settings.ts";
import type { SourceKind } from "../model/source.ts";
import type { Policy } from "../policy/compile/policy.ts";
import type { CompiledRule } from "../policy/compile/rule_table.ts";

/** A rule of a file that is looked at. */
export interface LintedRule {
  /** The rule as it counts. */
  readonly rule: CompiledRule;
  /** The rule as it is written. */
  readonly written: WrittenRule;
  /** Its place among the rules of its file, from 0. */
  readonly at: number;
  /** Its file. */
  readonly file: LintedFile;
}

/** A file that is looked at. */
export interface LintedFile {
  /** Its path. */
  readonly path: string;
  /** Which source it is. */
  readonly kind: SourceKind;
  /** Its text, without a byte order mark. */
  readonly text: string;
  /** What it says. */
  readonly file: PolicyFile;
  /** What is wrong in it, its patterns included. */
  readonly problems: readonly FileProblem[];
}

/** What a check is given. */
export interface LintContext {
  /** The policy, without the files that do not load. */
  readonly policy: Policy;
  /** The files that are looked at, highest first. */
  readonly files: readonly LintedFile[];
  /** Their rules that count, highest first. */
  readonly rules: readonly LintedRule[];
  /** Exact answers about the policy. */
  readonly analysis: Analysis;
  /** The agents whose hooks are to enforce the policy; mostly none. */
  readonly agents: readonly AgentName[];
  /** The time now, in ms since 1970-01-01T00:00Z. */
  readonly now: number;
}
