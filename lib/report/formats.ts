import type { TextStyle } from "./color.ts";
import type { DiffReport } from "./diff/diff_report.ts";
import type { ExplainStyle } from "./explain/explain_style.ts";
import type { Explanation } from "./explain/explanation.ts";
import type { FindingReport, FindingStyle } from "./lint/finding_report.ts";
import type { ReplaySummary } from "./suite/replay_summary.ts";
import type { SuggestionsReport } from "./suggest/suggestions_report.ts";
import type { SuiteReport } from "../suite/suite_report.ts";

/** A format that a verb's report is printed in. */
export interface ReportFormat<Report, Style = TextStyle> {
  /** Its name, as `--format` takes it. */
  readonly name: string;
  /** Loads the function that renders a report as text that ends in a newline. */
  load(): Promise<(report: Report, style: Style) => string>;
}

// Every command line loads this file for the tables of its verbs, so each renderer is imported on demand. The first format
// of a verb is its default.

/** The formats of `lint`. */
export const LINT_FORMATS: readonly ReportFormat<FindingReport, FindingStyle>[] = [
  { name: "text", load: async () => (await import("./lint/findings_text.ts")).findingsText },
  { name: "json", load: async () => (await import("./lint/findings_json.ts")).findingsJson },
  { name: "sarif", load: async () => (await import("./lint/findings_sarif.ts")).findingsSarif },
  { name: "github", load: async () => (await import("./lint/findings_github.ts")).findingsGithub },
  { name: "junit", load: async () => (await import("./lint/findings_junit.ts")).findingsJunit },
  {
    name: "concise",
    load: async () => (await import("./lint/findings_concise.ts")).findingsConcise,
  },
];

/** The formats of `test`. */
export const TEST_FORMATS: readonly ReportFormat<SuiteReport>[] = [
  { name: "text", load: async () => (await import("./suite/suite_text.ts")).suiteText },
  { name: "json", load: async () => (await import("./suite/suite_json.ts")).suiteJson },
  { name: "junit", load: async () => (await import("./suite/suite_junit.ts")).suiteJunit },
  { name: "github", load: async () => (await import("./suite/suite_github.ts")).suiteGithub },
];

/** The formats of `diff`. */
export const DIFF_FORMATS: readonly ReportFormat<DiffReport>[] = [
  { name: "text", load: async () => (await import("./diff/diff_text.ts")).diffText },
  { name: "json", load: async () => (await import("./diff/diff_json.ts")).diffJson },
  { name: "markdown", load: async () => (await import("./diff/diff_markdown.ts")).diffMarkdown },
  { name: "github", load: async () => (await import("./diff/diff_github.ts")).diffGithub },
];

/** The formats of `explain`. */
export const EXPLAIN_FORMATS: readonly ReportFormat<Explanation, ExplainStyle>[] = [
  { name: "text", load: async () => (await import("./explain/explain_text.ts")).explainText },
  { name: "json", load: async () => (await import("./explain/explain_json.ts")).explainJson },
  {
    name: "mermaid",
    load: async () => (await import("./explain/explain_mermaid.ts")).explainMermaid,
  },
];

/** The formats of `replay`, which has `--json` and no `--format`. */
export const REPLAY_FORMATS: readonly ReportFormat<ReplaySummary>[] = [
  { name: "text", load: async () => (await import("./suite/replay_text.ts")).replayText },
  { name: "json", load: async () => (await import("./suite/replay_json.ts")).replayJson },
];

/** The formats of `suggest`, which has `--json` and no `--format`. */
export const SUGGEST_FORMATS: readonly ReportFormat<SuggestionsReport>[] = [
  {
    name: "text",
    load: async () => (await import("./suggest/suggestions_text.ts")).suggestionsText,
  },
  {
    name: "json",
    load: async () => (await import("./suggest/suggestions_json.ts")).suggestionsJson,
  },
];
