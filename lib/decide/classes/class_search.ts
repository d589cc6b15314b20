import type { Action, CommandClass } from "../../model/call.ts";
import { classOf } from "../../pattern/parse_specifier.ts";
import { classesOf, type ClassSearch } from "../../policy/compile/class_matcher.ts";
import type { ToolRule } from "../../policy/compile/compiled_policy.ts";
import type { CommandTraits, Effect, OwnTraits } from "../../shell/effect.ts";
import { joinPath } from "../../shell/effects/folders.ts";
import { BIT, bitsOf, classesIn } from "../../shell/programs/classes/class_set.ts";
import { readsSecrets } from "./secret_files.ts";
import { whyNotCovered } from "./class_cover.ts";
import { inBackticks } from "../../text/quote.ts";
import { configuredClasses, mayBeVersioned } from "./configured_classes.ts";
import type { Gap } from "./folder_cover.ts";
import { classesInRepository, whyNotOwn } from "./git_classes.ts";
import { firstMatchIn, type MatchTrace } from "../first_match.ts";
import { strictestOf } from "../precedence.ts";
import type { EvalContext } from "../unit_result.ts";
import type { Request } from "../../policy/compile/request.ts";

const UNKNOWN: readonly CommandClass[] = Object.freeze<CommandClass[]>(["unknown"]);
const CODE_OR_MORE: readonly CommandClass[] = Object.freeze<CommandClass[]>(["code", "unknown"]);

/** The outcome of a command's rules. */
export interface CommandMatch {
  readonly trace: MatchTrace;
  /** The request that the rules were matched with. */
  readonly request: EvalContext["request"];
}

/**
 * Decides a command by its rules. Where one of them names a class, each class of the command has its own search, in which the
 * rules without a class match as ever; the strictest outcome counts. `uses` are the files, URLs and unknown parts of the command.
 */
export function matchCommand(
  effect: Effect,
  context: EvalContext & { readonly uses: (command: Effect) => readonly Effect[] },
): CommandMatch {
  const { rules, request, options, uses } = context;
  const { part } = request;
  const candidates = rules.candidates(request);
  // The search for a class has the texts of the command, and so these candidates too.
  const list = { candidates };
  if (part === undefined || !namesClass(candidates)) {
    return { trace: firstMatchIn(rules, request, { options, list }), request };
  }
  const classes = classesNow(effect, request);
  const own = ownNow(effect, request);
  const found = classes.map((name): CommandMatch => {
    let cover: { readonly gap: Gap | undefined } | undefined;
    const search: ClassSearch = {
      name,
      classes,
      ...(own === undefined ? {} : { givenBy: own.givenBy }),
      whyOpen() {
        cover ??= { gap: whyNotCovered(effect, { ...context, name, uses: uses(effect) }) };
        return cover.gap?.why;
      },
    };
    const ofClass = request.of({ ...part, search });
    const trace = firstMatchIn(rules, ofClass, { options, list });
    // A rule that denies a file of the command denies the command that a class would else allow.
    const denies = trace.action === "ask" ? cover?.gap?.denies : undefined;
    return { trace: denies ?? trace, request: ofClass };
  });
  const strictest = strictestOf(found, ({ trace }) => trace);
  return { ...strictest, trace: withOrdinaryAsk(strictest.trace, effect) };
}

/** True if one of the rules names a class. */
export function namesClass(rules: readonly ToolRule[]): boolean {
  for (const toolRule of rules) {
    // A known beginning is that of a command.
    if (toolRule.head === undefined && toolRule.specifier?.kind === "class") return true;
  }
  return false;
}

/**
 * The classes of a command on this machine: a name that may lead to a file of the workspace is unknown, and `secret` is among
 * them where it reads an environment, memory, a raw device or a history.
 */
export function classesNow(
  effect: Effect,
  request: EvalContext["request"],
): readonly CommandClass[] {
  const classes = classesHere(effect, request);
  const traits = effect.traits?.();
  const isKnown = !classes.includes("unknown") && !classes.includes("secret");
  return isKnown && traits !== undefined && readsSecrets(traits, request)
    ? classesIn(bitsOf(classes) | BIT.secret)
    : classes;
}

/** The classes of a command by its program and its folder. */
function classesHere(effect: Effect, request: EvalContext["request"]): readonly CommandClass[] {
  const known = effect.name === undefined ? undefined : effect.traits?.();
  const own = ownNow(effect, request);
  if (own !== undefined) return own.classes;
  if (known === undefined) return UNKNOWN;
  const place = placeOf(effect, request);
  if (place === "elsewhere") return elsewhereClasses(effect.name!, { known, request });
  if (!areSingle(known, request)) return UNKNOWN;
  const isBuiltin = known.isBuiltin && !effect.name!.includes("/") && !known.isOwnBinary;
  const { starts = [] } = known;
  if (!starts.every((each) => request.isSystemProgram(each, { mayLack: true }))) return UNKNOWN;
  if (isBuiltin) return known.classes;
  const classes = configuredClasses(known, request);
  const isChosen = place === "manager" && !classes.every((each) => OF_OWN_BINARY.has(each)) &&
    mayBeVersioned(known, request);
  if (isChosen) return CODE_OR_MORE;
  return classes.includes("unknown")
    ? classes
    : classesInRepository(classes, { effect, traits: known, request });
}

/** The classes of a program outside of the system: a file of the workspace is code, and so is an interpreter. */
function elsewhereClasses(
  name: string,
  { known, request }: { readonly known: CommandTraits; readonly request: EvalContext["request"] },
): readonly CommandClass[] {
  if (!name.includes("/")) return known.isInterpreter ? CODE_OR_MORE : UNKNOWN;
  const { ownFile } = known;
  return ownFile && request.areInside(ownFile.paths) ? ownFile.classes : UNKNOWN;
}

/** The reason why the classes of a command are unknown, or are not those of its table; undefined if they are. */
export function whyUnknownNow(
  effect: Effect,
  request: EvalContext["request"],
): string | undefined {
  const { name } = effect;
  const traits = effect.traits?.();
  if (name === undefined || traits === undefined) return "the name of the program is not fixed";
  if (ownNow(effect, request) !== undefined) return undefined;
  const place = placeOf(effect, request);
  if (traits.isDescribed && place === "elsewhere") {
    return name.includes("/")
      ? `${inBackticks(name)} may be a file of the workspace`
      : `PATH leads ${inBackticks(name)} to no program of the system`;
  }
  if (place === "manager" && mayBeVersioned(traits, request)) {
    return `a manager of versions may take ${inBackticks(name)} from the folder`;
  }
  if (!areSingle(traits, request)) return "one of its globs may be several words";
  return traits.whyUnknown ?? whyNotOwn(effect, traits, request);
}

/** True if each glob that has to be one word names one file at most. */
function areSingle({ singles }: CommandTraits, request: EvalContext["request"]): boolean {
  return singles?.every((glob) => (request.expand(glob)?.length ?? Infinity) <= 1) ?? false;
}

/** Classes that a program of the workspace itself may have. */
const OF_OWN_BINARY: ReadonlySet<CommandClass> = new Set(["project", "install", "code"]);

/**
 * The place that the name of a command leads to: `system` for the shell's own command and a program of the system, or where it may
 * lead to the project's own; `manager` for a manager of versions, which starts the program.
 */
function placeOf(
  { name = "", traits }: Effect,
  request: EvalContext["request"],
): "system" | "manager" | "elsewhere" {
  if (name.includes("/")) return isOutside(name, request) ? "system" : "elsewhere";
  const { isBuiltin = false, isOwnBinary, isDirect, classes = [] } = traits?.() ?? {};
  const isSystem = isOwnBinary
    ? classes.every((each) => OF_OWN_BINARY.has(each))
    : isBuiltin || request.isSystemProgram(name, { mayLack: true, isDirect: true });
  if (isSystem) return "system";
  return !isOwnBinary && !isDirect && request.isSystemProgram(name, { mayLack: true })
    ? "manager"
    : "elsewhere";
}

/** The classes of the policy's own for a command whose name leads to the program that the policy means. */
function ownNow(
  { traits, name }: Pick<Effect, "traits" | "name">,
  request: EvalContext["request"],
): OwnTraits | undefined {
  const known = traits?.();
  if (known?.own === undefined || name === undefined) return undefined;
  const { own, folders, open, isOwnBinary } = known;
  return own.find(({ path }) => {
    if (path === undefined) return !isOwnBinary && request.isSystemProgram(name);
    return !open && folders.every((folder) => {
      const found = request.path(joinPath(folder, name));
      return found.ok && found.forms.every(({ workspace }) => workspace === path);
    });
  });
}

function isOutside(path: string, request: EvalContext["request"]): boolean {
  const found = request.path(path);
  return found.ok && found.forms.every(({ workspace }) => workspace === undefined);
}

/** A question about a program without a table that only rules about classes raise is an ordinary one. */
function withOrdinaryAsk(trace: MatchTrace, { traits }: Effect): MatchTrace {
  if (trace.isSpent || traits?.().isDescribed !== false) return trace;
  const raising = trace.steps.filter(({ effect }) => effect === "raises");
  const onlyClasses = raising.every(({ rule }) => classOf(rule.pattern) !== undefined);
  return onlyClasses ? { ...trace, by: "rule" } : trace;
}

/** Why a rule about a class does not match a command. */
export function whyNotClass(
  name: CommandClass,
  { action, request }: { readonly action: Action; readonly request: Request },
): string {
  const { part } = request;
  if (part === undefined) return "the line is not analysed";
  const { search, effect } = part;
  if (effect.kind === "opaque") {
    return `${inBackticks(effect.text)} cannot be analysed: ${effect.why}`;
  }
  const classes = search?.classes ?? classesOf(effect);
  if (action === "allow" && search?.name === name) {
    return search.whyOpen() ?? "it is for commands";
  }
  const why = classes.some((each) => each === "unknown" || each === "code")
    ? whyUnknownNow(effect, request)
    : undefined;
  const names = classes.map((each) => `@${each}`).join(", ");
  return `the command is ${names}${why === undefined ? "" : `: ${why}`}`;
}
