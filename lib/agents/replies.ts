import type { Emission, Reply, Saying } from "./agent.ts";

/** An answer in JSON on standard output, which is not looked at otherwise. */
export function jsonReply(answer: object): Reply {
  return { stdout: JSON.stringify(answer) + "\n", stderr: "", status: 0 };
}

/** Nothing said. */
export const SILENCE: Reply = { stdout: "", stderr: "", status: 0 };

/** Exit status 2, with the reason for whoever reads standard error. */
export function stopReply({ reason }: Pick<Saying, "reason">): Reply {
  return { stdout: "", stderr: `${reason}\n`, status: 2 };
}

/** The answer to an event before a tool runs, in the form that Claude Code gave it. */
export interface ClaudeDecision {
  /** The answer. */
  readonly hookSpecificOutput: {
    /** The event. */
    readonly hookEventName: "PreToolUse";
    /** What happens. */
    readonly permissionDecision: Said;
    /** Why. */
    readonly permissionDecisionReason: string;
  };
}

/** What is said in so many words. */
export type Said = Exclude<Emission, "silence">;

/** Says it in Claude Code's form. */
export function claudeDecision(emission: Said, reason: string): ClaudeDecision {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: emission,
      permissionDecisionReason: reason,
    },
  };
}

/** The answer to a question that a person is about to be asked. */
export interface RequestDecision {
  /** The answer. */
  readonly hookSpecificOutput: {
    /** The event. */
    readonly hookEventName: "PermissionRequest";
    /** What happens: it runs, from now on without the question where rules are added, or it does not run. */
    readonly decision:
      | { readonly behavior: "allow"; readonly updatedPermissions?: SessionRule[] }
      | { readonly behavior: "deny"; readonly message: string };
  };
}

/** A rule that Claude Code keeps until the session ends. */
export interface SessionRule {
  /** What is changed. */
  readonly type: "addRules";
  /** The commands, to the letter. */
  readonly rules: { readonly toolName: "Bash"; readonly ruleContent: string }[];
  /** What the rule says. */
  readonly behavior: "allow";
  /** How long it stays. */
  readonly destination: "session";
}

/** The answer to a question; undefined for an ask and silence, which leave it to the person. */
export function requestDecision(saying: Saying): RequestDecision | undefined {
  const { emission, reason, exactCommand } = saying;
  switch (emission) {
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

/** The same as a reply. */
export function requestReply(saying: Saying): Reply {
  const decision = requestDecision(saying);
  return decision === undefined ? SILENCE : jsonReply(decision);
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
