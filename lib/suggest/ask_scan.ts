import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/verdict.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { AskGroups } from "./ask_groups.ts";
import { type AskedCall, askedCall, CLOSED, type Closed } from "./asked_call.ts";
import type { ToolClass } from "./class_rule.ts";
import type { ClassScan } from "./class_scan.ts";
import type { OwnToolScan } from "./own_tools.ts";
import { RememberedCalls } from "./recorded_calls.ts";

/** Options of `AskScan`. */
export interface ScanOptions {
  readonly policy: CompiledPolicy;
  /** Decides a call; the same call always alike. */
  readonly decide: (policy: CompiledPolicy, call: ToolCall) => Decision;
  /** Counts the asks that a rule for a class would answer. */
  readonly classes?: ClassScan;
  /** Counts programs of one's own among the asks. */
  readonly own?: OwnToolScan;
  /** The most groups of asks to keep; 10,000 when left out. */
  readonly most?: number;
}

/** Refused calls that are kept; the others are found when a set is verified. */
const REFUSED = 500;

/** The rules that a call needs, the class whose rule answers it, and its programs without a table. */
interface Known {
  readonly asked: AskedCall;
  readonly ofClass: ToolClass | undefined;
  readonly commands: readonly string[];
}

/** Counts the asks of recorded calls, in constant memory. */
export class AskScan {
  readonly #options: ScanOptions;
  readonly #known = new RememberedCalls<Known | undefined>();
  readonly #closed = new Map<Closed, number>(CLOSED.map((why) => [why, 0]));
  /** The asks that rules may answer. */
  readonly groups: AskGroups;
  readonly #refused = new Map<string, ToolCall>();
  #calls = 0;
  #asks = 0;

  constructor(options: ScanOptions) {
    this.#options = options;
    const { most } = options;
    this.groups = new AskGroups(most === undefined ? {} : { most });
  }

  /** Counts one call; `answer` is set if a person refused it. */
  add(call: ToolCall, { answer }: { readonly answer?: "refused" } = {}): void {
    this.#calls++;
    const { policy, decide, classes, own } = this.#options;
    const known = this.#known.of(call, () => {
      const decision = decide(policy, call);
      const asked = askedCall(policy, decision);
      return asked && {
        asked,
        ofClass: classes?.classOf(decision),
        commands: own?.commandsOf(decision) ?? [],
      };
    });
    if (known === undefined) return;
    const { asked, ofClass, commands } = known;
    this.#asks++;
    if (answer === "refused") return this.#refuse(call);
    if (ofClass !== undefined) classes?.add(ofClass, call);
    own?.add(commands, call);
    if (asked.kind === "open") this.groups.add(asked.choices, call);
    else this.#closed.set(asked.why, this.#closed.get(asked.why)! + 1);
  }

  #refuse(call: ToolCall): void {
    this.#closed.set("refused", this.#closed.get("refused")! + 1);
    if (this.#refused.size < REFUSED) {
      this.#refused.set(JSON.stringify([call.tool, call.input, call.cwd]), call);
    }
  }

  /** The first different calls that a person refused. */
  get refused(): readonly ToolCall[] {
    return [...this.#refused.values()];
  }

  /** The number of calls. */
  get calls(): number {
    return this.#calls;
  }

  /** The number of calls that ask. */
  get asks(): number {
    return this.#asks;
  }

  /** The number of asks without a suggestion, by reason; has every reason. */
  get closed(): ReadonlyMap<Closed, number> {
    return this.#closed;
  }
}
