import type { Facts } from "../tools/facts.ts";
import { RuleIndex } from "../policy/rule_index.ts";
import type { Entry } from "../policy/rule_table.ts";
import { CommandGuards } from "./command_guards.ts";
import { PathNames } from "./path_names.ts";

/** The rules of one tool, ready to be asked. */
interface ToolEntries {
  readonly entries: readonly Entry[];
  readonly index: RuleIndex;
  readonly names: PathNames;
  guards?: CommandGuards;
}

/** The compiled rules of every tool, each tool's made once, however many there are. */
export class EntryStore {
  readonly #make: (tool: string) => readonly Entry[];
  readonly #tools = new Map<string, ToolEntries>();

  /** `make` compiles the rules that speak of a tool. */
  constructor(make: (tool: string) => readonly Entry[]) {
    this.#make = make;
  }

  /** Every rule that speaks of the tool, in order. */
  entries(tool: string): readonly Entry[] {
    return this.#of(tool).entries;
  }

  /** The rules that may fit the call, in order; what is left out does not fit, or another one speaks for it. */
  candidates(facts: Facts): readonly Entry[] {
    const { index, names } = this.#of(facts.profile.name);
    return names.narrowed(index.candidates(facts), facts);
  }

  /** Every deny and ask rule of the call's tool that cannot be evaluated for what the call's line leaves open, in order. */
  guards(facts: Facts): readonly Entry[] {
    const tool = this.#of(facts.profile.name);
    return (tool.guards ??= new CommandGuards(tool.entries)).of(facts);
  }

  #of(tool: string): ToolEntries {
    let known = this.#tools.get(tool);
    if (!known) {
      const entries = this.#make(tool);
      known = { entries, index: new RuleIndex(entries), names: new PathNames(entries) };
      this.#tools.set(tool, known);
    }
    return known;
  }
}
