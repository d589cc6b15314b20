import { type Opinion as AutoOpinion, OPINIONS } from "../auto/opinion.ts";
import { decisionOf } from "../../decide/decide.ts";
import type { Decision } from "../../model/decision.ts";
import { asksBySpec } from "../../decide/modes/asks_by_spec.ts";
import { modeNamed } from "../../decide/modes/registry.ts";
import { askingUnits, isLasting, withAnswer } from "../asks.ts";
import type { Passing, Scene, Stage } from "./stage.ts";

/**
 * Auto mode, in the mode `auto`, about what nobody but a person need be asked about. Where a written rule with a spec asks
 * it can only deny. An opinion counts only while the mode is still `auto`.
 */
export const applyClassifier: Stage = {
  name: "classifier",
  concerns({ decision }, { classifier }) {
    return classifier !== undefined && decision?.decision === "ask" &&
      asksModel(decision.mode) && !askingUnits(decision).some(isLasting);
  },
  async run(passing, scene) {
    const { decision } = passing;
    if (decision === undefined) throw new TypeError("Cannot ask the classifier before the mode");
    const onlyDeny = askingUnits(decision).some(asksBySpec);
    const opinion = await opinionOn(passing, { scene, onlyDeny });
    const { source: by, reason } = opinion;
    if (!asksModel(scene.mode())) {
      return { kind: "asks-mode-again", passing, reason: "the mode has changed meanwhile" };
    }
    const result = opinion.decision === "hard_deny"
      ? "deny"
      : opinion.decision === "allow" && !onlyDeny
      ? "allow"
      : "ask";
    const said = result === "ask"
      ? stillAsked(decision, opinion)
      : withAnswer(decision, { decision: result, by, reason });
    return { kind: "goes-on", passing: { ...passing, decision: said }, result, reason };
  },
};

function asksModel(mode: Decision["mode"]): boolean {
  return modeNamed(mode)?.asksModel === true;
}

/** What was asked stays so, with the reason of the opinion. */
function stillAsked(decision: Decision, { source, reason }: AutoOpinion): Decision {
  const units = decision.units.map((unit) =>
    unit.decision === "ask"
      ? { ...unit, decidedBy: source, reason: `${reason}; ${unit.reason}` }
      : unit
  );
  return decisionOf(units, decision);
}

/** The opinion; one that is none, or that could not be had, denies softly. */
async function opinionOn(
  { call }: Passing,
  { scene: { classifier, signal }, onlyDeny }: {
    readonly scene: Scene;
    readonly onlyDeny: boolean;
  },
): Promise<AutoOpinion> {
  try {
    const opinion = await classifier?.judge({ call, ...(onlyDeny ? { onlyDeny } : {}) }, {
      ...(signal === undefined ? {} : { signal }),
    });
    return isOpinion(opinion) ? opinion : fallback("auto mode gave no opinion");
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return fallback(`asking auto mode failed: ${detail}`);
  }
}

function isOpinion(opinion: AutoOpinion | undefined): opinion is AutoOpinion {
  return opinion !== undefined && OPINIONS.includes(opinion.decision) &&
    typeof opinion.reason === "string";
}

function fallback(reason: string): AutoOpinion {
  return { decision: "soft_deny", source: "fallback", reason };
}
