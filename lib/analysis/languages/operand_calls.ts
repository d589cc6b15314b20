import {
  allowsEverything,
  commandTests,
  operandHead,
} from "../../decide/trials/operand_objectors.ts";
import { literalHead, onlyText } from "../../pattern/glob.ts";
import type { CompiledRule } from "../../policy/compile/compiled_policy.ts";
import type { Automata } from "../automata/automaton.ts";
import { charsOf, union } from "../automata/char_set.ts";
import type { State } from "../automata/state.ts";
import { remembered } from "../rule_store.ts";
import { LETTERS, NAME, WORD } from "./command_language.ts";
import type { AnalysedRule } from "./analysed_rule.ts";

/** A rule that decides a call, or none. */
type Decider = AnalysedRule | undefined;

/** The tool's rules, and the programs that they are asked about. */
interface OperandCallsOptions {
  readonly automata: Automata;
  /** The tool's rules, in order. */
  readonly rules: readonly AnalysedRule[];
  /** True for a program without a table, which may run its operands. */
  readonly mayRunOperands: (program: string) => boolean;
}

/**
 * The calls of programs without a table whose operands read as a command that a written deny or ask rule names: a safety
 * check instead of the decision of an allow or ask, unless the allow names the operand.
 */
export class OperandCalls {
  /** The rules that operands are tried on, in order: none behind an allow of every command. */
  readonly guards: readonly AnalysedRule[];
  /** The first allow of every command, and the rules that operands would be tried on without it. */
  readonly end: {
    readonly rule: CompiledRule | undefined;
    readonly guards: readonly AnalysedRule[];
  };
  readonly #automata: Automata;
  readonly #mayRunOperands: (program: string) => boolean;
  readonly #programs = new Map<string, boolean>();
  /** The commands that any of the guards matches. */
  #any: State | undefined;

  constructor({ automata, rules, mayRunOperands }: OperandCallsOptions) {
    this.#automata = automata;
    this.#mayRunOperands = (program) => remembered(this.#programs, program, mayRunOperands);
    const ends = rules.filter(({ toolRule }) => allowsEverything(toolRule));
    const [end, next] = [...ends.map(({ place }) => place), Infinity, Infinity];
    const guards = rules.filter(({ rule, toolRule }) =>
      rule.source.kind !== "builtin" && operandHead(toolRule) !== undefined
    );
    this.guards = guards.filter(({ place }) => place < end!);
    this.end = {
      rule: ends[0]?.rule,
      guards: guards.filter(({ place }) => end! < place && place < next!),
    };
  }

  /** The calls that are a safety check by one of these guards if `decider` decides them; no list for a deny. */
  raised(decider: Decider, guards = this.guards): State {
    if (guards.length === 0 || decider?.rule.action === "deny") return this.#automata.nothing;
    return this.#behind(decider, this.#anyOf(guards));
  }

  /** True if a call that the rule matches may be of a program that runs its operands. */
  mayRun(analysed: AnalysedRule): boolean {
    const { text } = literalOf(analysed);
    const end = text.indexOf(" ");
    return end <= 0 || this.#mayRunOperands(text.slice(0, end));
  }

  #anyOf(guards: readonly AnalysedRule[]): State {
    const make = () => this.#automata.either(guards.map(({ yes }) => yes));
    return guards === this.guards ? this.#any ??= make() : make();
  }

  /** The same, and those whose operands hold such a command behind `=`, `/` or an option's letter; some may be no safety check. */
  mayBeRaised(decider: Decider, guards = this.guards): State {
    const automata = this.#automata;
    const yes = this.#anyOf(guards);
    if (yes === automata.nothing) return yes;
    const glued = automata.star(WORD, automata.one(BEFORE, yes));
    const option = automata.text("-", automata.one(LETTERS, yes));
    return this.#behind(decider, automata.either([yes, glued, option]));
  }

  /** The calls of an allow that names an operand, which would be a safety check if one of `others` decided them. */
  lifted(allow: AnalysedRule, others: readonly AnalysedRule[]): State {
    const { text } = literalOf(allow);
    const automata = this.#automata;
    if (this.guards.length === 0 || others.length === 0) return automata.nothing;
    const commands = this.#anyOf(this.guards);
    const heads = others.map(literalOf);
    return automata.either(
      blanksOf(text).flatMap((at) => {
        const end = text.indexOf(" ", at + 1);
        const named = text.slice(0, end < 0 ? text.length : end);
        if (named.length === at + 1) return [];
        const isNamed = heads.every((other) => other.text.startsWith(named));
        return isNamed ? [] : [automata.text(text.slice(0, at + 1), commands)];
      }),
    );
  }

  /** The calls of a decider in which a language begins with an operand that it does not name. */
  #behind(decider: Decider, commands: State): State {
    const automata = this.#automata;
    if (commands === automata.nothing || decider?.rule.action === "deny") return automata.nothing;
    const later = (next: State) => automata.star(union(WORD, BLANK), automata.one(BLANK, next));
    if (decider?.rule.action !== "allow") return automata.one(NAME, later(commands));
    const { text, isFixed } = literalOf(decider);
    const start = text.lastIndexOf(" ") + 1;
    const program = text.slice(0, start === 0 ? (isFixed ? text.length : 0) : text.indexOf(" "));
    if (isFixed && start > 0) return automata.nothing;
    if (program !== "" && !this.#mayRunOperands(program)) return automata.nothing;
    if (start === 0) return automata.one(NAME, later(commands));
    const longer = automata.text(text.slice(start), automata.one(WORD, automata.whatever));
    return automata.text(
      text.slice(0, start),
      automata.either([automata.both(commands, longer), later(commands)]),
    );
  }
}

const BLANK = charsOf(" ");
/** The characters behind which the value of a word begins. */
const BEFORE = charsOf("=/:,");

/** The literal text that an allow names, and if that is the whole command. */
function literalOf(
  { toolRule }: AnalysedRule,
): { readonly text: string; readonly isFixed: boolean } {
  const [test] = commandTests(toolRule);
  if (test === undefined || test.anchor === "contains") return { text: "", isFixed: false };
  const isFixed = test.anchor === "whole" && onlyText(test.glob) !== undefined;
  return { text: literalHead(test.glob), isFixed };
}

function blanksOf(text: string): readonly number[] {
  return [...text.matchAll(/ /g)].map(({ index }) => index);
}
