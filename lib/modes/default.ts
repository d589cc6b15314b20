import type { Mode } from "./mode.ts";

/** The mode in which the rules' verdict stands. */
export const defaultMode: Mode = {
  name: "default",
  summary: "what the rules say, happens",
  answer: ({ unit }) => ({ decision: unit.action, decidedBy: unit.by }),
};
