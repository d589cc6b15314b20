import type { Action } from "../../model/action.ts";
import type { ModeName } from "../../model/settings.ts";
import type { ToolClass } from "../../model/tool_profile.ts";
import type { DecidedBy } from "../../model/decision.ts";
import type { UnitVerdict } from "../../model/verdict.ts";

/** What a mode is asked about: one unit, and what its tool does. */
export interface ModeQuestion {
  /** The unit with its verdict; where a safety check stops it, as an ask by `safety`. */
  readonly unit: UnitVerdict;
  /** The class of the unit's tool; absent when not known. */
  readonly class?: ToolClass;
  /** Whether the file that it is about is known and, links followed, inside the workspace. */
  readonly isInside: () => boolean;
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
  /** One sentence for help, without a final full stop. */
  readonly summary: string;
  /** A few characters for a status line; empty where there is nothing to say. */
  readonly badge: string;
  /** Whether a model is asked about what it leaves a question. */
  readonly asksModel?: true;
  /** Whether it lets run what rules deny. A policy that says `enforce` refuses it, and a mode needs the latch. */
  readonly liftsDenials?: true;
  /** What happens to a unit. */
  answer(question: ModeQuestion): ModeAnswer;
}

/** A mode of the cycle. */
export interface NamedMode extends Mode {
  /** Its name. */
  readonly name: ModeName;
}

/** The answer of a mode that changes nothing. */
export function unchanged({ unit }: ModeQuestion): ModeAnswer {
  return { decision: unit.action, decidedBy: unit.by };
}
