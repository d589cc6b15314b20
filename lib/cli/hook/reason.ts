import { visible } from "../../text/visible.ts";

/** Longer reasons are cut: agents cut what is longer than some thousand characters, or leave it out. */
const LONGEST = 1000;

/** A reason as an agent is told it: one line, who says it, never empty, nothing hidden in it. */
export function hookReason(reason: string): string {
  const line = visible(reason.replaceAll(/\s+/g, " ").trim()) || "the policy says so";
  const cut = line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
  return `caliban: ${cut}`;
}
