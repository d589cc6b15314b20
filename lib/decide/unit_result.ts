import type { Action, CommandClass } from "../model/call.ts";
import type { Rule } from "../model/rule.ts";
import type { UnitDecision, UnitVerdict } from "../model/verdict.ts";
import type { Request } from "../policy/compile/request.ts";
import { classesOf } from "../policy/compile/class_matcher.ts";
import type { RuleSet } from "../policy/compile/compiled_policy.ts";
import { classesNow } from "./classes/class_search.ts";
import { isSecretFile } from "./classes/secret_files.ts";
import { type MatchTrace, type SearchOptions, TOO_MANY } from "./first_match.ts";
import { whyNot } from "./why_not.ts";

/** The surroundings of an evaluation. */
export interface EvalContext {
  readonly rules: RuleSet;
  /** The call, or the effect of its command line that is evaluated. */
  readonly request: Request;
  /** The options of the whole evaluation. */
  readonly options: SearchOptions;
}

/** A unit's verdict, and the request that it answers. */
export interface UnitResult {
  readonly verdict: UnitVerdict;
  /** The request that the rules were matched with. */
  readonly request: Request;
  /** The rule that decided; null if none fits. */
  readonly rule: Rule | null;
  /** Set if a deny or ask could not be evaluated for the number of trials. */
  readonly isSpent?: true;
}

/** A unit as a person sees it. */
export type Shown =
  & Pick<UnitVerdict, "kind" | "text" | "via">
  & Partial<Pick<UnitVerdict, "depth">>
  & { readonly path?: UnitVerdict["path"] | undefined };

/** The result of a unit's rules; without a `reason` the deciding rule is the reason. */
export function unitResult(
  trace: MatchTrace,
  { request, unit, reason }: {
    request: Request;
    unit: Shown;
    reason?: string;
  },
): UnitResult {
  const { rule } = trace;
  const { kind } = unit;
  const shown = { trace, tool: request.call.tool, reason: reason ?? reasonFor(trace, request) };
  // The classes of a command, and of a file that may be a secret, take longer to find than the verdict.
  const verdict = kind === "command" || kind === "read"
    ? withClasses(openUnit(unit, shown), request)
    : closedUnit(unit, shown, classesOfUnit(kind, request));
  const result = { verdict, request, rule };
  return trace.isSpent ? { ...result, isSpent: true } : result;
}

/** The unit of a call of a tool of which nothing is known. */
export function plainUnit(
  trace: MatchTrace,
  request: Request,
): UnitVerdict {
  const { action, by, rule, steps } = trace;
  const { tool } = request.call;
  return {
    text: tool,
    kind: "call",
    via: null,
    depth: 0,
    tool,
    action,
    by,
    rule,
    reason: reasonFor(trace, request),
    steps,
    classes: CLASSES_OF_KIND.call,
  };
}

interface ShownTrace {
  readonly trace: Pick<UnitVerdict, "action" | "by" | "rule" | "steps">;
  readonly tool: string;
  readonly reason: string;
}

/** A unit without its classes. Two literals, since a spread among the members of one makes an object slow to build. */
function openUnit(
  { text, kind, via, depth = 0, path }: Shown,
  { trace: { action, by, rule, steps }, tool, reason }: ShownTrace,
): OpenUnit {
  return path === undefined
    ? { text, kind, via, depth, tool, action, by, rule, reason, steps }
    : { text, kind, via, depth, tool, path, action, by, rule, reason, steps };
}

/** The same with its classes. */
function closedUnit(
  { text, kind, via, depth = 0, path }: Shown,
  { trace: { action, by, rule, steps }, tool, reason }: ShownTrace,
  classes: UnitVerdict["classes"],
): UnitVerdict {
  return path === undefined
    ? { text, kind, via, depth, tool, action, by, rule, reason, steps, classes }
    : { text, kind, via, depth, tool, path, action, by, rule, reason, steps, classes };
}

type OpenUnit = Omit<UnitVerdict, "classes">;

/** A constructor that returns the object that it is given: the private fields of a class that extends it are added to that object. */
class Given {
  constructor(unit: OpenUnit) {
    return unit;
  }
}

/**
 * The request of a unit, or the unit that it was made of, by which its classes are found. The private field is no part of a unit for
 * those that compare, copy or print it, and costs less than a hidden property.
 */
class Classified extends Given {
  readonly #by: Request | UnitVerdict;

  constructor(unit: OpenUnit, by: Request | UnitVerdict) {
    super(unit);
    this.#by = by;
  }

  /** That of a unit without classes yet; the unit itself where it has them. */
  static sourceOf(unit: UnitVerdict): Request | UnitVerdict {
    return #by in unit ? unit.#by : unit;
  }

  static classesOf(unit: OpenUnit): readonly CommandClass[] {
    const by = (unit as OpenUnit & Classified).#by;
    return "classes" in by ? by.classes : classesOfUnit(unit.kind, by);
  }
}

/** One function for all units: V8 keeps a getter of each one's own, and with it the whole line, until it collects everything. */
function classesWhenAsked(this: OpenUnit): readonly CommandClass[] {
  return Classified.classesOf(this);
}

/** Adds a getter to `this`, which V8 does in half the time of `Object.defineProperty`; some hardened worlds lack the former. */
const addGetter = (Object.prototype as unknown as {
  readonly __defineGetter__?: (name: string, get: () => unknown) => void;
}).__defineGetter__ ?? function (this: object, name: string, get: () => unknown): void {
  Object.defineProperty(this, name, { get, enumerable: true, configurable: true });
};

/** Adds the classes to a unit, which are found when they are asked for. */
function withClasses(unit: OpenUnit, by: Request | UnitVerdict): UnitVerdict {
  const classified = new Classified(unit, by);
  addGetter.call(classified, "classes", classesWhenAsked);
  return classified as unknown as UnitVerdict & Classified;
}

/** The classes of a unit; a command line that is not taken apart may do anything. */
function classesOfUnit(kind: UnitVerdict["kind"], request: Request): readonly CommandClass[] {
  if (kind === "call") {
    return request.profile.kind === "command" ? CLASSES_OF_KIND.opaque : CLASSES_OF_KIND.call;
  }
  const effect = request.part?.effect;
  const isFile = kind === "read" && request.first.state === "text";
  if (isFile && isSecretFile(request.first.text, request)) return ["secret"];
  if (effect?.kind !== kind) return CLASSES_OF_KIND[kind];
  if (kind === "command") return classesNow(effect, request);
  return request.part?.search?.classes ?? classesOf(effect);
}

/** The classes of units by their kind alone. */
export const CLASSES_OF_KIND = {
  call: [],
  command: ["unknown"],
  opaque: ["unknown"],
  read: ["read"],
  write: ["edit"],
  url: ["fetch"],
} as const;

/** A unit with further members; its classes are not computed for that. */
export function unitWith<T extends object>(unit: UnitVerdict, members: T): UnitVerdict & T {
  return Object.assign(copyOf(unit, unit.reason), members);
}

/** A unit with the decision of the mode, for the reason of that. */
export function decidedUnit(
  unit: UnitVerdict,
  { decision, decidedBy, reason, check }:
    & Pick<
      UnitDecision,
      "decision" | "decidedBy" | "reason"
    >
    & { readonly check: string | undefined },
): UnitDecision {
  // Assigned one by one, which is faster than many at once.
  const decided = copyOf(unit, reason) as {
    -readonly [Key in keyof UnitDecision]: UnitDecision[Key];
  };
  decided.decision = decision;
  decided.decidedBy = decidedBy;
  if (check !== undefined) decided.check = check;
  return decided;
}

function copyOf(unit: UnitVerdict, reason: string): UnitVerdict {
  const { tool, steps, isOrdinaryCode } = unit;
  const copy = openUnit(unit, { trace: unit, tool, reason });
  const source = Classified.sourceOf(unit);
  if (!isOrdinaryCode) return withClasses(copy, source);
  const { reason: _, steps: _1, ...before } = copy;
  return withClasses({ ...before, isOrdinaryCode, reason, steps }, source);
}

const SAYS: Readonly<Record<Action, string>> = {
  allow: "allows it",
  deny: "denies it",
  ask: "asks about it",
};

/** The reason of an outcome, in one sentence without a final full stop. */
function reasonFor(trace: MatchTrace, request: Request): string {
  const { rule, toolRule } = trace;
  if (rule === null || toolRule === null) return "no rule matches";
  const name = `the ${rule.action} rule \`${rule.pattern}\``;
  if (trace.by === "safety") {
    const why = trace.isSpent ? TOO_MANY : whyNot(toolRule, request);
    return `${why}, so ${name} cannot be evaluated`;
  }
  if (rule.action === "deny" && rule.reason !== undefined) return rule.reason;
  return `${name} ${SAYS[rule.action]}`;
}

/**
 * True if a unit asks because it cannot be analysed, and not because a rule could not be evaluated: an allow rule that is
 * the very line, or one without a specifier, would answer it.
 */
export function asksAboutUnknown({ kind, action, by, steps }: UnitVerdict): boolean {
  if (kind !== "opaque" || action !== "ask" || by !== "safety") return false;
  return !steps.some(({ effect }) => effect === "raises");
}

/** A text on one line, cut to 60 UTF-16 code units. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}
