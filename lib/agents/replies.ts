import type { Reply, Saying } from "./agent.ts";

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
export function claudeDecision({ emission, reason }: Saying): object {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: emission,
      permissionDecisionReason: reason,
    },
  };
}

/** The answer to a question that a person is about to be asked; an ask and silence leave it to the person. */
export function requestReply({ emission, reason, exactCommand }: Saying): Reply {
  switch (emission) {
    case "ask":
    case "silence":
      return SILENCE;
    case "deny":
      return request({ behavior: "deny", message: reason });
    case "allow":
      return request({
        behavior: "allow",
        ...(exactCommand === undefined ? {} : { updatedPermissions: [sessionRule(exactCommand)] }),
      });
  }
}

function request(decision: object): Reply {
  return jsonReply({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
}

function sessionRule(command: string): object {
  return {
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent: command }],
    behavior: "allow",
    destination: "session",
  };
}
