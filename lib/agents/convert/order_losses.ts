import { type Action, strictness } from "../../model/action.ts";
import type { Loss } from "../../model/loss.ts";
import type { FormatRule, WriteContext } from "./format.ts";
import { lossOf } from "./parts.ts";

/** So many pairs of rules are compared in full; of more it is taken that they meet. */
const MOST_PAIRS = 4_000;

/** A rule on a command whose first word is plain. */
const PLAIN = /^Bash[(:]([\w.-]+)[ :)][\w .:*()-]*$/;

/** Rules by the first word of their command, so that only those are compared that could fit the same. */
class Meetings {
  readonly #mayMeet: WriteContext["mayMeet"];
  readonly #byWord = new Map<string, Other[]>();
  readonly #byToken = new Map<string, Other[]>();
  #pairs = 0;

  /** `others` are the rules that are looked for, each with its place. */
  constructor(
    others: readonly Other[],
    mayMeet: WriteContext["mayMeet"],
  ) {
    this.#mayMeet = mayMeet;
    for (const other of others) {
      put(this.#byWord, wordOf(other.rule), other);
      for (const token of tokensOf(other.rule)) put(this.#byToken, token, other);
    }
  }

  /** The first of the others behind a place that may fit what the rule fits. */
  behind(
    rule: FormatRule,
    { index, fits }: { index: number; fits: (other: FormatRule) => boolean },
  ): FormatRule | undefined {
    const word = wordOf(rule);
    // A rule on another command may still run it, where it names it.
    const lists = word === ""
      ? [...this.#byWord.values()]
      : [this.#byToken.get(word), ...["", ...tokensOf(rule)].map((each) => this.#byWord.get(each))];
    for (const list of lists) {
      const found = list?.find((other) =>
        other.index > index && fits(other.rule) && this.#meet(rule, other.rule)
      );
      if (found) return found.rule;
    }
    return undefined;
  }

  #meet(rule: FormatRule, other: FormatRule): boolean {
    if (++this.#pairs > MOST_PAIRS) return true;
    const [first, stricter] = strictness(rule.action) < strictness(other.action)
      ? [rule, other]
      : [other, rule];
    return this.#mayMeet(first, stricter);
  }
}

/** A rule that is looked for, with its place. */
interface Other {
  readonly rule: FormatRule;
  readonly index: number;
}

function put(map: Map<string, Other[]>, key: string, other: Other): void {
  const list = map.get(key);
  if (list) list.push(other);
  else map.set(key, [other]);
}

/** The words of a rule on a command, without its tool. */
function tokensOf({ pattern }: FormatRule): ReadonlySet<string> {
  return new Set(
    pattern.toLowerCase().replace(/^bash/, "").split(/[^\w.-]+/).filter((each) => each !== ""),
  );
}

/** The first word of a rule's command; empty where it is not plain text. A rule on another word names it, or does not meet it. */
function wordOf({ pattern }: FormatRule): string {
  return PLAIN.exec(pattern)?.[1]?.toLowerCase() ?? "";
}

/**
 * What rules lose in a format where the strictest that fits decides, whatever the order: one that stands above a stricter
 * one here gives way to it there. The other direction loses nothing.
 */
export function orderLosses(
  rules: readonly FormatRule[],
  { context, agent, leftOut = [] }: {
    context: Pick<WriteContext, "mayMeet">;
    agent: string;
    leftOut?: readonly FormatRule[];
  },
): readonly Loss[] {
  const silent = new Set(leftOut);
  const strict = rules.map((rule, index) => ({ rule, index }))
    .filter(({ rule }) => rule.action !== "allow" && !silent.has(rule));
  const meetings = new Meetings(strict, context.mayMeet);
  return rules.flatMap((rule, index): readonly Loss[] => {
    const fits = (other: FormatRule) => strictness(other.action) > strictness(rule.action);
    const winner = meetings.behind(rule, { index, fits });
    if (winner === undefined) return [];
    const detail =
      `"${winner.action} ${winner.pattern}" stands below it and wins in ${agent}, whatever the order`;
    return [lossOf({ rule }, "narrowed", detail)];
  });
}

/**
 * The asks that say what an agent does by itself where no rule fits: no allow below them could fit the same calls. Left out,
 * they cannot beat the allows above them, as they would in a format without an order.
 */
export function idleAsks(
  rules: readonly FormatRule[],
  { mayMeet }: Pick<WriteContext, "mayMeet">,
): readonly FormatRule[] {
  const allows = rules.map((rule, index) => ({ rule, index }))
    .filter(({ rule }) => rule.action === "allow");
  const meetings = new Meetings(allows, mayMeet);
  return rules.filter((rule, index) =>
    rule.action === "ask" && meetings.behind(rule, { index, fits: () => true }) === undefined
  );
}

/** The rules of which a stricter action decides first, each in its own order. */
export function byAction<T extends { readonly rule: FormatRule }>(
  parts: readonly T[],
  action: Action,
): readonly T[] {
  return parts.filter(({ rule }) => rule.action === action);
}
