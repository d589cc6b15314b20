import type { AgentEvent } from "./agent.ts";

/** Characters that no agent reads in a rule as anything but themselves. */
const PLAIN = /^[\w][\w@%+=./ -]*$/;

/** The command of an event that a rule for this very command can name; undefined where there is none. */
export function exactCommand({ calls }: Pick<AgentEvent, "calls">): string | undefined {
  const [call, ...more] = calls;
  if (call?.tool !== "Bash" || more.length > 0) return undefined;
  const { command } = call.input;
  return typeof command === "string" && PLAIN.test(command) && command.length <= 200
    ? command
    : undefined;
}
