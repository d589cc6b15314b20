import type { Action } from "../model/action.ts";
import type { ModeName } from "../model/settings.ts";
import type { ToolClass } from "../model/tool_profile.ts";
import type { DecidedBy } from "../model/decision.ts";
import type { UnitVerdict } from "../model/verdict.ts";

/** What a mode is asked about: one unit, and what its tool does. */
export interface ModeQuestion {
  /** The unit with its verdict. */
  readonly unit: UnitVerdict;
  /** The class of the unit's tool; absent when not known. */
  readonly class?: ToolClass;
}

/** What a mode answers. */
export interface ModeAnswer {
  /** What happens. */
  readonly decision: Action;
  /** Who decided. */
  readonly decidedBy: DecidedBy;
  /** Why, where the mode changed the verdict. */
  readonly reason?: string;
}

/** A mode: what it makes of each unit's verdict. */
export interface Mode {
  /** Its name, or `disabled` for the state without permissions. */
  readonly name: ModeName | "disabled";
  /** One sentence for help. */
  readonly summary: string;
  /** What happens to a unit. */
  answer(question: ModeQuestion): ModeAnswer;
}
