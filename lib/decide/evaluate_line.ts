import type { CommandLine, Effect, InlineCode } from "../shell/effect.ts";
import { evaluateFile, evaluateOperand, isFileEffect, matchUnknownFile } from "./evaluate_file.ts";
import { firstMatch, firstMatchIn, type MatchTrace } from "./first_match.ts";
import { keptParts, partOf } from "../policy/compile/line_parser.ts";
import { matchCommand, namesClass } from "./classes/class_search.ts";
import { mayBeOfFolder } from "./classes/configured_classes.ts";
import { codeRequest, mayName, objectorsTo } from "./classes/named_in_code.ts";
import { withOperandCheck } from "./operand_commands.ts";
import { withinBound } from "./trials/rules_behind_bound.ts";
import { settledEffect } from "./settle_effect.ts";
import { decideUnknown, isWrittenAsk } from "./precedence.ts";
import {
  type EvalContext,
  shortened,
  type Shown,
  type UnitResult,
  unitResult,
  unitWith,
} from "./unit_result.ts";

/**
 * Evaluates each effect of a command line by itself, in order. An allow rule must cover each command that would run; a deny
 * or ask rule needs to fit only one. Effects that no rule is asked about are left out.
 */
export function evaluateLine(line: CommandLine, context: EvalContext): readonly UnitResult[] {
  const { effects } = line;
  const all: UnitResult[] = [];
  const harmless: { readonly at: number; readonly effect: Effect }[] = [];
  let hasAllowed = false;
  const uses = usesOf(effects);
  const parts = keptParts(line);
  // The files of a command, which a rule about classes looks at, may differ each time.
  const remembers = effects.length > FEW &&
    !context.rules.toolRules(context.request.profile.name)
      .some(({ specifier }) => specifier?.kind === "class");
  const seen = remembers ? new SeenEffects() : undefined;
  for (let place = 0; place < effects.length; place++) {
    const effect = effects[place]!;
    // The same command in the same place has the same verdict; hostile lines repeat one a hundred thousand times.
    const mayRepeat = seen !== undefined && effect.depth === 0 && effect !== effects[0];
    const known = mayRepeat ? seen.resultOf(effect) : undefined;
    const one = known ??
      evaluateEffect(place, { line, parts, context: withinBound(context), uses });
    if (!one) continue;
    if (mayRepeat && !known) seen.add(effect, one);
    if (known && all.length > MANY) continue;
    if (effect.isHarmless !== false) harmless.push({ at: all.length, effect });
    hasAllowed ||= isAllowed(one, effect);
    all.push(one);
  }
  const isIdle = harmless.some(({ effect }) => effect.runsNothing);
  for (const { at, effect } of harmless) {
    if (hasAllowed || effect.runsNothing || isIdle && effect.printsWords) {
      all[at] = asHarmless(all[at]!, { effect, context: withinBound(context), hasAllowed });
    }
  }
  return all;
}

/** True if harmless commands may stand beside it: a command that a rule allows, or a file that a written rule lets it read. */
function isAllowed({ verdict, rule }: UnitResult, { kind }: Effect): boolean {
  if (verdict.action !== "allow" || rule === null) return false;
  return kind === "command" || kind === "read" && rule.source.kind !== "builtin";
}

/** Repeated effects are looked up in lines of more effects than this. */
const FEW = 64;

/** Repeated effects are not listed again in lines of more effects than this. */
const MANY = 256;

/** The surroundings of an effect, with the files, URLs and unknown parts that belong to it. */
interface CommandContext extends EvalContext {
  readonly uses: (command: Effect) => readonly Effect[];
}

/** The results of the effects of a long line. An effect is compared as a whole once its text comes a second time. */
class SeenEffects {
  readonly #firstOf = new Map<string, { readonly effect: Effect; result?: UnitResult }>();
  readonly #results = new Map<string, UnitResult>();

  /** The result of the same effect. */
  resultOf(effect: Effect): UnitResult | undefined {
    const first = this.#firstOf.get(effect.text);
    if (first === undefined) return undefined;
    if (first.result !== undefined) this.#results.set(keyOf(first.effect), first.result);
    delete first.result;
    return this.#results.get(keyOf(effect));
  }

  add(effect: Effect, result: UnitResult): void {
    if (this.#firstOf.has(effect.text)) this.#results.set(keyOf(effect), result);
    else this.#firstOf.set(effect.text, { effect, result });
  }
}

function keyOf({ via: _via, ...effect }: Effect): string {
  return JSON.stringify(effect);
}

function evaluateEffect(
  place: number,
  { line, parts, context: { rules, request, options }, uses }: {
    readonly line: CommandLine;
    readonly parts: ReturnType<typeof keptParts>;
    readonly context: EvalContext;
    readonly uses: (command: Effect) => readonly Effect[];
  },
): UnitResult | undefined {
  const written = line.effects[place]!;
  // A file that a command reads or writes by its purpose is a call of its own.
  if (isFileEffect(written) && written.checkedAgainst === "userDenies") {
    return evaluateOperand(written, { rules, options, request });
  }
  const effect = settledEffect(written, request);
  const known = effect === written ? parts?.[place] : undefined;
  const part = known ?? partOf(effect, line);
  if (parts !== undefined && effect === written) parts[place] = part;
  return evaluateSettled(effect, { rules, options, request: request.of(part), uses });
}

/** The effects of a line that belong to one of its commands; looked up once. */
function usesOf(effects: readonly Effect[]): (command: Effect) => readonly Effect[] {
  let owned: Map<Effect, Effect[]> | undefined;
  return (command) => {
    if (owned === undefined) {
      owned = new Map();
      for (const effect of effects) {
        const owner = effect.of === undefined ? undefined : effects[effect.of];
        if (owner === undefined) continue;
        const known = owned.get(owner);
        if (known) known.push(effect);
        else owned.set(owner, [effect]);
      }
    }
    return owned.get(command) ?? [];
  };
}

function evaluateSettled(
  effect: Effect,
  context: CommandContext,
): UnitResult | undefined {
  if (effect.kind === "opaque") return evaluateUnknown(effect, context);
  if (isFileEffect(effect)) {
    return evaluateFile(effect, context);
  }
  const { trace, request } = matchCommand(effect, context);
  return withOperandCheck(unitResult(trace, { request, unit: shown(effect) }), { effect, context });
}

function evaluateUnknown(effect: Effect, given: EvalContext): UnitResult {
  const { rules, options } = given;
  const request = codeRequest(given);
  const context = { ...given, request };
  const trace = effect.unknownFileAccess
    ? matchUnknownFile(effect, context)
    : firstMatch(rules, request, options);
  const unit = shown(effect);
  if (effect.code && trace.action === "ask") {
    return askAboutCode(effect.code, { trace, effect, context });
  }
  if (trace.action !== "ask" || trace.by === "safety") return unitResult(trace, { request, unit });
  const by = decideUnknown(trace.action, isInterpreter(effect));
  return unitResult({ ...trace, by }, { request, unit, reason: unknownReason(effect, trace) });
}

/**
 * The question about code in a line: a safety check beside a written deny or ask, of files and hosts too. Where the code names
 * nothing that one of these names, a hook takes it for an ordinary question.
 */
function askAboutCode(
  code: InlineCode,
  { trace, effect, context }: {
    readonly trace: MatchTrace;
    readonly effect: Effect;
    readonly context: EvalContext;
  },
): UnitResult {
  const { request } = context;
  const unit = shown(effect);
  const objectors = objectorsTo(context);
  const isRaised = trace.by === "safety";
  const by = isRaised || objectors.length > 0
    ? "safety"
    : decideUnknown("ask", isInterpreter(effect));
  const result = isRaised
    ? unitResult(trace, { request, unit })
    : unitResult({ ...trace, by }, { request, unit, reason: unknownReason(effect, trace) });
  const isOrdinary = !isWrittenAsk(trace) && !mayName(code, objectors);
  if (!isOrdinary) return result;
  return { ...result, verdict: unitWith(result.verdict, { isOrdinaryCode: true as const }) };
}

/** True for scripts and for code that its program exists to run (`python -c`): an ordinary question, as any program is. */
function isInterpreter({ isOrdinaryScript, allowTexts }: Effect): boolean {
  return isOrdinaryScript === true ||
    allowTexts.some(({ interpreter }) => interpreter !== undefined);
}

function unknownReason({ text, why }: Effect, { rule }: MatchTrace): string {
  const asks = rule === null ? "" : `; the ${rule.action} rule \`${rule.pattern}\` asks about it`;
  return `\`${shortened(text)}\` cannot be analysed: ${why}${asks}`;
}

/** An effect as a unit that names no path. */
function shown({ kind, text, via, depth }: Effect): Shown {
  return { kind, text, via, depth, path: undefined };
}

/** `test` in a form that no value makes complain, which would show the value: `-n "$x"`, `"$x" = y`. */
const PLAIN_TEST =
  /^(?:test|\[)\s+(?:!\s+)?(?:-[nz]\s+"[^"]*"|"[^"]*"\s+!?==?\s+(?:"[^"]*"|[\w.-]*))(?:\s+\])?$/;

/** True if a harmless command asks about a file of another machine. */
function reachesHost({ traits }: Effect): boolean {
  return traits?.().classes.includes("service") === true;
}

/** True if a harmless command prints a variable that the line does not set, or may complain about its value. */
function showsSecret({ traits, runsNothing, text }: Effect): boolean {
  if (traits?.().isTold !== false) return false;
  if (runsNothing !== true || /\$\{[^}]*\?/.test(text)) return true;
  return /^(?:test|\[)\s/.test(text) && !PLAIN_TEST.test(text);
}

/**
 * A harmless effect needs no allow rule of its own beside a command that has one, and one that runs nothing needs none at
 * all: only deny rules and ask rules with a specifier count; alone, every ask rule that people wrote. One that is denied,
 * asked about by such a rule or cannot be evaluated stays as it is.
 */
function asHarmless(
  one: UnitResult,
  { effect, context, hasAllowed }: {
    readonly effect: Effect;
    readonly context: EvalContext;
    readonly hasAllowed: boolean;
  },
): UnitResult {
  const { verdict, request } = one;
  if (verdict.action !== "ask" || verdict.by !== "rule" || !request.isHarmless(effect)) {
    return one;
  }
  const { rules, options } = context;
  if (mayBeOfFolder(effect, request)) return one;
  if (namesClass(rules.candidates(request)) && (showsSecret(effect) || reachesHost(effect))) {
    return one;
  }
  const unit = shown(effect);
  const trace = firstMatchIn(rules, request, {
    options,
    list: {
      candidates: rules.candidates(request),
      overlooks: ({ action, parsed, source }) =>
        action === "ask" && parsed.specifier === undefined &&
        (hasAllowed || source.kind === "builtin"),
    },
  });
  if (trace.rule !== null) return unitResult(trace, { request, unit });
  const reason = hasAllowed
    ? "it needs no rule of its own next to a command that has one"
    : "nothing runs";
  return unitResult({ ...trace, action: "allow" }, { request, unit, reason });
}
