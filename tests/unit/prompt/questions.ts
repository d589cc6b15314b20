import type { AskQuestion } from "../../../lib/model/verdict.ts";
import { decisionOf, type TestUnit } from "../audit/decisions.ts";

/** A question about a command, and what is not usual in it. */
export function questionOf(
  command: string,
  { units, ...more }: Partial<AskQuestion> & { readonly units?: readonly TestUnit[] } = {},
): AskQuestion {
  const call = { tool: "Bash", input: { command } };
  return {
    call,
    decision: decisionOf(call, units ?? [{ text: command, kind: "call" }]),
    scopes: ["session", "project", "user"],
    ...more,
  };
}
