import type { Severity } from "../model/finding.ts";
import type { CheckDocs } from "./check.ts";
import { example, rule } from "./example.ts";
import { CHECKS } from "./registry.ts";
import { FINDING_IDS, IGNORE_ID } from "./run_checks.ts";

/** A finding's documentation. */
export interface FindingDocs {
  /** Its id. */
  readonly id: string;
  /** How much it weighs, mostly. */
  readonly severity: Severity;
  /** For people. */
  readonly docs: CheckDocs;
}

function commented(comment: string): string {
  return example([rule("Bash:git*", "allow")]).replace("  {", `  ${comment}\n  {`);
}

/** What is told of comments that ignore findings. */
const ABOUT_IGNORING: FindingDocs = {
  id: IGNORE_ID,
  severity: "warning",
  docs: {
    what:
      "A # caliban-ignore comment without an id or a why, with an id that there is not, or above nothing to ignore",
    why:
      "Such a comment does nothing, or hides what comes later. A finding that is ignored needs a reason that the next " +
      "reader can judge.",
    avoid: commented("# caliban-ignore: leaky-prefix"),
    prefer: commented("# caliban-ignore: leaky-prefix git-lfs and git-absorb are meant too"),
  },
};

/** The documentation of every finding, in the order of FINDING_IDS. */
export const FINDING_DOCS: readonly FindingDocs[] = [...CHECKS, ABOUT_IGNORING];

/** The documentation of one finding. Throws RangeError for an id that is not among FINDING_IDS. */
export function docsOf(id: string): FindingDocs {
  const found = FINDING_DOCS.find((each) => each.id === id);
  if (found === undefined) {
    throw new RangeError(`There is no finding "${id}": ${FINDING_IDS.join()}`);
  }
  return found;
}
