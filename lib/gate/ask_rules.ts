import { evaluate } from "../engine/evaluate.ts";
import type { Stage } from "./stage.ts";

/** The verdict of the rules; and whether the call is one of those that a sub-agent may make at all. */
export const askRules: Stage = {
  name: "rules",
  concerns: () => true,
  run(passing, { policy, now, limits }) {
    const time = now();
    const verdict = evaluate(policy, passing.call, time === undefined ? {} : { now: time });
    const told = { ...passing, verdict, warnings: [...passing.warnings, ...verdict.warnings] };
    const bar = limits.bars(passing.call, policy);
    if (bar !== undefined) return { kind: "denied", passing: told, by: "rule", reason: bar };
    const { action: result, reason } = verdict;
    return { kind: "goes-on", passing: told, result, reason };
  },
};
