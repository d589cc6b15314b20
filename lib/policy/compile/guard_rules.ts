import { foldCase } from "../../pattern/fold_case.ts";
import { literalHead } from "../../pattern/glob.ts";
import type { ToolRule } from "./rule_table.ts";

/** A deny or ask rule that a compound line never passes by, and a quoted one only with another beginning. */
interface IndeterminateRule {
  readonly position: number;
  readonly toolRule: ToolRule;
  /** The literal text that its glob begins with, folded. */
  readonly head: string;
}

/**
 * The deny and ask rules with a spec on a command. Where many of them cannot be evaluated for a line, the first says it for
 * all: the walk's end is the same. So of each source only the first that never expires is given, and all that do.
 */
export class IndeterminateRules {
  readonly #guards: readonly IndeterminateRule[];
  #sorted: readonly IndeterminateRule[] | undefined;
  #first: readonly number[] | undefined;

  /** Finds the guards among the rules of one tool. */
  constructor(toolRules: readonly ToolRule[]) {
    this.#guards = toolRules.flatMap((toolRule, place) => {
      const head = guardHead(toolRule);
      return head === undefined ? [] : [{ position: place, toolRule, head }];
    });
  }

  /** The places of those that speak for every guard. */
  first(): readonly number[] {
    return this.#first ??= spokesmen(this.#guards);
  }

  /** The places of those that speak for every guard whose head begins with the folded text. */
  beginningWith(text: string): readonly number[] {
    if (text === "") return this.first();
    const sorted = this.#sorted ??= this.#guards.toSorted((a, b) => compared(a.head, b.head));
    const range: IndeterminateRule[] = [];
    for (let at = lowerBound(sorted, text); sorted[at]?.head.startsWith(text); at++) {
      range.push(sorted[at]!);
    }
    return spokesmen(range.sort((a, b) => a.position - b.position));
  }
}

function guardHead({ rule, specifier, readAs }: ToolRule): string | undefined {
  if (rule.action === "allow" || !readAs || readAs.shell === "literal") return undefined;
  if (
    specifier?.kind !== "argument" || specifier.test.kind !== "command" ||
    specifier.test.anchor === "contains"
  ) {
    return undefined;
  }
  return foldCase(literalHead(specifier.test.glob));
}

/** Of each source kind those before and with the first that never expires; shadow warnings tell kinds apart. */
function spokesmen(guards: readonly IndeterminateRule[]): readonly number[] {
  const spoken = new Set<string>();
  const places: number[] = [];
  for (const { position: place, toolRule: { rule } } of guards) {
    if (spoken.has(rule.source.kind)) continue;
    places.push(place);
    if (rule.expiresAt === undefined) spoken.add(rule.source.kind);
  }
  return places;
}

/** The first place whose head is not before the text. */
function lowerBound(sorted: readonly IndeterminateRule[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]!.head < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
