import { evaluate } from "../decide/evaluate.ts";
import type { Json, ToolCall } from "../model/call.ts";
import { quoted } from "../model/problem.ts";
import type { Rule } from "../model/rule.ts";
import type { AskAnswer, AskQuestion, AskScope, Decision, Verdict } from "../model/verdict.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import type { FileScope, RuleFiles } from "./gate_parts.ts";
import { type GateState, patternFault, type SessionRule } from "./gate_state.ts";
import { keepInFile } from "./keep_in_file.ts";
import { isAboutVeryCall, isAskedEachTime, suggestedBy } from "./question.ts";
import type { GateContext } from "./stages/stage.ts";

/** A question, and the context of its call. */
export interface Asked {
  readonly question: AskQuestion;
  /** Each of its parts in one text, by which it is remembered. */
  readonly questions: readonly string[];
  /** The context of the call. */
  readonly context: GateContext;
}

/** The memory of people's answers. */
export interface Answers {
  /** The files that “always” can be written to. */
  scopes(): readonly FileScope[];
  /** True if a person allowed this very call with these very questions for the session. */
  remembers(call: ToolCall, decision: Decision, questions: readonly string[]): boolean;
  /** Keeps an “always”; what a person must know of it, one sentence each. Never rejects for what the machine does. */
  keep(answer: AskAnswer, asked: Asked): Promise<readonly string[]>;
}

/** The memory of a gate and its sub-agents. */
export function answersOf(
  state: GateState,
  { files, tool }: { readonly files: RuleFiles | undefined } & Pick<GateContext, "tool">,
): Answers {
  return {
    scopes: () => files === undefined ? [] : fileScopes(state.base),
    remembers(call, decision, questions) {
      if (isAskedEachTime(decision, { tool })) return false;
      if (questions.length === 0 || !isAboutVeryCall(decision)) return false;
      return questions.every((each) => state.remembers(keyOf(call, each, state.policy)));
    },
    keep: (answer, asked) => kept(answer, { ...asked, state, files }),
  };
}

const SCOPES: readonly FileScope[] = ["project", "user", "local"];

/** The files that were looked at, so that a rule in them counts. */
function fileScopes({ sources: { entries } }: CompiledPolicy): readonly FileScope[] {
  return SCOPES.filter((scope) =>
    entries.some(({ kind, state }) => kind === scope && state !== "off")
  );
}

function keyOf(call: ToolCall, question: string, policy: CompiledPolicy): string {
  return `${callKey(call, call.cwd ?? policy.cwd)} ${question}`;
}

interface Keeping extends Asked {
  readonly state: GateState;
  readonly files: RuleFiles | undefined;
}

async function kept(answer: AskAnswer, keeping: Keeping): Promise<readonly string[]> {
  const { question, questions, context, state } = keeping;
  const { call, decision, scopes } = question;
  const [least] = scopes;
  if (least === undefined) return ["The answer is not kept: it applies to this call only"];
  const { rules: given, faults } = rulesOf(answer, { question, policy: state.base });
  const isAllow = answer.kind === "allow-always";
  const isVeryCall = isAllow && isAboutVeryCall(decision);
  for (const each of isVeryCall ? questions : []) state.remember(keyOf(call, each, context.policy));
  // The suggestion is this very call; as a rule, the same command would be allowed in every other folder too.
  const isCommand = context.policy.profiles.get(call.tool).kind === "command";
  const suggested = isVeryCall && isCommand ? suggestedBy(question) : [];
  const rules = given.filter(({ pattern }) => !suggested.includes(pattern));
  if (rules.length === 0) {
    const none = "The answer's rules are not kept: it has no usable pattern";
    return [...faults, ...(isVeryCall ? scopeWarning(answer, scopes) : [none])];
  }
  if (!state.addRules(rules)) return [...faults, "The rules of the answer cannot be used"];
  const scope = scopeOf(answer, scopes) ?? least;
  const warnings = [...faults, ...scopeWarning(answer, scopes)];
  if (isVeryCall) return warnings;
  const still = stillDecides(rules, keeping);
  if (still !== undefined) return [...warnings, still];
  if (scope === "session") return warnings;
  return [...warnings, ...await keepInFile(rules, { ...keeping, scope })];
}

/** The rules of an answer, and the faults of those that cannot be kept. */
function rulesOf(
  { kind, pattern, patterns, comment }: AskAnswer,
  { question, policy }: { readonly question: AskQuestion; readonly policy: CompiledPolicy },
): { readonly rules: readonly SessionRule[]; readonly faults: readonly string[] } {
  const isAllow = kind === "allow-always";
  const given = patterns ?? (pattern === undefined ? suggestedBy(question) : [pattern]);
  const rules = given.map((each): SessionRule =>
    isAllow
      ? { pattern: each, action: "allow", ...(comment === undefined ? {} : { comment }) }
      : { pattern: each, action: "deny", ...(comment === undefined ? {} : { reason: comment }) }
  );
  const faults = rules.flatMap((rule) => {
    const fault = patternFault(rule, policy);
    return fault === undefined ? [] : [`Cannot keep the rule ${quoted(rule.pattern)}: ${fault}`];
  });
  return { rules: rules.filter((rule) => patternFault(rule, policy) === undefined), faults };
}

function scopeOf(
  { scope }: AskAnswer,
  scopes: readonly AskScope[],
): AskScope | undefined {
  return scopes.find((each) => each === scope);
}

function scopeWarning({ scope }: AskAnswer, scopes: readonly AskScope[]): readonly string[] {
  if (scope === undefined || scopes.includes(scope)) return [];
  return [`The answer cannot be kept in ${quoted(scope)}: it applies to this session only`];
}

/** The rule that still decides the call although the new ones are there; undefined if they do. */
function stillDecides(
  rules: readonly SessionRule[],
  { question: { call, decision: { verdict: before } }, context, state }: Keeping,
): string | undefined {
  const now = context.now();
  const after = evaluate(state.policy, call, now === undefined ? {} : { now });
  const who = whoStillDecides(after, { before, action: rules[0]?.action ?? "allow" });
  return who && `${who} still decides this call; the rule stays in the session`;
}

/** One text for every spelling of the same call in the same folder. */
function callKey({ tool, input }: ToolCall, cwd: string): string {
  return JSON.stringify([tool, cwd, sorted(input)]);
}

function sorted(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return ["list", ...value.map(sorted)];
  // As a list of its members: an object would put those whose names are numbers first.
  const members = Object.entries(value).toSorted(([one], [other]) => one < other ? -1 : 1);
  return ["object", ...members.map(([key, member]): Json => [key, sorted(member)])];
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * The rule that decides a call although rules with that action were added: they answer none of its questions, or do not
 * deny it. Undefined if they count.
 */
function whoStillDecides(
  after: Verdict,
  { before, action }: { readonly before: Verdict; readonly action: SessionRule["action"] },
): string | undefined {
  const counts = action === "deny"
    ? after.action === "deny"
    : questionsOf(after) < questionsOf(before);
  if (counts) return undefined;
  return after.rule === null ? "the default (no rule matches)" : nameOf(after.rule);
}

/** The number of units that are not allowed. */
export function questionsOf({ units }: Verdict): number {
  return units.filter(({ action }) => action !== "allow").length;
}

/** A rule with its place, for a sentence. */
export function nameOf({ action, pattern, source: { path, line } }: Rule): string {
  return `\`${action} ${pattern}\` (${path}:${line})`;
}
