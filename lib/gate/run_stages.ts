import type { DecidedBy } from "../model/decision.ts";
import { abortable } from "./abortable.ts";
import type { GateStep } from "./gate.ts";
import type { Passing, Scene, Stage, StageResult } from "./stage.ts";
import { STAGES } from "./stages.ts";

/** How a call's way through the stages ended. */
export interface Run {
  /** The call as it came out. */
  readonly passing: Passing;
  /** Every stage that ran, in order. */
  readonly steps: readonly GateStep[];
  /** Set where it is denied as a whole. */
  readonly denial?: Denial;
}

/** A deny of the call as a whole. */
export interface Denial {
  /** Who denies it. */
  readonly by: DecidedBy;
  /** Why, in one sentence without a final full stop. */
  readonly reason: string;
  /** What was thrown, where that is why. */
  readonly cause?: unknown;
}

/** How often the mode may change while a model is asked about one call. */
const MOST_MODES = 8;

/**
 * Leads a call through the stages. What a stage throws is a deny with its cause; when the signal is aborted it rejects
 * with the signal's reason, and nothing is decided.
 */
export async function runStages(start: Passing, scene: Scene): Promise<Run> {
  const steps: GateStep[] = [];
  let passing = start;
  let modes = 0;
  for (let at = 0; at < STAGES.length;) {
    const stage = STAGES[at]!;
    const result = await attempt(stage, passing, scene);
    if (result === undefined) {
      at++;
      continue;
    }
    const { round } = passing;
    passing = result.passing;
    steps.push({ stage: stage.name, round, ...told(result), ...version(stage, scene) });
    switch (result.kind) {
      case "goes-on":
        at++;
        break;
      case "begins-anew":
        at = 0;
        break;
      case "asks-mode-again":
        if (++modes > MOST_MODES) return { passing, steps, denial: RESTLESS };
        at = STAGES.findIndex(({ name }) => name === "mode");
        break;
      case "denied":
      case "failed":
        return { passing, steps, denial: denialOf(result) };
    }
  }
  return { passing, steps };
}

const RESTLESS: Denial = {
  by: "mode",
  reason: "the mode changes faster than the call can be decided",
};

/** What a stage made of the call; or that it threw. */
type Attempt = StageResult | {
  readonly kind: "failed";
  readonly passing: Passing;
  readonly reason: string;
  readonly cause: unknown;
};

/** Undefined where the stage has nothing to do with the call. */
async function attempt(
  stage: Stage,
  passing: Passing,
  scene: Scene,
): Promise<Attempt | undefined> {
  const { signal } = scene;
  try {
    if (!stage.concerns(passing, scene)) return undefined;
    return await abortable(signal, () => stage.run(passing, scene));
  } catch (cause) {
    signal?.throwIfAborted();
    const detail = cause instanceof Error ? cause.message : String(cause);
    const reason = `the call cannot be decided: the stage ${stage.name} failed: ${detail}`;
    return { kind: "failed", passing, reason, cause };
  }
}

function told(attempt: Attempt): Pick<GateStep, "result" | "reason"> {
  const { kind, reason } = attempt;
  switch (kind) {
    case "goes-on":
      return { result: attempt.result, reason };
    case "begins-anew":
    case "asks-mode-again":
      return { result: "changed", reason };
    case "denied":
      return { result: "deny", reason };
    case "failed":
      return { result: "failed", reason };
  }
}

function version({ name }: Stage, { policyVersion }: Scene): Pick<GateStep, "policyVersion"> {
  return name === "rules" ? { policyVersion } : {};
}

function denialOf(attempt: Extract<Attempt, { kind: "denied" | "failed" }>): Denial {
  const { reason } = attempt;
  return attempt.kind === "denied"
    ? { by: attempt.by, reason }
    : { by: "safety", reason, cause: attempt.cause };
}
