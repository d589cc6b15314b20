import { asksBySpec } from "./asks_by_spec.ts";
import { type NamedMode, unchanged } from "./mode.ts";

/** The mode in which files of the workspace are edited unasked. */
export const acceptEdits: NamedMode = {
  name: "acceptEdits",
  summary: "files of the workspace are edited unasked",
  badge: "✎ accept edits",
  answer(question) {
    const { unit, isInside } = question;
    const asks = unit.action === "ask" && unit.by === "rule";
    if (!asks || question.class !== "edit" || asksBySpec(unit) || !isInside()) {
      return unchanged(question);
    }
    return {
      decision: "allow",
      decidedBy: "mode",
      reason: "acceptEdits: the file is in the workspace",
    };
  },
};
