import { evaluate } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/verdict.ts";
import { answeringClass, type ClassTrial, otherCommands, type ToolClass } from "./class_rule.ts";
import { isAnswerable } from "./suggest_rules.ts";

/** Recorded calls that are shown of a class. */
const EXAMPLES = 3;

/** A rule for a class, and the asks that it alone would answer. */
export interface ClassOffer {
  readonly pattern: string;
  /** The number of recorded calls that it answers. */
  readonly answers: number;
  /** The first of them that differ. */
  readonly examples: readonly ToolCall[];
  /** Other commands that it would allow. */
  readonly also: readonly string[];
}

interface Count {
  readonly found: ToolClass;
  answers: number;
  readonly examples: Map<string, ToolCall>;
}

/** Counts the asks that a rule for one class would answer, in constant memory. */
export class ClassScan {
  readonly #trial: ClassTrial;
  readonly #counts = new Map<string, Count>();

  constructor(trial: ClassTrial) {
    this.#trial = trial;
  }

  /** The class that answers a call that asks. */
  classOf(decision: Decision): ToolClass | undefined {
    if (decision.decision !== "ask") return undefined;
    const asking = decision.units.filter((unit) => unit.decision === "ask");
    const isOpen = asking.every((unit) => isAnswerable(unit) && unit.check === undefined);
    const { call } = decision.verdict;
    return isOpen ? answeringClass(asking, { call, trial: this.#trial }) : undefined;
  }

  /** Counts a call of that class. */
  add(found: ToolClass, call: ToolCall): void {
    const { pattern } = found;
    const known = this.#counts.get(pattern);
    const count = known ?? { found, answers: 0, examples: new Map<string, ToolCall>() };
    if (known === undefined) this.#counts.set(pattern, count);
    count.answers++;
    if (count.examples.size < EXAMPLES) count.examples.set(JSON.stringify(call.input), call);
  }

  /** The rules that answer asks, the one that answers most first; none that allows a call that a person refused. */
  offers(refused: readonly ToolCall[]): readonly ClassOffer[] {
    const trial = this.#trial;
    return [...this.#counts.values()].flatMap(({ found, answers, examples }) => {
      const after = trial.withRule(found.pattern);
      const isRefused = (call: ToolCall) =>
        after === undefined || evaluate(after, call, trial.options).action === "allow";
      const also = otherCommands(found, { trial });
      if (also.length === 0 || refused.some(isRefused)) return [];
      return [{ pattern: found.pattern, answers, examples: [...examples.values()], also }];
    }).toSorted((a, b) => b.answers - a.answers);
  }
}
