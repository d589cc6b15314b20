import type { Action } from "../model/call.ts";
import type { AskAnswer, AskKind, AskQuestion, AskScope } from "../model/verdict.ts";
import type { Key } from "./keys.ts";
import { fieldAfterKey, fieldOf, fieldText, type TextField } from "./text_field.ts";

/** One thing that can be chosen. */
export interface Choice {
  /** The answer that it gives. */
  readonly kind: AskKind;
  /** The letter that chooses it. */
  readonly letter: string;
  /** Its label. */
  readonly title: string;
  /** Set for the rule for a class of commands. */
  readonly pattern?: string;
}

const CHOICES: readonly Choice[] = [
  { kind: "allow-once", letter: "y", title: "allow once" },
  { kind: "allow-always", letter: "a", title: "always allow" },
  { kind: "deny-once", letter: "n", title: "deny once" },
  { kind: "deny-always", letter: "d", title: "always deny" },
];

/** The state of the dialog. */
export type PromptState =
  | { readonly step: "choose"; readonly selected: number }
  | {
    readonly step: "pattern";
    readonly kind: AskKind;
    /** The patterns that were accepted. */
    readonly patterns: readonly string[];
    /** The index of the suggestion that is being edited, from 0. */
    readonly index: number;
    readonly line: TextField;
    /** The problem of the pattern that was entered. */
    readonly problem?: string;
  }
  | {
    readonly step: "scope";
    readonly kind: AskKind;
    readonly patterns: readonly string[];
    readonly selected: number;
  }
  | {
    readonly step: "comment";
    readonly kind: AskKind;
    readonly patterns: readonly string[];
    readonly scope?: AskScope;
    readonly line: TextField;
  }
  | { readonly step: "answered"; readonly answer: AskAnswer };

/** The context of the dialog. */
export interface PromptContext {
  readonly question: AskQuestion;
  /** The problem of a pattern for a rule of that action, in one sentence; undefined for none. */
  readonly check: (pattern: string, action: Action) => string | undefined;
}

/** The answer if the person does not answer. */
export const DENIED: AskAnswer = { kind: "deny-once" };

/** The choices: “always” only if a rule can be saved, and a class last, so that the numbers of the others stay. */
export function choicesOf({ scopes, classRule }: AskQuestion): readonly Choice[] {
  if (scopes.length === 0) return CHOICES.filter(({ kind }) => !isAlways(kind));
  if (classRule === undefined) return CHOICES;
  const { pattern, also } = classRule;
  const title = `always allow ${pattern}, also ${also.join(", ")}`;
  return [...CHOICES, { kind: "allow-always", letter: "c", title, pattern }];
}

/** The patterns that are suggested for “always”; at least one, which may be empty. */
export function suggestionsOf({ suggestion, suggestions = [] }: AskQuestion): readonly string[] {
  return suggestions.length > 0 ? suggestions : [suggestion ?? ""];
}

/** The beginning: “deny once” is selected, so that a stray Enter allows nothing. */
export function initialPrompt(question: AskQuestion): PromptState {
  const selected = choicesOf(question).findIndex(({ kind }) => kind === "deny-once");
  return { step: "choose", selected };
}

/** The state after a key. Escape, Ctrl-C and the end of input deny once, in every state. */
export function afterKey(asking: PromptState, key: Key, context: PromptContext): PromptState {
  if (asking.step === "answered") return asking;
  if (key.kind === "escape" || key.kind === "interrupt" || key.kind === "end-of-input") {
    return { step: "answered", answer: DENIED };
  }
  switch (asking.step) {
    case "choose":
      return choosing(asking, key, context);
    case "pattern":
      return key.kind === "enter"
        ? withPattern(asking, context)
        : { ...withoutProblem(asking), line: fieldAfterKey(asking.line, key) };
    case "scope":
      return choosingScope(asking, key, context);
    case "comment":
      return key.kind === "enter"
        ? answered(asking)
        : { ...asking, line: fieldAfterKey(asking.line, key) };
  }
}

type At<Step extends PromptState["step"]> = Extract<PromptState, { readonly step: Step }>;

function choosing(asking: At<"choose">, key: Key, { question }: PromptContext): PromptState {
  const choices = choicesOf(question);
  const index = chosen(key, {
    selected: asking.selected,
    letters: choices.map(({ letter }) => letter),
  });
  const choice = choices[index ?? -1];
  if (choice === undefined) return { ...asking, selected: moved(asking.selected, key, choices) };
  const { kind, pattern } = choice;
  if (pattern !== undefined) return withScope({ kind, patterns: [pattern] }, question);
  if (kind === "allow-once") return { step: "answered", answer: { kind } };
  if (kind === "deny-once") return { step: "comment", kind, patterns: [], line: fieldOf("") };
  const [first = ""] = suggestionsOf(question);
  return { step: "pattern", kind, patterns: [], index: 0, line: fieldOf(first) };
}

/** Accepts a valid pattern and moves on to the next; an empty one of several is skipped. */
function withPattern(asking: At<"pattern">, { question, check }: PromptContext): PromptState {
  const { kind, index } = asking;
  const suggestions = suggestionsOf(question);
  const pattern = fieldText(asking.line).trim();
  const isLast = index + 1 >= suggestions.length;
  if (pattern === "" && isLast && asking.patterns.length === 0) {
    return { ...asking, problem: "A rule needs a pattern" };
  }
  const problem = pattern === "" ? undefined : check(pattern, actionOf(kind));
  if (problem !== undefined) return { ...asking, problem };
  const patterns = pattern === "" || asking.patterns.includes(pattern)
    ? asking.patterns
    : [...asking.patterns, pattern];
  if (!isLast) {
    const line = fieldOf(suggestions[index + 1] ?? "");
    return { step: "pattern", kind, patterns, index: index + 1, line };
  }
  return withScope({ kind, patterns }, question);
}

/** The choice of the scope, the session first, where there is more than one. */
function withScope(
  { kind, patterns }: { readonly kind: AskKind; readonly patterns: readonly string[] },
  { scopes }: AskQuestion,
): PromptState {
  const [scope] = scopes;
  return scopes.length === 1 && scope !== undefined
    ? { step: "comment", kind, patterns, scope, line: fieldOf("") }
    : { step: "scope", kind, patterns, selected: 0 };
}

function choosingScope(asking: At<"scope">, key: Key, { question }: PromptContext): PromptState {
  const { scopes } = question;
  const scope = scopes[chosen(key, { selected: asking.selected, letters: [] }) ?? -1];
  if (scope === undefined) return { ...asking, selected: moved(asking.selected, key, scopes) };
  const { kind, patterns } = asking;
  return { step: "comment", kind, patterns, scope, line: fieldOf("") };
}

function answered({ kind, patterns, scope, line }: At<"comment">): PromptState {
  const comment = fieldText(line).trim();
  const [pattern] = patterns;
  const answer: AskAnswer = {
    kind,
    ...(pattern === undefined ? {} : { pattern, patterns }),
    ...(scope === undefined ? {} : { scope }),
    ...(comment === "" ? {} : { comment }),
  };
  return { step: "answered", answer };
}

/** The index that a key chooses: Enter, a number from 1, a letter. Not what was pasted, nor several keys at once. */
function chosen(
  key: Key,
  { selected, letters }: { readonly selected: number; readonly letters: readonly string[] },
): number | undefined {
  if (key.kind === "enter") return selected;
  if (key.kind !== "text") return undefined;
  if (/^[1-9]$/.test(key.text)) return Number(key.text) - 1;
  const index = letters.indexOf(key.text.toLowerCase());
  return index < 0 ? undefined : index;
}

function moved(selected: number, key: Key, among: readonly unknown[]): number {
  const by = key.kind === "up" ? -1 : key.kind === "down" ? 1 : 0;
  return (selected + by + among.length) % among.length;
}

function withoutProblem({ problem: _told, ...asking }: At<"pattern">): At<"pattern"> {
  return asking;
}

function isAlways(kind: AskKind): boolean {
  return kind === "allow-always" || kind === "deny-always";
}

function actionOf(kind: AskKind): Action {
  return kind === "allow-always" || kind === "allow-once" ? "allow" : "deny";
}
