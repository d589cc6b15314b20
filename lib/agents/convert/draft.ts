import type { Action } from "../../model/action.ts";
import type { WrittenHook } from "../../model/hook.ts";
import type { Loss, LossKind } from "../../model/loss.ts";
import type { Span } from "../../model/place.ts";
import type { Problem, ProblemId } from "../../model/problem.ts";
import type { ModeName } from "../../model/settings.ts";
import { checkPattern } from "../../policy/compile/compile_policy.ts";
import { errorAt, quoted } from "../../text/problems.ts";
import { toolProfiles } from "../../policy/compile/profiles.ts";
import type { FormatReading, FormatRule } from "./format.ts";

/** One rule of a file that is being read: what it says there, and where. */
export interface Subject {
  /** The rule as it is written there. */
  readonly text: string;
  /** What it says. */
  readonly action: Action;
  /** Where it stands. */
  readonly span: Span;
  /** For people. */
  readonly comment?: string;
  /** For the model; of denies only. */
  readonly reason?: string;
  /** Whether what is made of it fits more than it does. */
  readonly isBroad?: true;
}

const PROFILES = toolProfiles(new Map());

/**
 * Rules that hold for more here when they deny or ask: a final ` *` may be left out, and a path holds for what is below it
 * and for every tool that does the same to the file.
 */
const SAYS_MORE = /^Bash:.* \*$|^(?!Bash:)[^:(]+:/s;

/** What has been read of a file so far. */
export class Draft {
  readonly #rules: { rule: FormatRule; broad: boolean; subject: Subject }[] = [];
  readonly #losses: Loss[] = [];
  readonly #problems: Problem[] = [];

  /** Takes over problems that were found before. */
  constructor(problems: readonly Problem[] = []) {
    this.#problems.push(...problems);
  }

  /** Adds patterns that together say what the subject says. */
  add(subject: Subject, ...patterns: readonly string[]): void {
    for (const pattern of patterns) this.#push(subject, pattern, false);
  }

  /** Adds a deny or ask that fits more than the subject does, and says so. Throws RangeError for an allow. */
  broaden(
    subject: Subject,
    { pattern, detail }: { pattern: string | readonly string[]; detail: string },
  ): void {
    if (subject.action === "allow") throw new RangeError("An allow rule is never made broader");
    for (const each of [pattern].flat()) this.#push(subject, each, true);
    this.lose("narrowed", subject, detail);
  }

  /** What cannot be kept: an allow is left out, a deny or ask holds for what `pattern` fits. */
  approximate(
    subject: Subject,
    wide: { pattern: string | readonly string[]; detail: string },
  ): void {
    if (subject.action === "allow") this.lose("dropped", subject, wide.detail);
    else this.broaden(subject, wide);
  }

  /** Says what happened to a rule. */
  lose(kind: LossKind, { text, action, span }: Subject, detail: string): void {
    this.#losses.push({ kind, subject: text, action, detail, span });
  }

  /** Says what happened to a setting. */
  loseSetting(subject: string, { span, detail, kind = "dropped" }: {
    span: Span;
    detail: string;
    kind?: LossKind;
  }): void {
    this.#losses.push({ kind, subject, detail, span });
  }

  /** Says what cannot be read. */
  problem(span: Span, message: string, id: ProblemId = "wrong-type"): void {
    this.#problems.push(errorAt(span, { id, message }));
  }

  /** A rule that cannot be read: nothing of the file counts then, since a deny must not vanish. */
  unreadable({ text, span }: Pick<Subject, "text" | "span">, detail: string): void {
    this.problem(span, `Cannot read rule ${quoted(text)}: ${detail}`, "invalid-pattern");
  }

  /**
   * The reading. `firstMatch` is for formats whose rules stood in an order of their own: there an ask that was made broader
   * could hide a deny behind it, and is made a deny.
   */
  finish(options: {
    defaultMode?: ModeName | undefined;
    firstMatch?: true;
    hooks?: readonly WrittenHook[];
  } = {}): FormatReading {
    const { defaultMode, firstMatch, hooks = [] } = options;
    const rules = firstMatch ? this.#guarded() : this.#rules.map(({ rule }) => rule);
    this.#problems.sort((a, b) => a.span.start - b.span.start);
    return {
      rules: distinct(rules),
      ...(defaultMode === undefined ? {} : { defaultMode }),
      ...(hooks.length === 0 ? {} : { hooks }),
      losses: this.#losses,
      problems: this.#problems,
    };
  }

  #push(subject: Subject, pattern: string, broad: boolean): void {
    const { action, span, comment, reason } = subject;
    const { error } = checkPattern(pattern, { action, profiles: PROFILES });
    if (error) return this.unreadable(subject, `${quoted(pattern)}: ${error.detail}`);
    const said = {
      ...(comment === undefined ? {} : { comment }),
      ...(reason === undefined ? {} : { reason }),
    };
    const isBroad = broad || subject.isBroad === true || SAYS_MORE.test(pattern);
    this.#rules.push({ rule: { pattern, action, ...said, span }, broad: isBroad, subject });
  }

  #guarded(): readonly FormatRule[] {
    const last = this.#rules.findLastIndex(({ rule }) => rule.action === "deny");
    const told = new Set<Subject>();
    return this.#rules.map(({ rule, broad, subject }, index) => {
      if (!broad || rule.action !== "ask" || index >= last) return rule;
      const detail = "it fits more here, and would hide a deny below it, so it is a deny";
      if (!told.has(subject)) this.lose("narrowed", subject, detail);
      told.add(subject);
      return { ...rule, action: "deny" };
    });
  }
}

/** The rules without those that say what an earlier one of the same action says already. */
function distinct(rules: readonly FormatRule[]): readonly FormatRule[] {
  const seen = new Set<string>();
  return rules.filter(({ pattern, action }) => {
    const key = `${action} ${pattern}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
