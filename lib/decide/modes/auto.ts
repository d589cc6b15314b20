import { type NamedMode, unchanged } from "./mode.ts";

/** The mode in which a model is asked first, once about the whole call. */
export const auto: NamedMode = {
  name: "auto",
  summary: "a model is asked before you are",
  badge: "🤖 auto",
  asksModel: true,
  answer: unchanged,
};
