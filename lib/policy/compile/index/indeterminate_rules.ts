import { foldCase } from "../../../pattern/unicode.ts";
import { firstOpen } from "../../../shell/parse/tree.ts";
import { commandHead } from "../rule_keys.ts";
import type { ToolRule } from "../compiled_policy.ts";

/** A deny or ask rule that a compound line never passes by, and a quoted one only with another beginning. */
interface IndeterminateRule {
  readonly position: number;
  readonly toolRule: ToolRule;
  /** The literal text that its glob begins with, folded. */
  readonly head: string;
}

/**
 * The deny and ask rules with a specifier on a command. If several cannot be evaluated for a line, the first represents all:
 * the outcome is the same. So of each source only the first that never expires is returned, and all before it that do.
 */
export class IndeterminateRules {
  readonly #toolRules: readonly ToolRule[];
  #all: readonly IndeterminateRule[] | undefined;
  #sorted: readonly IndeterminateRule[] | undefined;
  #first: readonly number[] | undefined;

  /** Finds them among the rules of one tool. */
  constructor(toolRules: readonly ToolRule[]) {
    this.#toolRules = toolRules;
  }

  /** All of them; most lines leave nothing open, and need none. */
  get #rules(): readonly IndeterminateRule[] {
    return this.#all ??= this.#toolRules.flatMap((toolRule, place) => {
      const head = headOf(toolRule);
      return head === undefined ? [] : [{ position: place, toolRule, head }];
    });
  }

  /** The places of the representatives of all rules. */
  first(): readonly number[] {
    return this.#first ??= representatives(this.#rules);
  }

  /** The places of the representatives of the rules whose head begins with the folded text. */
  beginningWith(text: string): readonly number[] {
    if (text === "") return this.first();
    const sorted = this.#sorted ??= this.#rules.toSorted((a, b) => compared(a.head, b.head));
    const range: IndeterminateRule[] = [];
    for (let at = lowerBound(sorted, text); sorted[at]?.head.startsWith(text); at++) {
      range.push(sorted[at]!);
    }
    return representatives(range.sort((a, b) => a.position - b.position));
  }
}

function headOf(toolRule: ToolRule): string | undefined {
  const { rule, readAs } = toolRule;
  if (rule.action === "allow" || !readAs || readAs.shell === "literal") return undefined;
  if (toolRule.head !== undefined) return foldCase(toolRule.head);
  const { specifier } = toolRule;
  const head = specifier?.kind === "argument" ? commandHead(specifier.test) : undefined;
  return head === undefined ? undefined : foldCase(head);
}

/** Of each source kind those before and with the first that never expires; shadow warnings tell kinds apart. */
function representatives(rules: readonly IndeterminateRule[]): readonly number[] {
  const represented = new Set<string>();
  const places: number[] = [];
  for (const { position: place, toolRule: { rule } } of rules) {
    if (represented.has(rule.source.kind)) continue;
    places.push(place);
    if (rule.expiresAt === undefined) represented.add(rule.source.kind);
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

/** The folded text before the first piece that the line does not fix. */
export function fixedBeginning(shape: string): string {
  return foldCase(shape.slice(0, firstOpen(shape)));
}
