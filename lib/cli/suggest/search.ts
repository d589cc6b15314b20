import type { ToolCall } from "../../model/call.ts";
import type { AskGroup } from "../../suggest/ask_groups.ts";
import type { Candidate } from "../../suggest/candidate.ts";
import { type Fault, type RefusedPattern, suggestSet } from "../../suggest/suggest_set.ts";
import { callKey, SetCheck } from "../../suggest/verify_set.ts";
import { decideIn, type JudgedSet, type JudgeOptions, judgePatterns } from "./judge.ts";
import { type FirstPass, nextPass, type PassOptions } from "./passes.ts";
import { newlyAllowed } from "./witnesses.ts";

/** One rule, and what it did and would do. */
export interface FoundRule {
  /** Its pattern. */
  readonly pattern: string;
  /** How many recorded calls it helps to answer. */
  readonly answers: number;
  /** The first of them that differ. */
  readonly examples: readonly ToolCall[];
  /** Short calls that are not recorded and that it would allow too. */
  readonly witnesses: readonly ToolCall[];
}

/** The rules that were found. */
export interface FoundSet {
  /** The one that answers most first. */
  readonly rules: readonly FoundRule[];
  /** How many recorded calls they answer together. */
  readonly answered: number;
  /** Patterns with a fault. */
  readonly refused: ReadonlyMap<string, RefusedPattern>;
}

/** What a search needs. */
export interface SearchOptions {
  /** From 1 to 100: the part of the asks that is to be answered. */
  readonly percent: number;
  /** How many rules there may be. */
  readonly max: number;
  /** What rules are judged for. */
  readonly judging: JudgeOptions;
  /** What was recorded. */
  readonly passes: PassOptions & Pick<FirstPass, "kept">;
}

const LOOSENS: Fault = {
  id: "loosens",
  why: "it would allow a recorded call that is denied, refused, or asked about on purpose",
};

/**
 * Finds rules and counts on all records what they answer; a rule that makes an allow of what none should is given up, and
 * the search begins again without it. Throws FileError.
 */
export async function findSet(
  groups: readonly AskGroup[],
  options: SearchOptions,
): Promise<FoundSet> {
  const { judging, passes } = options;
  const known = new Map<string, Fault>();
  const judge = (patterns: readonly string[]) => judgePatterns(patterns, judging);
  for (;;) {
    const { picks, refused } = suggestSet(groups, { ...options, known, judge });
    if (picks.length === 0) return { rules: [], answered: 0, refused };
    const judged = judge(picks.map(({ pattern }) => pattern));
    const { check, witnesses } = await verify(picks, { judged, judging, passes });
    const { answered, byPattern, loosening } = check.verified;
    if (loosening.size === 0) {
      const idle = picks.filter(({ pattern }) => !byPattern.has(pattern));
      const rules = [...byPattern].map(([pattern, use]) => ({
        pattern,
        ...use,
        witnesses: witnesses.get(pattern) ?? [],
      }));
      return {
        rules: rules.sort((a, b) => b.answers - a.answers || (a.pattern < b.pattern ? -1 : 1)),
        answered,
        refused: new Map([...refused, ...idle.map(({ pattern }) => [pattern, IDLE] as const)]),
      };
    }
    for (const pattern of loosening) known.set(pattern, LOOSENS);
  }
}

const IDLE: RefusedPattern = {
  id: "takes-effect",
  why: "it answers none of the calls that were looked at",
  asks: 0,
};

/** Reads the records again, with the rules; what is recorded is no witness. */
async function verify(
  picks: readonly Candidate[],
  { judged, judging, passes }: Pick<SearchOptions, "judging" | "passes"> & {
    readonly judged: JudgedSet;
  },
): Promise<{ readonly check: SetCheck; readonly witnesses: Map<string, readonly ToolCall[]> }> {
  const { policy: before, file, deciding } = judging;
  const patterns = picks.map(({ pattern }) => pattern);
  const { policy: after } = judged;
  const decide: ConstructorParameters<typeof SetCheck>[0]["decide"] = (policy, call) =>
    decideIn(policy, call, deciding);
  const check = new SetCheck({ before, after, patterns, decide });
  const { now } = deciding;
  const found = new Map(patterns.map((pattern) => {
    const rule = after.rules.find((each) =>
      each.pattern === pattern && each.action === "allow" && each.source.path === file.path
    );
    return [pattern, rule === undefined ? [] : newlyAllowed(rule, { before, after, now })];
  }));
  const calls = [...found.values()].flat();
  const keys = new Set(calls.map((call) => callKey(before, call)));
  const tools = new Set(calls.map(({ tool }) => tool));
  const recorded = new Set<string>();
  await nextPass(passes, (kept) => {
    check.add(kept);
    const { call } = kept;
    if (!tools.has(call.tool)) return;
    const key = callKey(before, call);
    if (keys.has(key)) recorded.add(key);
  });
  const witnesses = new Map(
    [...found].map(([pattern, calls]) =>
      [pattern, calls.filter((call) => !recorded.has(callKey(before, call)))] as const
    ),
  );
  return { check, witnesses };
}
