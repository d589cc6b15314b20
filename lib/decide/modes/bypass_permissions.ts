import type { NamedMode } from "./mode.ts";

/** The mode in which everything runs, what rules deny included. */
export const bypassPermissions: NamedMode = {
  name: "bypassPermissions",
  summary:
    "everything runs, what the rules deny included; needs --allow-dangerously-skip-permissions",
  badge: "⚠ bypass",
  liftsDenials: true,
  answer: () => ({
    decision: "allow",
    decidedBy: "bypass",
    reason: "bypassPermissions: every call runs",
  }),
};
