import type { Mode } from "./mode.ts";

/** The state of `--no-permissions`: every call runs, whatever the rules say. */
export const disabled: Mode = {
  name: "disabled",
  summary: "permissions are switched off: every call runs",
  badge: "⚠ no permissions",
  liftsDenials: true,
  answer: () => ({
    decision: "allow",
    decidedBy: "disabled",
    reason: "permissions are switched off (--no-permissions)",
  }),
};
