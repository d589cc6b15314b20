import { openPolicyOf } from "../../../lib/decide/policy.ts";
import type { DecidingGate } from "../../../lib/adapters/adapters.ts";
import { createGate } from "../../../lib/gate/create_gate.ts";
import type { GateParts } from "../../../lib/gate/gate_parts.ts";
import { policyWith } from "../gate/scene.ts";

/** Rules that allow `ls`, deny `rm` and say nothing else about a command. */
export const RULES = ["allow Bash(ls:*)", "deny Bash(rm:*)"] as const;

/** A gate that counts what it is asked. */
export interface CountingGate extends DecidingGate {
  /** Every call, and what came with it. */
  readonly asked: (readonly [call: unknown, options: unknown])[];
}

/** A real gate of `RULES` that counts. */
export function gateOf(parts: Partial<GateParts> = {}): CountingGate {
  return counting(createGate({ policy: openPolicyOf(policyWith(...RULES)), ...parts }));
}

/** A gate that answers so, whatever that is. */
export function gateSaying(answer: () => unknown): CountingGate {
  return counting({ decide: async () => await answer() as object });
}

function counting(gate: DecidingGate): CountingGate {
  const asked: CountingGate["asked"] = [];
  return {
    asked,
    decide(call, options) {
      asked.push([call, options]);
      return gate.decide(call, options);
    },
  };
}

/** A signal that nobody gives. */
export const quiet: AbortSignal = new AbortController().signal;

/** Answers of gates that are none, none of which may let a call run. */
export const JUNK: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => true,
  () => "allow",
  () => ["allow"],
  () => ({}),
  () => ({ decision: "Allow", call: { input: {} } }),
  () => ({ decision: true, call: { input: {} } }),
  () => ({ decision: ["allow"], call: { input: {} } }),
  () => ({ decision: "allow" }),
  () => ({ decision: "allow", call: null }),
  () => ({ decision: "allow", call: {} }),
  () => ({ decision: "allow", call: { input: "ls" } }),
  () => ({ decision: "allow", call: { input: { at: new Date(0) } } }),
  () => {
    throw new Error("the gate is gone");
  },
  () => Promise.reject("no error at all"),
];
