import { type AgentGap, enforceable } from "../../agents/enforceable.ts";
import type { Severity } from "../../model/finding.ts";
import { example, rule } from "../example.ts";
import type { Check } from "../check.ts";
import { foundAt } from "../found_at.ts";
import { ruleName } from "../words.ts";

/** Rules that the hook of an agent cannot follow as they are written. */
export const agentGap: Check = {
  id: "agent-gap",
  severity: "warning",
  docs: {
    what: "With --agent NAME: a rule that this agent's hook cannot enforce as it is written",
    why:
      "An agent that can ask nobody turns an ask into a deny, which is told as a note: nothing runs that should not. Calls that " +
      "an agent makes without an event run whatever the rules say, and that is a warning. Looked for with " +
      "--agent only; the examples are for codex.",
    avoid: example([rule("WebSearch", "deny"), rule("Bash(git push:*)", "ask")]),
    prefer: example([rule("WebFetch", "deny"), rule("Bash(git push:*)", "deny")]),
  },
  isOn: ({ agents }) => agents.length > 0,
  find({ rules, agents }) {
    return rules.flatMap((linted) =>
      agents.flatMap((agent) =>
        enforceable(agent, linted.rule).map(({ id, why }) =>
          foundAt(linted, {
            severity: SEVERITIES[id],
            message: `${ruleName(linted.rule)}: ${why}`,
            hint: HINTS[id],
          })
        )
      )
    );
  },
};

const SEVERITIES: Readonly<Record<AgentGap["id"], Severity>> = {
  stricter: "note",
  open: "warning",
};

const HINTS: Readonly<Record<AgentGap["id"], string>> = {
  stricter: "Above it, allow what may run without a question",
  open: "Switch the tool off in the agent's own settings too",
};
