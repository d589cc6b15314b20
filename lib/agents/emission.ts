import type { Capabilities, Emission } from "./agent.ts";
import type { Answer } from "./answer_event.ts";

/**
 * What is said to an agent. INVARIANT: a deny is always said, and an ask is never left to an agent that would run the call:
 * it is an ask where the agent can ask, silence where nobody wrote the rule and the agent then judges by itself, and else
 * a deny.
 */
export function emissionOf(
  answer: Pick<Answer, "action" | "isOrdinary" | "isUnread">,
  capabilities: Capabilities,
): Emission {
  const { allow, ask, silence } = capabilities;
  if (silence === "judges") {
    if (answer.isOrdinary || answer.isUnread && ask !== "prompts") return "silence";
  }
  switch (answer.action) {
    case "deny":
      return "deny";
    case "allow":
      return allow === "grants" ? "allow" : "silence";
    case "ask":
      return ask === "prompts" ? "ask" : "deny";
  }
}
