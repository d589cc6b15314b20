import { type AgentGap, enforceable } from "../../../agents/enforceable.ts";
import type { Severity } from "../../../model/problem.ts";
import { type Check, example, rule } from "../../check.ts";
import { foundAt, ruleName } from "../../place_finding.ts";

/** Rules that an agent's hook cannot enforce as written. */
export const agentGap: Check = {
  id: "agent-gap",
  severity: "warning",
  docs: {
    what: "With --agent NAME: a rule that this agent's hook cannot enforce as written",
    why:
      "An agent that cannot ask turns an ask into a deny, which is a note: no forbidden call runs. Calls that an " +
      "agent makes without an event run in spite of the rules, which is a warning. The check runs only with --agent; " +
      "the examples are for codex.",
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
  stricter: "Above it, allow the calls that may run without a question",
  open: "Disable the tool in the agent's own settings too",
};
