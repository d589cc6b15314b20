import { strictness } from "../../model/call.ts";
import type { Loss } from "../../model/problem.ts";
import type { ExportContext, FormatRule } from "./format.ts";
import { lossOf } from "./parts.ts";

/** The limit of pairs of rules that are compared; every further pair counts as an overlap. */
const MOST_PAIRS = 4_000;

/** A rule on a command whose first word is plain. */
const PLAIN = /^Bash[(:]([\w.-]+)[ :)][\w .:*()-]*$/;

/** Rules by the first word of their command: only those with a common word are compared. */
class OverlapIndex {
  readonly #mayOverlap: ExportContext["mayOverlap"];
  readonly #byWord = new Map<string, Other[]>();
  readonly #byToken = new Map<string, Other[]>();
  #pairs = 0;

  /** `others` are the rules that are searched. */
  constructor(
    others: readonly Other[],
    mayOverlap: ExportContext["mayOverlap"],
  ) {
    this.#mayOverlap = mayOverlap;
    for (const other of others) {
      put(this.#byWord, wordOf(other.rule), other);
      for (const token of tokensOf(other.rule)) put(this.#byToken, token, other);
    }
  }

  /** Returns the first of the others below a place that may match the same call as the rule. */
  below(
    rule: FormatRule,
    { index, isWanted }: { index: number; isWanted: (other: FormatRule) => boolean },
  ): FormatRule | undefined {
    const word = wordOf(rule);
    // A rule on another command can still run it, if it names it.
    const lists = word === ""
      ? [...this.#byWord.values()]
      : [this.#byToken.get(word), ...["", ...tokensOf(rule)].map((each) => this.#byWord.get(each))];
    for (const list of lists) {
      const found = list?.find((other) =>
        other.index > index && isWanted(other.rule) && this.#overlap(rule, other.rule)
      );
      if (found) return found.rule;
    }
    return undefined;
  }

  #overlap(rule: FormatRule, other: FormatRule): boolean {
    if (++this.#pairs > MOST_PAIRS) return true;
    const [first, stricter] = strictness(rule.action) < strictness(other.action)
      ? [rule, other]
      : [other, rule];
    return this.#mayOverlap(first, stricter);
  }
}

/** A rule with its index among all rules. */
interface Other {
  readonly rule: FormatRule;
  readonly index: number;
}

function put(map: Map<string, Other[]>, key: string, other: Other): void {
  const list = map.get(key);
  if (list) list.push(other);
  else map.set(key, [other]);
}

/** The words of a rule, without the tool Bash. */
function tokensOf({ pattern }: FormatRule): ReadonlySet<string> {
  return new Set(
    pattern.toLowerCase().replace(/^bash/, "").split(/[^\w.-]+/).filter((each) => each !== ""),
  );
}

/** The first word of a rule's command; empty where it is not plain text. Rules on another word contain it, or do not overlap. */
function wordOf({ pattern }: FormatRule): string {
  return PLAIN.exec(pattern)?.[1]?.toLowerCase() ?? "";
}

/**
 * The losses in a format where the strictest match decides in any order: a rule above a stricter one gives way to it there.
 * The other direction loses nothing.
 */
export function orderLosses(
  rules: readonly FormatRule[],
  { context, agent, leftOut = [] }: {
    context: Pick<ExportContext, "mayOverlap">;
    agent: string;
    leftOut?: readonly FormatRule[];
  },
): readonly Loss[] {
  const ignored = new Set(leftOut);
  const strict = rules.map((rule, index) => ({ rule, index }))
    .filter(({ rule }) => rule.action !== "allow" && !ignored.has(rule));
  const overlaps = new OverlapIndex(strict, context.mayOverlap);
  return rules.flatMap((rule, index): readonly Loss[] => {
    const isWanted = (other: FormatRule) => strictness(other.action) > strictness(rule.action);
    const winner = overlaps.below(rule, { index, isWanted });
    if (winner === undefined) return [];
    const detail =
      `"${winner.action} ${winner.pattern}" is below it and wins in ${agent} in any order`;
    return [lossOf({ rule }, "narrowed", detail)];
  });
}

/**
 * The asks that change nothing in an agent that asks without a rule: no allow below them overlaps them. Without them none of
 * the allows above gives way to them.
 */
export function idleAsks(
  rules: readonly FormatRule[],
  { mayOverlap }: Pick<ExportContext, "mayOverlap">,
): readonly FormatRule[] {
  const allows = rules.map((rule, index) => ({ rule, index }))
    .filter(({ rule }) => rule.action === "allow");
  const overlaps = new OverlapIndex(allows, mayOverlap);
  return rules.filter((rule, index) =>
    rule.action === "ask" && overlaps.below(rule, { index, isWanted: () => true }) === undefined
  );
}
