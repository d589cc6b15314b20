/** Everything that ports can answer, for the laws of the gate. */
import fc from "../support/seeded.ts";
import type { Opinion } from "../../lib/gate/auto/opinion.ts";
import type { GateParts, GateTool, ToolOpinion } from "../../lib/gate/gate_parts.ts";
import type { HookDecision } from "../../lib/gate/hooks/hook_outcome.ts";
import type { AskKind } from "../../lib/model/verdict.ts";
import type { Action, ModeName, ToolCall } from "../../lib/model/call.ts";
import { checkPattern } from "../../lib/policy/compile/compile_policy.ts";
import type { CompiledPolicy } from "../../lib/policy/compile/compiled_policy.ts";
import { narrowPattern } from "../../lib/suggest/call_pattern.ts";
import { policyOf, type TestRule } from "../support/policy.ts";
import { anyCall as anyOddCall, anyRule, shellCall, shellRule } from "../support/arbitrary.ts";
import { auto, hooks, modeOf, person } from "../unit/gate/scene.ts";

/** A port that throws. */
export const BROKEN = "throws";

/** The answers of the ports; absent for a port that is not there. */
export interface Outcomes {
  /** The mode; not bypassPermissions. */
  readonly mode: Exclude<ModeName, "bypassPermissions">;
  /** The decision of the hooks. */
  readonly hooks?: HookDecision | typeof BROKEN;
  /** The input that hooks return: none, the same once more, or another each time. */
  readonly updates?: "same" | "other";
  /** The problem that the tool finds in its input. */
  readonly input?: "nothing" | "something" | typeof BROKEN;
  /** The opinion of the tool. */
  readonly tool?: ToolOpinion["decision"] | typeof BROKEN;
  /** True if the tool needs a person. */
  readonly needsPerson: boolean;
  /** The opinion of the model. */
  readonly classifier?: Opinion["decision"] | typeof BROKEN;
  /** The answer of the person. */
  readonly ask?: AskKind | typeof BROKEN;
  /** True if there is no person to ask. */
  readonly headless: boolean;
  /** True if ordinary questions are answered with allow. */
  readonly autoAllow: boolean;
}

const maybe = <T>(...values: readonly T[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined });

/** Any outcomes. */
export const anyOutcomes: fc.Arbitrary<Outcomes> = fc.record({
  mode: fc.constantFrom("default", "acceptEdits", "plan", "auto", "dontAsk"),
  hooks: maybe("proceed", "allow", "allow", "ask", "deny", BROKEN),
  updates: fc.option(fc.constantFrom("same", "other"), { nil: undefined, freq: 3 }),
  input: fc.option(fc.constantFrom("nothing", "something", BROKEN), { nil: undefined, freq: 2 }),
  tool: maybe("allow", "allow", "ask", "deny", "passthrough", BROKEN),
  needsPerson: fc.boolean(),
  classifier: maybe("allow", "allow", "soft_deny", "hard_deny", BROKEN),
  ask: maybe("allow-once", "allow-always", "deny-once", "deny-always", BROKEN),
  headless: fc.boolean(),
  autoAllow: fc.boolean(),
}).map((outcomes) =>
  Object.fromEntries(
    Object.entries(outcomes).filter(([, value]) => value !== undefined),
  ) as unknown as Outcomes
);

/** A call as JSON.parse would make it, and a few rules; often one of them speaks of just this call. */
export const anyScene: fc.Arbitrary<{ readonly call: ToolCall; readonly policy: CompiledPolicy }> =
  fc
    .record({
      rules: fc.array(fc.oneof(anyRule, shellRule), { maxLength: 6 }),
      call: fc.oneof(anyOddCall, shellCall).map((call) => structuredClone(call)),
      own: fc.option(fc.constantFrom<Action>("allow", "deny", "ask", "ask")),
      place: fc.constantFrom("first", "last"),
    })
    .map(({ rules, call, own, place }) => {
      const policy = policyOf(rules);
      const pattern = own === null ? undefined : narrowPattern(policy.request(call));
      if (own === null || pattern === undefined) return { call, policy };
      const rule: TestRule = { pattern, action: own };
      const { error } = checkPattern(pattern, { action: own, profiles: policy.profiles });
      if (error) return { call, policy };
      return { call, policy: policyOf(place === "first" ? [rule, ...rules] : [...rules, rule]) };
    });

function broken(): never {
  throw new Error("a bug");
}

/** The ports that answer so. */
export function partsFor(
  outcomes: Outcomes,
  call: ToolCall,
): Omit<GateParts, "policy"> & { readonly mode: ReturnType<typeof modeOf> } {
  const { mode, classifier, ask, headless, autoAllow } = outcomes;
  return {
    mode: modeOf(mode),
    ...(outcomes.hooks === undefined ? {} : { hooks: hooksFor(outcomes) }),
    tools: { [call.tool]: toolFor(outcomes) },
    ...(classifier === undefined
      ? {}
      : { classifier: classifier === BROKEN ? auto(broken) : auto(classifier) }),
    ...(ask === undefined ? {} : { ask: ask === BROKEN ? { ask: broken } : person(ask) }),
    headless,
    autoAllow,
  };
}

function hooksFor({ hooks: says, updates }: Outcomes) {
  return hooks((input) => {
    if (says === BROKEN) return broken();
    const decision = says ?? "proceed";
    if (updates === undefined || decision === "deny") return { decision };
    const times = typeof input.times === "number" ? input.times + 1 : 1;
    return { decision, updatedInput: updates === "same" ? { ...input } : { ...input, times } };
  });
}

function toolFor({ input, tool, needsPerson }: Outcomes): GateTool {
  return {
    needsPerson,
    ...(input === undefined ? {} : {
      validateInput: () =>
        input === BROKEN ? broken() : input === "something" ? "no such file" : undefined,
    }),
    ...(tool === undefined
      ? {}
      : { checkPermissions: () => tool === BROKEN ? broken() : { decision: tool } }),
  };
}
