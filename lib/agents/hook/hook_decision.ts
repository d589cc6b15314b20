import type { Capabilities } from "../profile.ts";
import type { Answer } from "./answer_event.ts";
import type { AgentEvent, HookDecision } from "./hook_protocol.ts";

/**
 * The hook's answer to an agent. INVARIANT: a deny is always given, and an ask is never left to an agent that would run the
 * call. An ask becomes an ask where the agent can ask, silence where no written rule asks and the agent then judges by
 * itself, and otherwise a deny.
 */
export function hookDecision(
  answer: Pick<Answer, "action" | "isOrdinary" | "isUnread">,
  { allow, ask, silence }: Capabilities,
): HookDecision {
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

/** Characters that stand for themselves in the rules of every agent. */
const PLAIN = /^[\w][\w@%+=./ -]*$/;

/** The command of an event, if a session rule can name exactly this command. */
export function exactCommand({ calls }: Pick<AgentEvent, "calls">): string | undefined {
  const [call, ...more] = calls;
  if (call?.tool !== "Bash" || more.length > 0) return undefined;
  const { command } = call.input;
  return typeof command === "string" && PLAIN.test(command) && command.length <= 200
    ? command
    : undefined;
}
