import { type Action, COMMAND_CLASSES, type CommandClass } from "../model/call.ts";
import type { Decision } from "../model/verdict.ts";
import type { ClassCounts } from "./replay_report.ts";

/** Adds up the commands of each class by their decisions. */
export class ClassCounter {
  readonly #counts = new Map<CommandClass, Record<Action, number>>();

  /** Adds the commands of one call. */
  add(counts: ClassCounts): void {
    for (const name of COMMAND_CLASSES) {
      const added = counts[name];
      if (added === undefined) continue;
      const sum = this.#of(name);
      sum.allow += added.allow;
      sum.ask += added.ask;
      sum.deny += added.deny;
    }
  }

  /** Adds one command. */
  count(name: CommandClass, decision: Action): void {
    this.#of(name)[decision]++;
  }

  /** The counts so far, in the order of the classes. */
  counts(): ClassCounts {
    return Object.fromEntries(
      COMMAND_CLASSES.flatMap((name) => {
        const counts = this.#counts.get(name);
        return counts === undefined ? [] : [[name, { ...counts }]];
      }),
    );
  }

  #of(name: CommandClass): Record<Action, number> {
    const known = this.#counts.get(name);
    if (known !== undefined) return known;
    const none = { allow: 0, ask: 0, deny: 0 };
    this.#counts.set(name, none);
    return none;
  }
}

/** The commands and unknown parts of a line by class; the files that they open are no commands. */
export function classesOf({ units }: Pick<Decision, "units">): ClassCounts {
  const counter = new ClassCounter();
  for (const { kind, classes, decision } of units) {
    if (kind !== "command" && kind !== "opaque" && kind !== "call") continue;
    for (const name of classes) counter.count(name, decision);
  }
  return counter.counts();
}
