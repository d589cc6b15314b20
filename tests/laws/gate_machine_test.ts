import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../support/seeded.ts";
import { openPolicyOf } from "../../lib/decide/policy.ts";
import type { Opinion } from "../../lib/gate/auto/opinion.ts";
import { createGate } from "../../lib/gate/create_gate.ts";
import type { Gate, GateDecision } from "../../lib/gate/gate.ts";
import { STAGES } from "../../lib/gate/stages/run_stages.ts";
import type { HookDecision } from "../../lib/gate/hooks/hook_outcome.ts";
import type { AskAnswer, AskKind } from "../../lib/model/verdict.ts";
import type { ModeName, ToolCall } from "../../lib/model/call.ts";
import { createSharedMode } from "../../lib/decide/shared_mode.ts";
import { auto, later, policyWith } from "../unit/gate/scene.ts";

const POLICIES = [
  policyWith("allow Bash(ls:*)", "deny Bash:rm *", "ask Bash:git push *"),
  policyWith("deny Bash:git push --force *", "allow Write:src/**", "deny Write:src/secret"),
  policyWith("ask Bash", "allow WebFetch:https://x.org/*"),
];
const INPUTS: readonly ToolCall[] = [
  ...[
    "ls",
    "make",
    "rm x",
    'rm "$@"',
    "git push",
    "git push --force",
    "ls && make",
    "echo a > src/b",
  ]
    .map((command) => ({ tool: "Bash", input: { command } })),
  ...["src/a", "src/secret", ".git/config", "/etc/passwd"]
    .map((path) => ({ tool: "Write", input: { path } })),
  { tool: "WebFetch", input: { url: "https://x.org/a" } },
];
const MODES: readonly ModeName[] = [
  "default",
  "acceptEdits",
  "plan",
  "auto",
  "dontAsk",
  "bypassPermissions",
];

type Move =
  | { readonly move: "call"; readonly which: number }
  | { readonly move: "answer"; readonly which: number; readonly kind: AskKind | "throw" }
  | { readonly move: "mode"; readonly mode: ModeName }
  | { readonly move: "policy"; readonly which: number }
  | { readonly move: "hook"; readonly says: HookDecision | "throw" }
  | { readonly move: "model"; readonly says: Opinion["decision"] | "throw" }
  | { readonly move: "hold" | "release" }
  | { readonly move: "abort"; readonly which: number };

const { constantFrom, nat, record, constant } = fc;
const call = record({ move: constant("call"), which: nat(INPUTS.length - 1) });
const anyMove: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: call },
  {
    weight: 3,
    arbitrary: record({
      move: constant("answer"),
      which: nat(3),
      kind: constantFrom("allow-once", "allow-always", "deny-once", "deny-always", "throw"),
    }),
  },
  record({ move: constant("mode"), mode: constantFrom(...MODES) }),
  record({ move: constant("policy"), which: nat(POLICIES.length - 1) }),
  record({
    move: constant("hook"),
    says: constantFrom("proceed", "proceed", "allow", "ask", "deny", "throw"),
  }),
  record({
    move: constant("model"),
    says: constantFrom("allow", "soft_deny", "hard_deny", "throw"),
  }),
  record({ move: constantFrom("hold", "release") }),
  record({ move: constant("abort"), which: nat(3) }),
);

/** A call under way, and all that was said while it was. */
interface Underway {
  readonly id: number;
  readonly controller: AbortController;
  readonly said: Set<string>;
  end?: GateDecision | "rejected";
}

/** The gate with everything round it, as a test drives it. */
class Machine {
  readonly calls: Underway[] = [];
  readonly #mode = createSharedMode({ allowBypass: true });
  readonly #pending: { readonly id: number; readonly answer: (kind: AskKind | "throw") => void }[] =
    [];
  readonly #gate: Gate;
  /** The policy of each version. */
  readonly policies = new Map<number, number>();
  #policy = 0;
  /** While it is there, hooks take their time. */
  #held: ReturnType<typeof later<void>> | undefined;
  #hook: HookDecision | "throw" = "proceed";
  #model: Opinion["decision"] | "throw" = "allow";

  constructor() {
    this.#gate = createGate({
      policy: openPolicyOf(POLICIES[0]!),
      mode: this.#mode,
      hooks: {
        run: async () => {
          await this.#held?.promise;
          if (this.#hook === "throw") throw new Error("a bug");
          return { decision: this.#hook, warnings: [], results: [] };
        },
      },
      classifier: auto(async () => {
        await Promise.resolve();
        if (this.#model === "throw") throw new Error("a bug");
        return { decision: this.#model, source: "classifier", reason: "so" };
      }),
      ask: {
        ask: (question) =>
          new Promise<AskAnswer>((resolve, reject) => {
            const id = Number(question.call.input.id);
            const answer = (kind: AskKind | "throw") =>
              kind === "throw" ? reject(new Error("a bug")) : resolve({ kind });
            this.#pending.push({ id, answer });
          }),
      },
    });
  }

  get rules() {
    return this.#gate.sessionRules;
  }

  async make(move: Move): Promise<void> {
    switch (move.move) {
      case "call":
        this.#call(INPUTS[move.which]!);
        break;
      case "answer": {
        const [asked] = this.#pending.splice(move.which % (this.#pending.length || 1), 1);
        if (asked) this.calls[asked.id]!.said.add(`answer ${move.kind}`);
        asked?.answer(move.kind);
        break;
      }
      case "mode":
        this.#mode.set(move.mode);
        break;
      case "policy":
        this.#gate.setPolicy(openPolicyOf(POLICIES[this.#policy = move.which]!));
        break;
      case "hook":
        this.#hook = move.says;
        break;
      case "model":
        this.#model = move.says;
        break;
      case "hold":
        this.#held ??= later<void>();
        break;
      case "release":
        this.#held?.settle();
        this.#held = undefined;
        break;
      case "abort":
        this.#open()[move.which]?.controller.abort("given up");
        break;
    }
    this.#remember();
    for (let tick = 0; tick < 120; tick++) {
      this.policies.set(this.#gate.policyVersion, this.#policy);
      await Promise.resolve();
    }
  }

  /** Denies what is still asked. */
  async finish(): Promise<void> {
    await this.make({ move: "release" });
    while (this.#pending.length > 0) {
      await this.make({ move: "answer", which: 0, kind: "deny-once" });
    }
    await new Promise((resolve) => setTimeout(resolve));
  }

  #call({ tool, input }: ToolCall): void {
    const id = this.calls.length;
    const controller = new AbortController();
    const underway: Underway = { id, controller, said: new Set() };
    this.calls.push(underway);
    this.#remember();
    this.#gate.decide({ tool, input: { ...input, id } }, { signal: controller.signal }).then(
      (decision) => underway.end = decision,
      (reason) => underway.end = reason === "given up" ? "rejected" : undefined!,
    );
  }

  #open(): readonly Underway[] {
    return this.calls.filter(({ end }) => end === undefined);
  }

  #remember(): void {
    for (const { said } of this.#open()) {
      said.add(`mode ${this.#mode.current}`).add(`hook ${this.#hook}`).add(`model ${this.#model}`);
    }
  }
}

/** True if the part that is said to have allowed a call did so. */
function isGiven({ said }: Underway, end: GateDecision, machine: Machine): boolean {
  const { decidedBy, verdict, policyVersion } = end;
  switch (decidedBy) {
    case "rule": {
      const { rule } = verdict;
      if (verdict.action !== "allow" || rule === null) return false;
      return rule.source.kind === "session"
        ? machine.rules.some(({ pattern, action }) =>
          pattern === rule.pattern && action === "allow"
        )
        : POLICIES[machine.policies.get(policyVersion)!]!.rules.some(({ pattern, action }) =>
          pattern === rule.pattern && action === "allow"
        );
    }
    case "mode":
      return said.has("mode acceptEdits") || said.has("mode dontAsk");
    case "bypass":
      return said.has("mode bypassPermissions");
    case "hook":
      return said.has("hook allow");
    case "classifier":
      return said.has("mode auto") && said.has("model allow");
    case "ask":
      return said.has("answer allow-once") || said.has("answer allow-always");
    default:
      return false;
  }
}

function assertTrace({ trace, decidedBy, decision, ...end }: GateDecision) {
  let version = 0;
  const rounds = new Map<number, number>();
  for (const { stage, round, policyVersion } of trace.slice(0, -1)) {
    const at = STAGES.findIndex(({ name }) => name === stage);
    // An answer leads back, and only to the rules.
    assert.ok(at > (rounds.get(round) ?? -1) || stage === "rules");
    rounds.set(round, at);
    if (stage !== "rules") continue;
    assert.ok(policyVersion !== undefined && policyVersion >= version);
    version = policyVersion;
  }
  if (version > 0) assert.equal(end.policyVersion, version);
  const last = trace.at(-1);
  assert.deepEqual([last?.stage, last?.result, last?.decidedBy], ["decision", decision, decidedBy]);
}

/** One way to each giver, whatever the samples are. */
const GIVERS: readonly (readonly [giver: string, moves: readonly Move[]])[] = [
  ["ask", [{ move: "call", which: 1 }, { move: "answer", which: 0, kind: "allow-once" }]],
  ["bypass", [{ move: "mode", mode: "bypassPermissions" }, { move: "call", which: 2 }]],
  ["classifier", [{ move: "mode", mode: "auto" }, { move: "call", which: 1 }]],
  ["hook", [{ move: "hook", says: "allow" }, { move: "call", which: 1 }]],
  ["mode", [{ move: "mode", mode: "dontAsk" }, { move: "call", which: 1 }]],
  ["rule", [{ move: "call", which: 0 }]],
];

test("whatever happens in whatever order, an allow has a giver, and the trace names it", async () => {
  const givers = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(anyMove, { minLength: 1, maxLength: 40 }), async (moves) => {
      const machine = new Machine();
      for (const move of moves) await machine.make(move);
      await machine.finish();
      for (const underway of machine.calls) {
        const { end, controller } = underway;
        assert.ok(end !== undefined, "a call was never decided");
        if (end === "rejected") {
          assert.ok(controller.signal.aborted);
          continue;
        }
        assertTrace(end);
        if (end.decision !== "allow") continue;
        givers.set(end.decidedBy, (givers.get(end.decidedBy) ?? 0) + 1);
        assert.ok(isGiven(underway, end, machine), end.decidedBy);
        if (end.decidedBy !== "bypass") assert.notEqual(end.verdict.action, "deny");
      }
    }),
    { numRuns: 300, examples: GIVERS.map(([, moves]) => [[...moves]]) },
  );
  assert.deepEqual([...givers.keys()].toSorted(), GIVERS.map(([giver]) => giver));
});
