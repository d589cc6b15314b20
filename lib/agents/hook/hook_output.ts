import type { HookDecision, HookOutput, HookResponse } from "./hook_protocol.ts";

/** An answer in JSON on standard output. */
export function jsonOutput(answer: object): HookOutput {
  return { stdout: JSON.stringify(answer) + "\n", stderr: "", status: 0 };
}

/** No answer. */
export const SILENCE: HookOutput = { stdout: "", stderr: "", status: 0 };

/** No answer, with a line that the agent shows to the person, if there is one. */
export function silence({ note }: Pick<HookResponse, "note">): HookOutput {
  return note === undefined ? SILENCE : jsonOutput({ systemMessage: note });
}

/** Exit status 2, with the reason on standard error. */
export function stopOutput({ reason }: Pick<HookResponse, "reason">): HookOutput {
  return { stdout: "", stderr: `${reason}\n`, status: 2 };
}

/** The answer to an event before a tool runs, in Claude Code's form. */
export interface ClaudeDecision {
  readonly hookSpecificOutput: {
    readonly hookEventName: "PreToolUse";
    readonly permissionDecision: Exclude<HookDecision, "silence">;
    readonly permissionDecisionReason: string;
  };
}

/** Renders an answer in Claude Code's form. */
export function claudeDecision(
  decision: Exclude<HookDecision, "silence">,
  reason: string,
): ClaudeDecision {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: decision,
      permissionDecisionReason: reason,
    },
  };
}

/** The answer to a question that the agent is about to ask a person. */
export interface RequestDecision {
  readonly hookSpecificOutput: {
    readonly hookEventName: "PermissionRequest";
    /** The call runs, and further calls run without the question where rules are added; or it does not run. */
    readonly decision:
      | { readonly behavior: "allow"; readonly updatedPermissions?: SessionRule[] }
      | { readonly behavior: "deny"; readonly message: string };
  };
}

/** A rule that Claude Code keeps until the session ends. */
export interface SessionRule {
  readonly type: "addRules";
  /** The exact commands. */
  readonly rules: { readonly toolName: "Bash"; readonly ruleContent: string }[];
  readonly behavior: "allow";
  readonly destination: "session";
}

/** The answer to a question; undefined for an ask and silence, which leave it to the person. */
export function requestDecision(response: HookResponse): RequestDecision | undefined {
  const { decision, reason, exactCommand } = response;
  switch (decision) {
    case "ask":
    case "silence":
      return undefined;
    case "deny":
      return request({ behavior: "deny", message: reason });
    case "allow":
      return request({
        behavior: "allow",
        ...(exactCommand === undefined ? {} : { updatedPermissions: [sessionRule(exactCommand)] }),
      });
  }
}

/** The output for a question. */
export function requestOutput(response: HookResponse): HookOutput {
  const decision = requestDecision(response);
  return decision === undefined ? SILENCE : jsonOutput(decision);
}

function request(decision: RequestDecision["hookSpecificOutput"]["decision"]): RequestDecision {
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}

function sessionRule(command: string): SessionRule {
  return {
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent: command }],
    behavior: "allow",
    destination: "session",
  };
}
