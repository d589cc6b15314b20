import canonicalize from "canonicalize";
import type { ToolCall } from "../../model/call.ts";
import type { ToolClass } from "../../model/tool_profile.ts";
import type { Classifier } from "./classifier.ts";
import type { MatchesList } from "./list_matcher.ts";
import { type CallQuestion, holdsSalt, modelQuestion } from "./model_question.ts";
import type { AutoMode, AutoQuestion, JudgeOptions, Opinion, OpinionDecision } from "./opinion.ts";
import { type Answer, readCompletion } from "./read_answer.ts";
import { SharedRequests } from "./shared_requests.ts";
import { staticAllow, staticDenial } from "./static_opinion.ts";

/** A model's answer, and what must be known to forget it in time. */
export interface KnownAnswer {
  /** The answer as the model gave it. */
  readonly answer: Answer;
  /** The class of the call's tool; absent when not known. */
  readonly toolClass?: ToolClass;
}

/** Where a model's answers are kept. */
export interface OpinionCache {
  /** The answer of that key; undefined when none is kept. */
  get(key: string): KnownAnswer | undefined;
  /** Keeps an answer. */
  set(key: string, answer: KnownAnswer): void;
  /** Forgets all. */
  clear(): void;
  /** Forgets the allows of calls whose tool is of one of these classes; undefined is a tool that nobody knows. */
  dropAllowed(classes: readonly (ToolClass | undefined)[]): void;
}

/** What auto mode is made of. */
export interface AutoModeParts {
  /** The static lists. */
  readonly matchesList: MatchesList;
  /** The model; without one, what the lists do not say is soft_deny. */
  readonly classifier?: Classifier;
  /** Where its answers are kept. */
  readonly cache: OpinionCache;
  /** Hexadecimal SHA-256 of a text's UTF-8 bytes. */
  readonly digest: (text: string) => Promise<string>;
  /** A text that nobody can guess, another one each time. */
  readonly salt: () => string;
  /** What the model is told besides the call, as it now is. */
  readonly environment: (call: ToolCall) => readonly string[];
  /** The folder that a call runs in. */
  readonly cwdOf: (call: ToolCall) => string;
  /** What a tool does; undefined when nobody knows. */
  readonly classOf: (tool: string) => ToolClass | undefined;
  /** Why auto mode is switched off, in one sentence; absent when it is on. */
  readonly disabled?: string;
  /** `never`: for measuring a model; denials are then not counted. */
  readonly stepsBack?: "never" | "after-denials";
}

/** What an edit may change the meaning of: a command, and whatever a tool does that nobody knows. */
const CHANGED_BY_EDITS: readonly (ToolClass | undefined)[] = ["execute", undefined];

/** How often a new salt is tried. */
const SALTS = 8;

/** Auto mode made of its parts; nothing is compiled or asked before the first call. */
export function createAutoMode(parts: AutoModeParts): AutoMode {
  return new Session(parts);
}

/** What came of asking the model: its answer, or why there is none. */
type Asked = { readonly answer: Answer } | { readonly reason: string };

class Session implements AutoMode {
  readonly #parts: AutoModeParts;
  readonly #stepBack = new CircuitBreaker();
  readonly #requests = new SharedRequests<Asked>();
  /** Counts what makes answers under way too old to be kept: `clear` for all, `edited` for what edits may change. */
  #times = { cleared: 0, edited: 0 };

  constructor(parts: AutoModeParts) {
    this.#parts = parts;
  }

  async judge(question: AutoQuestion, { signal }: JudgeOptions = {}): Promise<Opinion> {
    const { call, onlyDeny = false } = question;
    const { disabled, matchesList } = this.#parts;
    if (disabled !== undefined) {
      return { decision: "soft_deny", source: "disabled", reason: disabled };
    }
    const denial = staticDenial(call, matchesList);
    if (denial) return this.#counted(denial);
    const back = this.#stepBack.reason;
    if (back !== undefined) return fallback(back);
    const allowed = staticAllow(call, matchesList);
    if (allowed) return onlyDeny ? asksAnyway(allowed) : this.#counted(allowed);
    const opinion = await this.#askModel(call, signal);
    // That nothing was answered is no denial, and neither is that an answer may not count.
    if (opinion.source === "fallback") return opinion;
    if (opinion.decision !== "allow") return this.#counted(opinion);
    if (onlyDeny) return asksAnyway(opinion);
    return this.#counted(opinion);
  }

  clear(): void {
    this.#times.cleared++;
    this.#parts.cache.clear();
    this.#requests.forget();
  }

  edited(): void {
    this.#times.edited++;
    this.#parts.cache.dropAllowed(CHANGED_BY_EDITS);
    this.#requests.forget();
  }

  approved(): void {
    this.#stepBack.approved();
  }

  #counted(opinion: Opinion): Opinion {
    if (this.#parts.stepsBack !== "never") this.#stepBack.count(opinion.decision);
    return opinion;
  }

  async #askModel(call: ToolCall, signal: AbortSignal | undefined): Promise<Opinion> {
    const { cache, classifier, digest, cwdOf, environment: linesFor } = this.#parts;
    if (!classifier) {
      return fallback("no model is configured: auto-mode.toml has no [classifier] that counts");
    }
    try {
      const cwd = cwdOf(call);
      const environment = linesFor(call);
      const key = await opinionKey(call, { cwd, environment, digest });
      if (key === undefined) return fallback("the input has no canonical JSON (RFC 8785)");
      const question = this.#question(call, { cwd, environment });
      if (!question) return fallback("no delimiter could be found that is not in the call");
      const known = cache.get(key);
      if (known) return opinionOf(known.answer, { source: "cache", question });
      const start = (end: AbortSignal) => this.#request(call, { key, question, end, classifier });
      const asked = await this.#requests.join(key, { start, signal });
      if (asked === undefined) return fallback("the question to the model was given up");
      if ("reason" in asked) return fallback(asked.reason);
      return opinionOf(asked.answer, { source: "classifier", question });
    } catch (error) {
      // A port of the caller's own may throw what it likes: no failure may end in anything but an ask.
      const detail = error instanceof Error ? error.message : String(error);
      return fallback(`asking the model failed: ${detail}`);
    }
  }

  #question(
    call: ToolCall,
    around: { readonly cwd: string; readonly environment: readonly string[] },
  ): CallQuestion | undefined {
    for (let tries = 0; tries < SALTS; tries++) {
      const options = { ...around, salt: this.#parts.salt() };
      if (!holdsSalt(call, options)) return modelQuestion(call, options);
    }
    return undefined;
  }

  async #request(
    call: ToolCall,
    { key, question, end, classifier }: {
      readonly key: string;
      readonly question: CallQuestion;
      readonly end: AbortSignal;
      readonly classifier: Classifier;
    },
  ): Promise<Asked> {
    const { cache, classOf } = this.#parts;
    const { cleared, edited } = this.#times;
    const { system, user } = question;
    const reply = await classifier.ask({ system, user }, { signal: end });
    if (reply.kind === "fallback") return { reason: reply.reason };
    const read = readCompletion(reply.completion);
    if (!read.ok) return { reason: read.detail };
    const toolClass = classOf(call.tool);
    const outdated = edited !== this.#times.edited && CHANGED_BY_EDITS.includes(toolClass) &&
      read.answer.decision === "allow";
    if (cleared === this.#times.cleared && !outdated) {
      cache.set(key, { answer: read.answer, ...(toolClass === undefined ? {} : { toolClass }) });
    }
    return { answer: read.answer };
  }
}

function opinionOf(
  { decision, reason }: Answer,
  { source, question }: { source: "cache" | "classifier"; question: CallQuestion },
): Opinion {
  const why = reason === "" ? "the model gave no reason" : reason;
  if (decision !== "allow" || !question.cut) return { decision, source, reason: why };
  const cut = "the call is too long for the model to have seen all of it";
  return { decision: "soft_deny", source, reason: `${cut}; it said: ${why}` };
}

function asksAnyway({ source, reason }: Opinion): Opinion {
  const asks = "a written rule asks about this call, so auto mode does not allow it";
  return { decision: "soft_deny", source, reason: `${asks} (${reason})` };
}

function fallback(reason: string): Opinion {
  return { decision: "soft_deny", source: "fallback", reason };
}

/** What an opinion depends on besides the call's tool and input. */
interface KeyOptions {
  /** The folder that the call runs in. */
  readonly cwd: string;
  /** The lines that the model is told. */
  readonly environment: readonly string[];
  /** Hexadecimal SHA-256 of a text's UTF-8 bytes. */
  readonly digest: (text: string) => Promise<string>;
}

/**
 * What two questions must share for one answer to hold for both: the tool, and the hash of the canonical JSON (RFC 8785)
 * of input, folder and environment. Undefined for an input that has no such JSON: a lone surrogate, NaN, a circle.
 */
export async function opinionKey(call: ToolCall, options: KeyOptions): Promise<string | undefined> {
  const { cwd, environment, digest } = options;
  const text = canonicalText({ input: call.input, cwd, environment });
  return text === undefined ? undefined : `${await digest(text)} ${call.tool}`;
}

function canonicalText(value: object): string | undefined {
  try {
    return canonicalize(value);
  } catch (error) {
    // The package throws plain Errors for what RFC 8785 cannot say, and nothing else.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** How many denials in a row, and in all, make auto mode step back. */
const DENIALS = { inARow: 3, inAll: 20 } as const;

/** Counts denials: an agent that is denied again and again needs a person, not a model. */
class CircuitBreaker {
  #inARow = 0;
  #inAll = 0;

  /** Why everything asks now, in one sentence; undefined while it does not. */
  get reason(): string | undefined {
    const many = this.#inAll >= DENIALS.inAll ? this.#inAll : undefined;
    if (many === undefined && this.#inARow < DENIALS.inARow) return undefined;
    const denials = many === undefined ? `${this.#inARow} denials in a row` : `${many} denials`;
    return `auto mode stepped back after ${denials}, until a person approves a call`;
  }

  /** Counts a decision. */
  count(decision: OpinionDecision): void {
    if (decision === "allow") this.#inARow = 0;
    else {
      this.#inARow++;
      this.#inAll++;
    }
  }

  /** A person approved a call: the count begins anew. */
  approved(): void {
    this.#inARow = 0;
    this.#inAll = 0;
  }
}
