import { type NamedMode, unchanged } from "./mode.ts";

/** The mode in which every question but a safety check is answered with allow. */
export const dontAsk: NamedMode = {
  name: "dontAsk",
  summary: "every question but a safety check is answered with allow",
  badge: "⏭ don't ask",
  answer(question) {
    const { unit } = question;
    if (unit.action !== "ask" || unit.by === "safety") return unchanged(question);
    return {
      decision: "allow",
      decidedBy: "mode",
      reason: "dontAsk: questions are answered with allow",
    };
  },
};
