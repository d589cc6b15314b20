import { visible } from "./visible.ts";

/** Longer reasons are cut: agents cut what is longer than some thousand characters, or leave it out. */
const LONGEST = 1000;

/** A reason for an agent: one line with the prefix `caliban:`, never empty, without hidden characters. */
export function hookReason(reason: string): string {
  const line = visible(reason.replaceAll(/\s+/g, " ").trim()) || "the policy says so";
  const cut = line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
  return `caliban: ${cut}`;
}
