import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/decision.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { AskGroups } from "./ask_groups.ts";
import { type AskedCall, askedCall, CLOSED, type Closed } from "./asked_call.ts";
import { RememberedCalls } from "./remembered_calls.ts";

/** How recorded calls are looked at. */
export interface ScanOptions {
  /** The policy. */
  readonly policy: Policy;
  /** Decides a call; the same call always alike. */
  readonly decide: (policy: Policy, call: ToolCall) => Decision;
  /** How many groups of asks are kept; 10,000 when left out. */
  readonly most?: number;
}

/** Refused calls that are kept; the others are found when a set is verified. */
const REFUSED = 500;

/** Counts what recorded calls ask about, one after the other, in constant memory. */
export class AskScan {
  readonly #options: ScanOptions;
  readonly #known = new RememberedCalls<AskedCall | undefined>();
  readonly #closed = new Map<Closed, number>(CLOSED.map((why) => [why, 0]));
  /** The asks that rules may answer. */
  readonly groups: AskGroups;
  readonly #refused = new Map<string, ToolCall>();
  #calls = 0;
  #asks = 0;

  /** Has seen nothing yet. */
  constructor(options: ScanOptions) {
    this.#options = options;
    const { most } = options;
    this.groups = new AskGroups(most === undefined ? {} : { most });
  }

  /** Looks at one call; `answer` is what a person said to it, where that is recorded. */
  add(call: ToolCall, { answer }: { readonly answer?: "refused" } = {}): void {
    this.#calls++;
    const { policy, decide } = this.#options;
    const asked = this.#known.of(call, () => askedCall(policy, decide(policy, call)));
    if (asked === undefined) return;
    this.#asks++;
    if (answer === "refused") this.#refuse(call);
    else if (asked.kind === "open") this.groups.add(asked.needs, call);
    else this.#closed.set(asked.why, this.#closed.get(asked.why)! + 1);
  }

  #refuse(call: ToolCall): void {
    this.#closed.set("refused", this.#closed.get("refused")! + 1);
    if (this.#refused.size < REFUSED) {
      this.#refused.set(JSON.stringify([call.tool, call.input, call.cwd]), call);
    }
  }

  /** Calls that a person said no to, the first ones that differ. */
  get refused(): readonly ToolCall[] {
    return [...this.#refused.values()];
  }

  /** How many calls there were. */
  get calls(): number {
    return this.#calls;
  }

  /** How many of them are asked about. */
  get asks(): number {
    return this.#asks;
  }

  /** How many of these no rule is suggested for, by the reason; every reason is there. */
  get closed(): ReadonlyMap<Closed, number> {
    return this.#closed;
  }
}
