import type { Action, CommandClass, ToolClass } from "../model/call.ts";
import type { DecidedBy, Decision, UnitDecision, UnitVerdict } from "../model/verdict.ts";
import { isInside } from "../pattern/path/call_path.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import type { Request } from "../policy/compile/request.ts";
import type { Evaluation } from "./evaluate.ts";
import type { LineCommand } from "./classes/line_command.ts";
import { defaultMode, isRefused, type Mode, type ModeQuestion, refusal } from "./modes.ts";
import { strictestOf, underMode, withoutPerson, withSafetyCheck } from "./precedence.ts";
import { type ProtectedUnit, protectedUnits } from "./protected/check_protected.ts";
import { decidedUnit } from "./unit_result.ts";
import { withRightsCheck } from "./raised_rights.ts";

/** The answers to questions without a person. */
export interface AnswerOptions {
  /** True if there is no person to ask: then an ask is a deny. */
  readonly headless?: boolean;
  /** True if ordinary questions are answered with allow. */
  readonly autoAllow?: boolean;
}

/** Options of `decide`. */
export interface DecideOptions extends AnswerOptions {
  /** The mode in force. */
  readonly mode: Mode;
}

/**
 * Decides a call: the verdict of its policy, unit by unit with its safety checks, then the mode, then the flags that answer
 * questions. If the policy sets `enforce`, a mode that lifts denials or answers every question is the default mode, and
 * `autoAllow` does not count.
 */
export function decide(
  policy: CompiledPolicy,
  evaluation: Evaluation,
  options: DecideOptions,
): Decision {
  const decision = decideInMode(policy, evaluation, options.mode);
  if (options.autoAllow !== true || policy.settings.enforce?.value !== true) {
    return answerQuestions(decision, options);
  }
  const warnings = [...decision.warnings, refusal("auto-allow", policy.settings)];
  return answerQuestions({ ...decision, warnings }, { ...options, autoAllow: false });
}

/** As `decide`, before questions are answered. */
export function decideInMode(
  policy: CompiledPolicy,
  evaluation: Evaluation,
  wanted: Mode,
): Decision {
  const { request, verdict } = evaluation;
  const isOut = isRefused(wanted, policy.settings);
  const mode = isOut ? defaultMode : wanted;
  const checked: readonly ProtectedUnit[] = mode.liftsDenials
    ? verdict.units.map((unit) => ({ unit }))
    : withRightsCheck(protectedUnits(policy, evaluation), { policy, evaluation });
  const { commandOf } = evaluation;
  const units = checked.map((each) => unitDecision(each, { policy, request, mode, commandOf }));
  const warnings = isOut
    ? [...verdict.warnings, refusal(wanted.name, policy.settings)]
    : verdict.warnings;
  return decisionOf(units, { verdict, mode: mode.name, warnings });
}

/**
 * The decision with its questions answered by the options; a safety check is never answered with allow. The questions of a
 * denied call stay open, so its deny remains that of the rule, mode or list that made it.
 */
export function answerQuestions(decision: Decision, options: AnswerOptions): Decision {
  if (decision.decision !== "ask" || !options.headless && !options.autoAllow) return decision;
  return decisionOf(decision.units.map((unit) => answered(unit, options)), decision);
}

/** The decision of the strictest unit; of equal ones the first that is not decided by the rules alone. */
export function decisionOf(
  units: readonly UnitDecision[],
  { verdict, mode, warnings, opinion }: Omit<
    Decision,
    "decision" | "decidedBy" | "reason" | "units"
  >,
): Decision {
  const strictest = strictestOf(units, ({ decision, decidedBy, rule }) => ({
    action: decision,
    by: decidedBy === "safety" ? "safety" : "rule",
    rule: decidedBy === "rule" ? rule : null,
  }));
  const changed = strictest.decision === "allow"
    ? units.find(({ action, decision, decidedBy }) => action !== decision || decidedBy !== "rule")
    : undefined;
  const { decision, decidedBy, reason } = changed ?? strictest;
  return opinion === undefined
    ? { verdict, decision, mode, decidedBy, reason, units, warnings }
    : { verdict, decision, mode, decidedBy, reason, units, opinion, warnings };
}

interface DecideContext extends Pick<Evaluation, "commandOf"> {
  readonly policy: CompiledPolicy;
  readonly request: Request;
  readonly mode: Mode;
}

function unitDecision(
  { unit, check }: ProtectedUnit,
  { policy, request, mode, commandOf }: DecideContext,
): UnitDecision {
  const counted = discounted(unit, mode);
  const asked = check === undefined ? counted : withSafetyCheck(counted, check);
  const { action, by } = asked;
  const answer = underMode({ action, by, lifts: mode.liftsDenials === true }, () => {
    const toolClass = policy.profiles.get(unit.tool).class;
    const command = () => commandOf(unit);
    return mode.answer(new UnitQuestion(asked, { toolClass, request, command }));
  });
  const { decision, decidedBy, reason } = answer === undefined
    ? { decision: action, decidedBy: by, reason: asked.reason }
    : reasoned(answer, asked.reason);
  return decidedUnit(unit, {
    decision,
    decidedBy,
    reason,
    check: asked === counted ? undefined : check,
  });
}

/**
 * A question to a mode. Few modes ask about the command of the unit, whose traits take longer to find than the answer. A class, as V8
 * keeps an accessor of an object literal, and with it the whole line, until it collects everything.
 */
class UnitQuestion implements ModeQuestion {
  readonly unit: UnitVerdict;
  declare readonly class?: ToolClass;
  readonly #request: Request;
  readonly #command: () => LineCommand | undefined;

  constructor(unit: UnitVerdict, { toolClass, request, command }: QuestionContext) {
    this.unit = unit;
    if (toolClass !== undefined) this.class = toolClass;
    this.#request = request;
    this.#command = command;
  }

  get commandClasses(): readonly CommandClass[] | undefined {
    return this.#command()?.classes;
  }

  readonly isInside = (): boolean =>
    this.#command()?.isInside() ?? isUnitInside(this.unit, this.#request);
}

interface QuestionContext {
  readonly toolClass: ToolClass | undefined;
  readonly request: Request;
  readonly command: () => LineCommand | undefined;
}

/** The unit as a question, if its allow does not count in the mode. */
function discounted(unit: UnitVerdict, mode: Mode): UnitVerdict {
  if (unit.action !== "allow" || !mode.discounts?.(unit)) return unit;
  const reason = `\`${unit.rule?.pattern}\` does not count in ${mode.name} mode`;
  return { ...unit, action: "ask", reason };
}

/** True if the file of a unit is known and, links followed, inside the workspace. */
function isUnitInside({ kind, text, path }: UnitVerdict, request: Request): boolean {
  if (kind !== "call") return path === "fixed" && isInside(request.path(text));
  const { first, profile } = request;
  return profile.kind === "path" && first.state === "text" && isInside(request.path(first.text));
}

interface Answer {
  readonly decision: Action;
  readonly decidedBy: DecidedBy;
  readonly reason?: string;
}

const WITHOUT_PERSON = {
  "auto-allow": {
    decision: "allow",
    decidedBy: "auto-allow",
    reason: "every question is answered with allow (--auto-allow)",
  },
  headless: {
    decision: "deny",
    decidedBy: "headless",
    reason: "nobody can be asked (--headless)",
  },
} as const;

function answered(unit: UnitDecision, options: AnswerOptions): UnitDecision {
  if (unit.decision !== "ask") return unit;
  const flag = withoutPerson(unit.decidedBy === "safety" ? "safety" : "rule", options);
  return flag ? { ...unit, ...reasoned(WITHOUT_PERSON[flag], unit.reason) } : unit;
}

function reasoned({ decision, decidedBy, reason }: Answer, before: string) {
  return { decision, decidedBy, reason: reason === undefined ? before : `${reason}; ${before}` };
}
