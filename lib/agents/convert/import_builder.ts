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
import { whyNoFile, widerPatterns } from "./wider_patterns.ts";
import { wrappedLosses } from "./wrapped_losses.ts";

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

  /**
   * Adds patterns that together match what the subject matches. Of an allow those are left out that are no pattern; a deny or ask
   * becomes wider.
   */
  add(subject: Subject, ...patterns: readonly string[]): void {
    const faults = patterns.flatMap((pattern) => {
      const fault = this.#push(subject, pattern, false);
      return fault === undefined ? [] : [fault];
    });
    const [detail] = faults;
    if (detail === undefined) return;
    if (subject.action !== "allow") return this.lose("narrowed", subject, detail);
    this.lose(faults.length === patterns.length ? "dropped" : "narrowed", subject, detail);
  }

  /** Adds a deny or ask that matches more than the subject, as a loss. Throws RangeError for an allow. */
  broaden(
    subject: Subject,
    { pattern, detail }: { pattern: string | readonly string[]; detail: string },
  ): void {
    if (subject.action === "allow") throw new RangeError("An allow rule cannot be broadened");
    const [fault] = [pattern].flat().flatMap((each) => this.#push(subject, each, true) ?? []);
    this.lose("narrowed", subject, detail);
    if (fault !== undefined) this.lose("narrowed", subject, fault);
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

  /**
   * Leaves out an allow that cannot be read, as a loss. A deny or ask is a problem: nothing of the file counts then, for it must
   * not vanish.
   */
  unreadable(subject: Subject, detail: string): void {
    const { text, span, action } = subject;
    if (action === "allow") return this.lose("dropped", subject, detail);
    this.problem(span, `Cannot read rule ${quoted(text)}: ${detail}`, "invalid-pattern");
  }

  /**
   * Reads one entry, and returns true if it is kept: an allow with a problem is left out, as a loss, and takes nothing else of the
   * file with it.
   */
  entry(subject: Subject, read: () => void): boolean {
    const [problems, losses, rules] = [this.#problems, this.#losses, this.#rules];
    const before = [problems.length, losses.length, rules.length] as const;
    read();
    const [first] = problems.slice(before[0]);
    if (first === undefined || subject.action !== "allow") return true;
    problems.length = before[0];
    losses.length = before[1];
    rules.length = before[2];
    this.lose("dropped", subject, first.message);
    return false;
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
    this.#loseWrapped();
    this.#problems.sort((a, b) => a.span.start - b.span.start);
    return {
      rules: distinct(rules),
      ...(defaultMode === undefined ? {} : { defaultMode }),
      ...(hooks.length === 0 ? {} : { hooks }),
      losses: this.#losses,
      problems: this.#problems,
    };
  }

  /** Adds one pattern, or a wider one for a deny or ask. Returns the fault of the pattern. */
  #push(subject: Subject, pattern: string, broad: boolean): string | undefined {
    const { action, span, comment, reason } = subject;
    const { error } = checkPattern(pattern, { action, profiles: PROFILES });
    const detail = error?.detail ?? (action === "allow" ? undefined : whyNoFile(pattern));
    if (detail !== undefined) return this.#pushWider(subject, { pattern, detail });
    const notes = {
      ...(comment === undefined ? {} : { comment }),
      ...(reason === undefined ? {} : { reason }),
    };
    const isBroad = broad || subject.isBroad === true || MATCHES_MORE.test(pattern);
    this.#rules.push({ rule: { pattern, action, ...notes, span }, broad: isBroad, subject });
    return undefined;
  }

  #pushWider(
    subject: Subject,
    { pattern, detail }: { readonly pattern: string; readonly detail: string },
  ): string | undefined {
    if (subject.action === "allow") return `caliban has no such pattern: ${detail}`;
    const wider = widerPatterns(pattern);
    const isValid = (each: string) =>
      checkPattern(each, { action: subject.action, profiles: PROFILES }).error === undefined;
    if (wider.length === 0 || !wider.every(isValid)) {
      this.unreadable(subject, `${quoted(pattern)}: ${detail}`);
      return undefined;
    }
    for (const each of wider) this.#push(subject, each, true);
    return `caliban has no such pattern (${detail}), so it is ${wider.join(", ")}`;
  }

  /** Adds the losses of allows that cover a program, but not what it runs. */
  #loseWrapped(): void {
    const details = wrappedLosses(this.#rules.map(({ rule }) => rule));
    const known = new Set<Subject>();
    for (const { rule, subject } of this.#rules) {
      const detail = details.get(rule);
      if (detail !== undefined && !known.has(subject)) this.lose("narrowed", subject, detail);
      known.add(subject);
    }
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
