import { type NamedMode, unchanged } from "./mode.ts";

/** The mode in which the rules' verdict stands. */
export const defaultMode: NamedMode = {
  name: "default",
  summary: "what the rules say, happens",
  badge: "",
  answer: unchanged,
};
