import type { FindingWriter } from "./finding_report.ts";

/** A format that findings are written in. */
export interface FindingFormat {
  /** Its name, as `--format` takes it. */
  readonly name: string;
  /** Loads what writes it. */
  load(): Promise<FindingWriter>;
}

/** Every format of `lint --format`; the verb's table names them too, since it loads none of this. */
export const FINDING_FORMATS: readonly FindingFormat[] = [
  { name: "text", load: async () => (await import("./findings_text.ts")).findingsText },
  { name: "json", load: async () => (await import("./findings_json.ts")).findingsJson },
  { name: "sarif", load: async () => (await import("./findings_sarif.ts")).findingsSarif },
  { name: "github", load: async () => (await import("./findings_github.ts")).findingsGithub },
  { name: "junit", load: async () => (await import("./findings_junit.ts")).findingsJunit },
];
