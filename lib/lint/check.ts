import type { Finding, Severity } from "../model/finding.ts";
import type { Rule } from "../model/rule.ts";
import type { LintContext } from "./lint_context.ts";

/** What a person should know about a check; `--explain` and docs/lint.md show it. */
export interface CheckDocs {
  /** What it finds: one sentence without a final full stop. */
  readonly what: string;
  /** Why that matters: some sentences. */
  readonly why: string;
  /** A permissions.toml that it finds something in. */
  readonly avoid: string;
  /** The same done well: it finds nothing there. */
  readonly prefer: string;
}

/** What a check has found; its id and, where it names none, its severity are the check's. */
export interface Found extends Omit<Finding, "id" | "severity" | "related"> {
  /** How much it weighs, where that is not the check's own severity. */
  readonly severity?: Severity;
  /** Other rules that it names, in their order; none when left out. */
  readonly related?: readonly Rule[];
}

/** One thing that lint looks for. */
export interface Check {
  /** Its id, as `--select` and `# caliban-ignore:` take it. */
  readonly id: string;
  /** How much what it finds weighs, mostly. */
  readonly severity: Severity;
  /** For people. */
  readonly docs: CheckDocs;
  /** Whether it is looked for; always when left out. */
  isOn?(context: LintContext): boolean;
  /** Looks for it. Pure; in any order, for findings are put in the order of the text afterwards. */
  find(context: LintContext): readonly Found[];
}
