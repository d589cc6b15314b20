import type { Action, ModeName } from "../../model/call.ts";
import {
  errorAt,
  type Loss,
  type LossKind,
  type Problem,
  type ProblemId,
  quoted,
  type Span,
} from "../../model/problem.ts";
import type { WrittenHook } from "../../model/rule.ts";
import { checkPattern } from "../../policy/compile/compile_policy.ts";
import { toolProfiles } from "../../policy/compile/profiles.ts";
import type { FormatRule, ImportResult } from "./format.ts";

/** A rule of another agent's file. */
export interface Subject {
  /** The rule as written. */
  readonly text: string;
  readonly action: Action;
  readonly span: Span;
  /** For people. */
  readonly comment?: string;
  /** For the model; of denies only. */
  readonly reason?: string;
  /** Set if the rule that is made of it matches more. */
  readonly isBroad?: true;
}

const PROFILES = toolProfiles(new Map());

/**
 * Denies and asks that match more in caliban: a final ` *` is optional, and a path includes everything below it and holds for
 * every tool that does the same to the file.
 */
const MATCHES_MORE = /^Bash:.* \*$|^(?!Bash:)[^:(]+:/s;

/** Collects the rules, losses and problems of an import. */
export class ImportBuilder {
  readonly #rules: { rule: FormatRule; broad: boolean; subject: Subject }[] = [];
  readonly #losses: Loss[] = [];
  readonly #problems: Problem[] = [];

  /** `problems` are those of the file's syntax. */
  constructor(problems: readonly Problem[] = []) {
    this.#problems.push(...problems);
  }

  /** Adds patterns that together match what the subject matches. */
  add(subject: Subject, ...patterns: readonly string[]): void {
    for (const pattern of patterns) this.#push(subject, pattern, false);
  }

  /** Adds a deny or ask that matches more than the subject, as a loss. Throws RangeError for an allow. */
  broaden(
    subject: Subject,
    { pattern, detail }: { pattern: string | readonly string[]; detail: string },
  ): void {
    if (subject.action === "allow") throw new RangeError("An allow rule cannot be broadened");
    for (const each of [pattern].flat()) this.#push(subject, each, true);
    this.lose("narrowed", subject, detail);
  }

  /** Adds a rule that cannot be exact: an allow is dropped, a deny or ask matches `pattern`. */
  approximate(
    subject: Subject,
    broad: { pattern: string | readonly string[]; detail: string },
  ): void {
    if (subject.action === "allow") this.lose("dropped", subject, broad.detail);
    else this.broaden(subject, broad);
  }

  /** Adds a rule on a host; `star` is `*.` for its subdomains alone. */
  addHost(subject: Subject, { host, star = "" }: { host: string; star?: string }): void {
    if (subject.action === "allow") {
      this.add(subject, `WebFetch:https://${star}${host}`, `WebFetch:http://${star}${host}`);
    } else {
      const detail = "in caliban it holds for the host and its subdomains";
      this.broaden(subject, { pattern: `WebFetch:domain:${host}`, detail });
    }
  }

  /** Adds a loss of a rule. */
  lose(kind: LossKind, { text, action, span }: Subject, detail: string): void {
    this.#losses.push({ kind, subject: text, action, detail, span });
  }

  /** Adds a loss of a setting. */
  loseSetting(subject: string, { span, detail, kind = "dropped" }: {
    span: Span;
    detail: string;
    kind?: LossKind;
  }): void {
    this.#losses.push({ kind, subject, detail, span });
  }

  problem(span: Span, message: string, id: ProblemId = "wrong-type"): void {
    this.#problems.push(errorAt(span, { id, message }));
  }

  /** Adds the problem of a rule that cannot be read. Nothing of the file counts then: a deny must not vanish. */
  unreadable({ text, span }: Pick<Subject, "text" | "span">, detail: string): void {
    this.problem(span, `Cannot read rule ${quoted(text)}: ${detail}`, "invalid-pattern");
  }

  /**
   * Finishes the import. `firstMatch` is for formats whose rules have an order: there a broadened ask could hide a deny below
   * it, and becomes a deny.
   */
  finish(options: {
    defaultMode?: ModeName | undefined;
    firstMatch?: true;
    hooks?: readonly WrittenHook[];
  } = {}): ImportResult {
    const { defaultMode, firstMatch, hooks = [] } = options;
    const rules = firstMatch ? this.#withDeniesKept() : this.#rules.map(({ rule }) => rule);
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
    const notes = {
      ...(comment === undefined ? {} : { comment }),
      ...(reason === undefined ? {} : { reason }),
    };
    const isBroad = broad || subject.isBroad === true || MATCHES_MORE.test(pattern);
    this.#rules.push({ rule: { pattern, action, ...notes, span }, broad: isBroad, subject });
  }

  #withDeniesKept(): readonly FormatRule[] {
    const last = this.#rules.findLastIndex(({ rule }) => rule.action === "deny");
    const lost = new Set<Subject>();
    return this.#rules.map(({ rule, broad, subject }, index) => {
      if (!broad || rule.action !== "ask" || index >= last) return rule;
      const detail = "in caliban it matches more, and would hide a deny below it, so it is a deny";
      if (!lost.has(subject)) this.lose("narrowed", subject, detail);
      lost.add(subject);
      return { ...rule, action: "deny" };
    });
  }
}

/** The rules without repetitions of pattern and action. */
function distinct(rules: readonly FormatRule[]): readonly FormatRule[] {
  const seen = new Set<string>();
  return rules.filter(({ pattern, action }) => {
    const key = `${action} ${pattern}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
