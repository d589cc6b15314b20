import type { Severity } from "../model/problem.ts";
import { type Check, type CheckDocs, example, rule } from "./check.ts";
import { agentGap } from "./checks/denies/agent_gap.ts";
import { allowsExec } from "./checks/allows/allows_exec.ts";
import { bareMissed } from "./checks/denies/bare_missed.ts";
import { broadAllow } from "./checks/allows/broad_allow.ts";
import { contradiction } from "./checks/order/contradiction.ts";
import { coveredByClass } from "./checks/order/covered_by_class.ts";
import { dangerousClass } from "./checks/allows/dangerous_class.ts";
import { denyEvadable } from "./checks/denies/deny_evadable.ts";
import { duplicate } from "./checks/order/duplicate.ts";
import { exampleFails } from "./checks/file/example_fails.ts";
import { expired } from "./checks/file/expired.ts";
import { expiresSoon } from "./checks/file/expires_soon.ts";
import { fieldAsText } from "./checks/patterns/field_as_text.ts";
import { knownByKeys } from "./checks/patterns/known_by_keys.ts";
import { leakyPrefix } from "./checks/allows/leaky_prefix.ts";
import { mcpName } from "./checks/patterns/mcp_name.ts";
import { neverMatches } from "./checks/patterns/never_matches.ts";
import { notAnalysed } from "./checks/denies/not_analysed.ts";
import { oneOff } from "./checks/allows/one_off.ts";
import { orderTrap } from "./checks/order/order_trap.ts";
import { redundant } from "./checks/order/redundant.ts";
import { schema } from "./checks/file/schema.ts";
import { secretReadable } from "./checks/allows/secret_readable.ts";
import { selfModifying } from "./checks/allows/self_modifying.ts";
import { shadowed } from "./checks/order/shadowed.ts";
import { tellingVariable } from "./checks/allows/telling_variable.ts";
import { trailingSpace } from "./checks/patterns/trailing_space.ts";
import { unknownTool } from "./checks/patterns/unknown_tool.ts";
import { wrapperBlind } from "./checks/denies/wrapper_blind.ts";

/** Every check, in the order of the docs; findings at one place are reported in this order. */
export const CHECKS: readonly Check[] = [
  schema,
  neverMatches,
  shadowed,
  orderTrap,
  redundant,
  coveredByClass,
  contradiction,
  duplicate,
  broadAllow,
  allowsExec,
  dangerousClass,
  bareMissed,
  leakyPrefix,
  denyEvadable,
  wrapperBlind,
  expired,
  expiresSoon,
  unknownTool,
  mcpName,
  fieldAsText,
  knownByKeys,
  tellingVariable,
  trailingSpace,
  oneOff,
  secretReadable,
  selfModifying,
  notAnalysed,
  exampleFails,
  agentGap,
];

/** The id of findings about files that do not load. */
export const SCHEMA_ID = schema.id;

/** The id of findings about `# caliban-ignore:` comments; it is no check, since it is about the findings of checks. */
export const IGNORE_ID = "ignore-comment";

export const FINDING_IDS: readonly string[] = [...CHECKS.map(({ id }) => id), IGNORE_ID];

/** A finding's documentation. */
interface FindingDocs {
  readonly id: string;
  /** The default severity. */
  readonly severity: Severity;
  /** The documentation. */
  readonly docs: CheckDocs;
}

function commented(comment: string): string {
  return example([rule("Bash:git*", "allow")]).replace("  {", `  ${comment}\n  {`);
}

/** The documentation of findings about comments that ignore findings. */
const ABOUT_IGNORING: FindingDocs = {
  id: IGNORE_ID,
  severity: "warning",
  docs: {
    what:
      "A # caliban-ignore comment without an id or a reason, with an unknown id, or above nothing to ignore",
    why:
      "Such a comment does nothing, or hides later findings. An ignored finding needs a reason that the next reader " +
      "can judge.",
    avoid: commented("# caliban-ignore: leaky-prefix"),
    prefer: commented("# caliban-ignore: leaky-prefix git-lfs and git-absorb may run too"),
  },
};

/** The documentation of every finding, in the order of FINDING_IDS. */
export const FINDING_DOCS: readonly FindingDocs[] = [...CHECKS, ABOUT_IGNORING];

/** The documentation of one finding. Throws RangeError for an id that is not among FINDING_IDS. */
export function docsOf(id: string): FindingDocs {
  const found = FINDING_DOCS.find((each) => each.id === id);
  if (found === undefined) {
    throw new RangeError(`Unknown finding "${id}": ${FINDING_IDS.join()}`);
  }
  return found;
}
