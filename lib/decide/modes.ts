import {
  type Action,
  type CommandClass,
  MODE_NAMES,
  type ModeName,
  type ToolClass,
} from "../model/call.ts";
import type { DecidedBy, UnitVerdict } from "../model/verdict.ts";
import { classOf } from "../pattern/parse_specifier.ts";
import { asksBySpecifier } from "./precedence.ts";
import type { RuleSource, Settings } from "../model/rule.ts";

/** A mode's input: one unit, and the class of its tool. */
export interface ModeQuestion {
  /** The unit with its verdict; one that a safety check stops is an ask by `safety`. */
  readonly unit: UnitVerdict;
  /** The class of the unit's tool; absent if unknown. */
  readonly class?: ToolClass;
  /** The classes of the unit's command; undefined for any other unit. */
  readonly commandClasses?: readonly CommandClass[] | undefined;
  /** True if the unit's file, or each file of its command, is known and, links followed, inside the workspace. */
  readonly isInside: () => boolean;
}

/** A mode's answer. */
export interface ModeAnswer {
  /** The ask after the mode: unchanged, allowed or denied. */
  readonly decision: Action;
  /** The decider. */
  readonly decidedBy: DecidedBy;
  /** Why, if the mode changed the verdict. */
  readonly reason?: string;
}

/** A permission mode: the answer to what the rules ask. */
export interface Mode {
  /** Its name, or `disabled` for the state without permissions. */
  readonly name: ModeName | "disabled";
  /** One sentence for help, without a final full stop. */
  readonly summary: string;
  /** A few characters for a status line; empty for the default mode. */
  readonly badge: string;
  /** Set if auto mode is asked about what this mode leaves a question. */
  readonly asksModel?: true;
  /** Set if it answers every ordinary question with allow. A policy with `enforce` refuses it. */
  readonly answersAll?: true;
  /** Set if it allows what rules deny. A policy with `enforce` refuses it, and a person must have allowed it. */
  readonly liftsDenials?: true;
  /** True for an allow that does not count in this mode: the unit is a question then. */
  readonly discounts?: (unit: UnitVerdict) => boolean;
  /** The answer for one unit; `underMode` in precedence.ts says when it counts. */
  answer(question: ModeQuestion): ModeAnswer;
}

/** A mode of the cycle. */
export interface NamedMode extends Mode {
  /** The name as flags, settings and variables spell it. */
  readonly name: ModeName;
}

function unchanged({ unit }: ModeQuestion): ModeAnswer {
  return { decision: unit.action, decidedBy: unit.by };
}

/** The mode in which the rules' verdict stands. */
export const defaultMode: NamedMode = {
  name: "default",
  summary: "the rules decide",
  badge: "",
  answer: unchanged,
};

/** The mode in which files of the workspace are edited unasked. */
const acceptEdits: NamedMode = {
  name: "acceptEdits",
  summary: "edits of workspace files need no question",
  badge: "✎ accept edits",
  answer(question) {
    const { unit, isInside } = question;
    const asks = unit.action === "ask" && unit.by === "rule";
    const isEdit = question.class === "edit" && !asksBySpecifier(unit) ||
      isBuiltinAsk(unit) && onlyEdits(question.commandClasses);
    if (!asks || !isEdit || !isInside()) return unchanged(question);
    const files = question.class === "edit" ? "the file is" : "its files are";
    return {
      decision: "allow",
      decidedBy: "mode",
      reason: `acceptEdits: ${files} in the workspace`,
    };
  },
};

function isBuiltinAsk({ action, rule }: UnitVerdict): boolean {
  return action === "ask" && rule?.source.kind === "builtin";
}

/** True for a command that reads or edits files, and nothing else. */
function onlyEdits(classes: readonly CommandClass[] | undefined): boolean {
  return classes !== undefined && classes.every((name) => name === "read" || name === "edit");
}

const ACTING: readonly (ToolClass | undefined)[] = ["edit", "execute", "network"];

/** The mode in which an agent reads and plans, and changes nothing. */
const plan: NamedMode = {
  name: "plan",
  summary: "edits, commands and network access that would ask are denied",
  badge: "📋 plan",
  discounts: ({ rule }) => {
    const name = rule?.action === "allow" ? classOf(rule.pattern) : undefined;
    return name !== undefined && name !== "read" && name !== "service-read";
  },
  answer(question) {
    const { unit } = question;
    if (unit.action !== "ask" || !ACTING.includes(question.class)) return unchanged(question);
    const { commandClasses = [] } = question;
    const reads = commandClasses.length > 0 && commandClasses.every((name) => name === "read");
    if (reads) return unchanged(question);
    return { decision: "deny", decidedBy: "mode", reason: "plan mode: read-only" };
  },
};

/** The mode in which a model is asked first, once about the whole call. */
const auto: NamedMode = {
  name: "auto",
  summary: "a model is asked before you",
  badge: "🤖 auto",
  asksModel: true,
  answer: unchanged,
};

/** The mode in which every question but a safety check is answered with allow. */
export const dontAsk: NamedMode = {
  name: "dontAsk",
  summary: "every question but a safety check is answered with allow",
  badge: "⏭ don't ask",
  answersAll: true,
  answer(question) {
    const { unit } = question;
    if (unit.action !== "ask" || unit.by === "safety") return unchanged(question);
    return {
      decision: "allow",
      decidedBy: "mode",
      reason: "dontAsk: questions are answered with allow",
    };
  },
};

/** The mode in which everything runs, what rules deny included. */
const bypassPermissions: NamedMode = {
  name: "bypassPermissions",
  summary: "every call runs, even if the rules deny it; needs --allow-dangerously-skip-permissions",
  badge: "⚠ bypass",
  liftsDenials: true,
  answer: () => ({
    decision: "allow",
    decidedBy: "bypass",
    reason: "bypassPermissions: every call runs",
  }),
};

/** The state of `--no-permissions`: every call runs, even one that a rule denies. */
export const DISABLED: Mode = {
  name: "disabled",
  summary: "permissions are switched off: every call runs",
  badge: "⚠ no permissions",
  liftsDenials: true,
  answer: () => ({
    decision: "allow",
    decidedBy: "disabled",
    reason: "permissions are switched off (--no-permissions)",
  }),
};

const BY_NAME: Readonly<Record<ModeName, NamedMode>> = {
  default: defaultMode,
  acceptEdits,
  plan,
  auto,
  dontAsk,
  bypassPermissions,
};

/** The modes, in the order in which they are cycled. */
export const MODES: readonly NamedMode[] = MODE_NAMES.map((name) => BY_NAME[name]);

/** The mode of that name; undefined if there is none. */
export function modeNamed(name: string): NamedMode | undefined {
  return MODES.find((mode) => mode.name === name);
}

/** A mode that a managed file sets. */
export interface ManagedMode {
  readonly name: ModeName;
  /** Its place. */
  readonly source: RuleSource;
}

/**
 * The mode that a managed file sets, which no user can leave. Undefined without such a mode, and for one that lifts denials,
 * which only a person may enter.
 */
export function managedMode({ defaultMode }: Settings): ManagedMode | undefined {
  if (defaultMode?.source.kind !== "managed") return undefined;
  const { value: name, source } = defaultMode;
  return modeNamed(name)?.liftsDenials ? undefined : { name, source };
}

/** The mode in which a session starts that names none. */
export function startModeOf(settings: Settings): ModeName {
  const name = settings.defaultMode?.value ?? "default";
  const mode = modeNamed(name);
  return mode?.liftsDenials !== true && mode && isRefused(mode, settings) ? "default" : name;
}

/** True if the policy sets `enforce` and the mode would answer every question, or lift denials. */
export function isRefused(
  { liftsDenials, answersAll }: Pick<Mode, "liftsDenials" | "answersAll">,
  { enforce }: Settings,
): boolean {
  return enforce?.value === true && (liftsDenials === true || answersAll === true);
}

/** The sentence that says so, without a final full stop; `what` is the mode or flag. */
export function refusal(what: string, { enforce }: Settings): string {
  const place = enforce === undefined ? "" : ` in ${enforce.source.path}:${enforce.source.line}`;
  return `${what} is refused: "enforce = true"${place}`;
}
