import { findWords } from "../analysis/automata/find_words.ts";
import { RuleSpace } from "../analysis/rule_space.ts";
import { filledPatterns } from "../analysis/trial_calls.ts";
import { evaluate } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import type { CompiledPolicy, CompiledRule } from "../policy/compile/compiled_policy.ts";
import type { AskGroup, SuggestablePattern } from "./ask_groups.ts";
import { type CheckedSet, type CheckOptions, checkPatterns, decideIn } from "./check_patterns.ts";
import type { KeptCall } from "./recorded_calls.ts";
import { sampleCalls } from "./sample_calls.ts";
import { type Fault, type RefusedPattern, suggestSet } from "./suggest_set.ts";
import { callKey, SetCheck } from "./verify_set.ts";

/** One rule and its effect. */
export interface FoundRule {
  readonly pattern: string;
  /** The number of recorded calls that it helps to answer. */
  readonly answers: number;
  /** The first different calls among them. */
  readonly examples: readonly ToolCall[];
  /** Short calls that are not recorded and that it would also allow. */
  readonly witnesses: readonly ToolCall[];
}

/** The rules that the search found. */
export interface FoundSet {
  /** The rules, the one that answers most first. */
  readonly rules: readonly FoundRule[];
  /** The number of recorded calls that they answer together. */
  readonly answered: number;
  /** Patterns with a fault. */
  readonly refused: ReadonlyMap<string, RefusedPattern>;
}

/** Options of `findSet`. */
export interface SearchOptions {
  /** The percentage of the asks to answer, from 1 to 100. */
  readonly percent: number;
  /** The most rules. */
  readonly max: number;
  /** The surroundings in which rules are checked. */
  readonly checking: CheckOptions;
  /** Reads all records again. */
  readonly reread: (take: (recorded: KeptCall) => void) => Promise<void>;
}

const LOOSENS: Fault = {
  id: "loosens",
  why: "it would allow a recorded call that is denied, refused or deliberately asked about",
};

/**
 * Finds rules and counts on all records the asks that they answer. A rule that allows a call that no rule should allow is
 * dropped, and the search starts again without it. Rejects if `reread` does.
 */
export async function findSet(
  groups: readonly AskGroup[],
  options: SearchOptions,
): Promise<FoundSet> {
  const { checking, reread } = options;
  const known = new Map<string, Fault>();
  const checkSet = (patterns: readonly string[]) => checkPatterns(patterns, checking);
  for (;;) {
    const { picks, refused } = suggestSet(groups, { ...options, known, check: checkSet });
    if (picks.length === 0) return { rules: [], answered: 0, refused };
    const checked = checkSet(picks.map(({ pattern }) => pattern));
    const { check, witnesses } = await verify(picks, { checked, checking, reread });
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
  why: "it answers none of the recorded calls",
  asks: 0,
};

/** Reads the records again with the rules. A recorded call is no witness. */
async function verify(
  picks: readonly SuggestablePattern[],
  { checked, checking, reread }: Pick<SearchOptions, "checking" | "reread"> & {
    readonly checked: CheckedSet;
  },
): Promise<{ readonly check: SetCheck; readonly witnesses: Map<string, readonly ToolCall[]> }> {
  const { policy: before, file, deciding } = checking;
  const patterns = picks.map(({ pattern }) => pattern);
  const { policy: after } = checked;
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
  await reread((kept) => {
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

/** The witnesses to find for each rule; some may turn out to be recorded. */
const MOST = 12;

/** The words of the analysis that are tried for each tool. */
const TRIES = 60;

/**
 * Short calls that the policy allows with a rule and not before: those that the analysis finds, then the pattern with its
 * wildcards filled in. The shortest first; each is confirmed by `evaluate`.
 */
export function newlyAllowed(
  rule: CompiledRule,
  { before, after, now }: {
    readonly before: CompiledPolicy;
    readonly after: CompiledPolicy;
    readonly now: number;
  },
): readonly ToolCall[] {
  const space = new RuleSpace(after, { now });
  const found = new Map<string, ToolCall>();
  const offer = (call: ToolCall) => {
    // Calls that differ only in spaces at the end are the same for people.
    const key = callKey(after, call).replace(/\s+"/g, '"');
    if (
      found.has(key) || found.size >= MOST || evaluate(before, call, { now }).action === "allow"
    ) {
      return;
    }
    const { action, units } = evaluate(after, call, { now });
    if (action !== "allow" || !units.some((unit) => unit.rule?.index === rule.index)) return;
    found.set(key, call);
  };
  for (const call of searched(rule, space)) offer(call);
  for (
    const call of [...filledPatterns(rule, space), ...sampleCalls(rule.pattern, after.profiles)]
  ) {
    offer(call);
  }
  return [...found.values()].sort((a, b) => sizeOf(a) - sizeOf(b));
}

/** Calls that the rule is the first to match. */
function* searched(rule: CompiledRule, space: RuleSpace): Generator<ToolCall> {
  for (const tool of space.toolsOf(rule)) {
    const calls = space.calls(tool);
    const own = calls?.of(rule);
    if (calls === undefined || own === undefined) continue;
    const others = calls.near(own)
      .filter((each) => each.place < own.place || each.rule.action === "allow")
      .map(({ yes }) => yes);
    let tries = 0;
    for (const word of findWords({ all: [calls.domain, own.yes], none: others }, space.budget())) {
      if (word === "spent" || ++tries > TRIES) break;
      yield calls.callOf(word);
    }
  }
}

function sizeOf({ input }: ToolCall): number {
  return JSON.stringify(input).length;
}
