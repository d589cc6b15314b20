import type { Request } from "../policy/compile/request.ts";
import type { ToolRule } from "../policy/compile/compiled_policy.ts";
import { foldCase } from "../pattern/unicode.ts";
import type { Effect, Operand } from "../shell/effect.ts";
import { baseName } from "../shell/programs/program_catalog.ts";
import { inBackticks, shellQuoted } from "../text/quote.ts";
import { TOO_MANY } from "./first_match.ts";
import { withSafetyCheck } from "./precedence.ts";
import {
  commandTests,
  countingObjectors,
  objectorsOf,
  type OperandObjectors,
} from "./trials/operand_objectors.ts";
import { type EvalContext, shortened, type UnitResult } from "./unit_result.ts";

/** The most commands that are looked for in the operands of one command; more make it a safety check. */
const MAX_COMMANDS = 200;

/** The longest operand that is searched, in UTF-16 code units; a longer one that may hold a command makes it a safety check. */
const MAX_TEXT = 65_536;

/** The same for the value of a variable. */
const MAX_VALUE = 2_048;

/** A command that operands may be, and the place of the operand that holds its name. */
interface OperandCommand {
  readonly operand: Operand;
  readonly effect: Effect;
  /** True for the value of a variable. */
  readonly isValue: boolean;
}

/**
 * A program without a table may run its operands, and any program the value of a variable before it. Where these read as a
 * command that a written deny or ask rule with a specifier names (`torify rm x`, `GIT_EDITOR="rm x" git commit`), the unit is a
 * safety check, unless an allow rule names the command.
 */
export function withOperandCheck(
  one: UnitResult,
  { effect, context }: { effect: Effect; context: EvalContext },
): UnitResult {
  if (one.verdict.action === "deny" || !effect.operands && !effect.values) return one;
  const { rules, request } = context;
  const objectors = objectorsOf(rules.writtenRules(request.profile.name));
  if (objectors.toolRules.length === 0) return one;
  const found = firstObjected(effect, { objectors, context, one });
  if (found === undefined) return one;
  const { toolRule: { rule }, text, isValue, isSpent } = found;
  const name = inBackticks(effect.name ?? "");
  const cause = isValue
    ? `${name} may run the value of a variable before it`
    : `no table describes ${name}, which may run its operands`;
  const reason = isSpent
    ? `${cause}, and ${TOO_MANY}`
    : `${cause}, and the ${rule.action} rule ${inBackticks(rule.pattern)} matches ` +
      `\`${shortened(text)}\``;
  const raises = { rule, match: "indeterminate", effect: "raises", why: reason } as const;
  // The walk may have ended before the rule.
  const steps = [...one.verdict.steps.filter((step) => step.rule !== rule), raises]
    .sort((a, b) => a.rule.index - b.rule.index);
  return { ...one, rule, verdict: { ...withSafetyCheck(one.verdict, reason), rule, steps } };
}

interface Search {
  readonly objectors: OperandObjectors;
  readonly context: EvalContext;
  readonly one: UnitResult;
}

interface Found {
  readonly toolRule: ToolRule;
  readonly text: string;
  readonly isValue: boolean;
  /** True for a rule behind the bound of trials, which may match. */
  readonly isSpent?: boolean;
}

/** The first rule that matches a command among the operands which no allow rule names. */
function firstObjected(
  effect: Effect,
  { objectors, context, one }: Search,
): Found | undefined {
  const { request, rules, options } = context;
  const allow = one.verdict.action === "allow" && one.rule !== null
    ? rules.toolRules(request.profile.name).find(({ rule }) => rule === one.rule)
    : undefined;
  const counting = countingObjectors(objectors, context);
  let count = 0;
  const found = [valueCommands, operandCommands].flatMap((commands) =>
    counting.length === 0 ? [] : [commands(effect, { objectors, request })]
  );
  for (const { operand, effect: inner, isValue } of inTurn(found)) {
    if (inner === effect || ++count > MAX_COMMANDS) {
      return { toolRule: counting[0]!, text: effect.text, isValue };
    }
    const part = request.of({ effect: inner, line: { text: inner.text, effects: [inner] } });
    let isSpent = false;
    const toolRule = counting.find((each) => {
      isSpent = options.budget?.spend(each, part) === false;
      return isSpent || each.matches(part) === "yes";
    });
    if (toolRule && isSpent) return { toolRule, text: inner.text, isValue, isSpent };
    if (toolRule && !(allow && namesOperand(allow, { effect, operand, request }))) {
      return { toolRule, text: inner.text, isValue };
    }
  }
  return undefined;
}

/** True if the literal text of an allow rule reaches past an operand. */
function namesOperand(
  allow: ToolRule,
  { effect, operand: { end }, request }: { effect: Effect; operand: Operand; request: Request },
): boolean {
  if (commandTests(allow).length === 0) return false;
  const allowTexts = effect.allowTexts.map((each, at) => ({
    ...each,
    minLiteral: at === 0 ? Math.max(each.minLiteral, end) : Infinity,
  }));
  const part = { effect: { ...effect, allowTexts }, line: request.part!.line };
  return allow.matches(request.of(part)) === "yes";
}

/**
 * The commands that begin as a rule does: from an operand on, or in the text of one. For a text that is too long to be
 * searched, the effect itself.
 */
function* operandCommands(
  effect: Effect,
  { objectors, request }: { objectors: OperandObjectors; request: Request },
): Iterable<OperandCommand> {
  const operands = effect.operands ?? [];
  const texts = operands.map(({ text }) => text);
  for (const [at, text] of texts.entries()) {
    const starts = [text, ...gluedValues(text)];
    const inText = /[^\w./:=@%+,~-]/.test(text) ? linesIn(starts, objectors) : [];
    for (
      const line of new Set([...linesFrom(texts, { operand: at, starts, objectors }), ...inText])
    ) {
      yield* commandsIn(line, { operand: operands[at]!, effect, request });
    }
  }
}

/** The same for the values of variables before the command, alone and with an operand, which the program may add. */
function* valueCommands(
  effect: Effect,
  { objectors, request }: { objectors: OperandObjectors; request: Request },
): Iterable<OperandCommand> {
  for (const operand of effect.values ?? []) {
    const { text } = operand;
    const lines = [...linesIn([text, ...gluedValues(text)], objectors)];
    if (lines.length > 0 && text.length > MAX_VALUE) {
      yield { operand, effect, isValue: true };
      return;
    }
    // Some programs take marks or words before a command: `|rm %s`, `!rm x`, `@rm x`, `$(shell rm x)`.
    const bare = lines.map((line) => line.replace(/^[-+@!|:\s]+/, ""));
    const inner = lines.flatMap((line) => fromEachWord(line, objectors));
    for (const line of new Set([...lines, ...bare, ...inner])) {
      for (const each of [line, `${line} x`]) {
        for (const found of commandsIn(each, { operand, effect, request })) {
          yield { ...found, isValue: true };
        }
      }
    }
  }
}

/** The ends of a line that begin with a word of a rule. */
function fromEachWord(line: string, objectors: OperandObjectors): readonly string[] {
  const ends = [...line.matchAll(/\S+/g)].filter(({ 0: word }) =>
    mayBegin(baseName(word), objectors)
  );
  return ends.slice(0, MAX_COMMANDS).map(({ index }) => line.slice(index));
}

function* commandsIn(
  line: string,
  { operand, effect, request }: { operand: Operand; effect: Effect; request: Request },
): Iterable<OperandCommand> {
  if (line.length > MAX_TEXT) yield { operand, effect, isValue: false };
  else {
    for (const inner of request.parse(line).effects) {
      if (inner.kind === "command") yield { operand, effect: inner, isValue: false };
    }
  }
}

function* inTurn<T>(lists: readonly Iterable<T>[]): Iterable<T> {
  for (const list of lists) yield* list;
}

/** The lines that run the words from an operand on, if a rule speaks of such a program; without `--` too. */
function linesFrom(
  texts: readonly string[],
  { operand, starts, objectors }: {
    operand: number;
    starts: readonly string[];
    objectors: OperandObjectors;
  },
): readonly string[] {
  const names = new Set(starts.flatMap((start) => [start, baseName(start)]));
  return [...names].filter((name) => mayBegin(name, objectors)).flatMap((name) => {
    const words = [name, ...texts.slice(operand + 1)];
    return [words, words.filter((word) => word !== "--")].map((each) =>
      each.map(shellQuoted).join(" ")
    );
  });
}

/** The texts behind `--name=`, `NAME=` and `-x` in a word. */
function gluedValues(text: string): readonly string[] {
  const equals = text.indexOf("=");
  return [
    ...(equals > 0 ? [text.slice(equals + 1)] : []),
    ...(/^-[A-Za-z]./.test(text) ? [text.slice(2)] : []),
  ];
}

function mayBegin(word: string, { words, beginnings }: OperandObjectors): boolean {
  const folded = foldCase(word);
  return words.has(folded) || beginnings.some((each) => folded.startsWith(each));
}

/** The lines that texts may hold in which a rule's word stands: they themselves, and their parts between brackets, quotes and separators. */
function linesIn(
  texts: readonly string[],
  { words, beginnings }: OperandObjectors,
): ReadonlySet<string> {
  const heads = [...words, ...beginnings];
  const parts = texts.flatMap((text) =>
    text.length > MAX_TEXT ? [text] : [text, ...text.split(/[(){}[\]`;|&\n"']|[:=,](?=\S)/)]
  );
  const lines = parts.map((part) => part.trim()).filter((part) => {
    const folded = foldCase(part);
    return heads.some((head) => folded.includes(head));
  });
  return new Set(lines);
}
