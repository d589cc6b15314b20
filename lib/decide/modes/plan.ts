import type { ToolClass } from "../../model/tool_profile.ts";
import { type NamedMode, unchanged } from "./mode.ts";

const ACTS: readonly (ToolClass | undefined)[] = ["edit", "execute", "network"];

/** The mode in which an agent reads and plans, and changes nothing. */
export const plan: NamedMode = {
  name: "plan",
  summary: "what would ask to edit, to execute or for the network is denied",
  badge: "📋 plan",
  answer(question) {
    if (question.unit.action !== "ask" || !ACTS.includes(question.class)) {
      return unchanged(question);
    }
    return { decision: "deny", decidedBy: "mode", reason: "plan mode: read-only" };
  },
};
