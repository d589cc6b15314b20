/**
 * How far a pattern reaches: `file` and `literal` fit one thing to the letter, `folder` what stands below a folder,
 * `prefix` a program and its sub-command, `host` every path of a host, `tool` every call of a tool.
 */
export type CandidateKind = "file" | "literal" | "folder" | "prefix" | "host" | "tool";

/** A pattern that may be suggested. */
export interface Candidate {
  /** The pattern. */
  readonly pattern: string;
  /** How far it reaches. */
  readonly kind: CandidateKind;
}

/** One thing that a call is asked about. */
export interface Need {
  /** Any of these answers it, the narrowest first; at least one. */
  readonly candidates: readonly Candidate[];
}

/** From how many asks on a pattern is worth a rule. */
const LEAST: Readonly<Record<CandidateKind, number>> = {
  file: 2,
  literal: 2,
  folder: 3,
  prefix: 1,
  host: 1,
  tool: 1,
};

const ORDER: readonly CandidateKind[] = ["file", "literal", "folder", "prefix", "host", "tool"];

/** Whether a pattern that answers so many asks, of so many kinds, is worth a rule. */
export function isWorth(
  { kind }: Candidate,
  { asks, kinds }: { readonly asks: number; readonly kinds: number },
): boolean {
  return asks >= LEAST[kind] && (kind !== "folder" || kinds > 1);
}

/** Which of two is narrower: below 0 for the first. Never 0 for two patterns. */
export function compareCandidates(one: Candidate, other: Candidate): number {
  return ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind) ||
    other.pattern.length - one.pattern.length ||
    (one.pattern < other.pattern ? -1 : one.pattern > other.pattern ? 1 : 0);
}
