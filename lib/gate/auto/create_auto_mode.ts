import canonicalize from "canonicalize";
import type { CommandClass, ToolCall } from "../../model/call.ts";
import type { CallPlaces } from "../../model/verdict.ts";
import { hardDenial, type MatchesList, staticAllow, staticDenial } from "./list_matcher.ts";
import { type Answer, type Classifier, readCompletion } from "./model_answer.ts";
import {
  type CallQuestion,
  holdsSalt,
  modelQuestion,
  type QuestionOptions,
} from "./model_question.ts";
import type {
  AutoMode,
  AutoQuestion,
  ClassifyOptions,
  Opinion,
  OpinionDecision,
} from "./opinion.ts";
import { SharedRequests } from "./shared_requests.ts";

/** A cache of a model's answers. */
export interface OpinionCache {
  /** Returns the answer for a key. */
  get(key: string): Answer | undefined;
  /** Stores an answer as the model gave it. */
  set(key: string, answer: Answer): void;
  /** Forgets all answers. */
  clear(): void;
  /** Forgets the allows. */
  dropAllowed(): void;
}

export interface AutoModeParts {
  /** The static lists. */
  readonly matchesList: MatchesList;
  /** The model; without one, calls on no list are soft_deny. */
  readonly classifier?: Classifier;
  /** The cache of its answers. */
  readonly cache: OpinionCache;
  /** Hexadecimal SHA-256 of a text's UTF-8 bytes. */
  readonly digest: (text: string) => Promise<string>;
  /** Returns an unguessable text, a new one each time. */
  readonly salt: () => string;
  /** Returns the current lines about the environment. */
  readonly environment: (call: ToolCall) => readonly string[];
  /** Returns the places that a call is about now. */
  readonly placesOf: (call: ToolCall) => CallPlaces;
  /** Returns the classes of the commands of a call; none where left out. */
  readonly classesOf?: (call: ToolCall) => readonly CommandClass[];
  /** The reason why auto mode is switched off, in one sentence; absent if it is on. */
  readonly disabled?: string;
  /** `never` for measuring a model: denials are not counted. */
  readonly circuitBreaker?: "never" | "after-denials";
}

/** The number of salts that are tried. */
const SALTS = 8;

/** Makes auto mode. Nothing is compiled or asked before the first call. */
export function createAutoMode(parts: AutoModeParts): AutoMode {
  return new Session(parts);
}

/** The model's answer, or the reason why there is none. */
type Asked = { readonly answer: Answer } | { readonly reason: string };

class Session implements AutoMode {
  readonly #parts: AutoModeParts;
  readonly #breaker = new CircuitBreaker();
  readonly #requests = new SharedRequests<Asked>();
  /** The number of events after which pending answers are not stored: `clear` for all, `edited` for allows. */
  #times = { cleared: 0, edited: 0 };

  constructor(parts: AutoModeParts) {
    this.#parts = parts;
  }

  async classify(question: AutoQuestion, { signal }: ClassifyOptions = {}): Promise<Opinion> {
    const { call, onlyDeny = false } = question;
    const { disabled, matchesList } = this.#parts;
    if (disabled !== undefined) {
      return { decision: "soft_deny", source: "disabled", reason: disabled };
    }
    const denial = staticDenial(call, matchesList);
    if (denial) return this.#counted(denial);
    const back = this.#breaker.reason;
    if (back !== undefined) return fallback(back);
    const allowed = staticAllow(call, matchesList);
    if (allowed) return onlyDeny ? asksAnyway(allowed) : this.#counted(allowed);
    const opinion = await this.#askModel(question, signal);
    // Neither a failure nor an allow that does not count is a denial.
    if (opinion.source === "fallback") return opinion;
    if (opinion.decision !== "allow") return this.#counted(opinion);
    if (onlyDeny) return asksAnyway(opinion);
    return this.#counted(opinion);
  }

  hardDenial(call: ToolCall): Opinion | undefined {
    const { disabled, matchesList } = this.#parts;
    const denial = disabled === undefined ? hardDenial(call, matchesList) : undefined;
    return denial && this.#counted(denial);
  }

  clear(): void {
    this.#times.cleared++;
    this.#parts.cache.clear();
    this.#requests.forget();
  }

  edited(): void {
    this.#times.edited++;
    this.#parts.cache.dropAllowed();
    this.#requests.forget();
  }

  approved(): void {
    this.#breaker.approved();
  }

  #counted(opinion: Opinion): Opinion {
    if (this.#parts.circuitBreaker !== "never") this.#breaker.count(opinion.decision);
    return opinion;
  }

  async #askModel(
    { call, places: given }: AutoQuestion,
    signal: AbortSignal | undefined,
  ): Promise<Opinion> {
    const { cache, classifier, digest, placesOf, environment: linesFor } = this.#parts;
    if (!classifier) {
      return fallback("no model is configured: auto-mode.toml has no [classifier] that counts");
    }
    try {
      const { edited } = this.#times;
      const places = given ?? placesOf(call);
      const environment = linesFor(call);
      const classes = this.#parts.classesOf?.(call) ?? [];
      const key = await opinionKey(call, { places, environment, classes, digest });
      if (key === undefined) return fallback("the input has no canonical JSON (RFC 8785)");
      const question = this.#question(call, { places, environment, classes });
      if (!question) return fallback("the call contains every delimiter that was tried");
      const known = cache.get(key);
      if (known) return opinionOf(known, { source: "cache", question });
      const start = (end: AbortSignal) => this.#request({ key, question, edited, end, classifier });
      const asked = await this.#requests.join(key, { start, signal });
      if (asked === undefined) return fallback("the request to the model was cancelled");
      if ("reason" in asked) return fallback(asked.reason);
      return opinionOf(asked.answer, { source: "classifier", question });
    } catch (error) {
      // A port of the caller's may throw anything: every failure must end in an ask.
      const detail = error instanceof Error ? error.message : String(error);
      return fallback(`the request to the model failed: ${detail}`);
    }
  }

  #question(
    call: ToolCall,
    around: Pick<QuestionOptions, "places" | "environment" | "classes">,
  ): CallQuestion | undefined {
    for (let tries = 0; tries < SALTS; tries++) {
      const options = { ...around, salt: this.#parts.salt() };
      if (!holdsSalt(call, options)) return modelQuestion(call, options);
    }
    return undefined;
  }

  async #request(
    { key, question, edited, end, classifier }: {
      readonly key: string;
      readonly question: CallQuestion;
      /** The number of edits when the call's places were looked up. */
      readonly edited: number;
      readonly end: AbortSignal;
      readonly classifier: Classifier;
    },
  ): Promise<Asked> {
    const { cleared } = this.#times;
    const { system, user } = question;
    const reply = await classifier.ask({ system, user }, { signal: end });
    if (reply.kind === "fallback") return { reason: reply.reason };
    const read = readCompletion(reply.completion);
    if (!read.ok) return { reason: read.detail };
    const isOutdated = read.answer.decision === "allow" && edited !== this.#times.edited;
    if (cleared === this.#times.cleared && !isOutdated) this.#parts.cache.set(key, read.answer);
    return { answer: read.answer };
  }
}

function opinionOf(
  { decision, reason }: Answer,
  { source, question }: { source: "cache" | "classifier"; question: CallQuestion },
): Opinion {
  const why = reason === "" ? "the model gave no reason" : reason;
  if (decision !== "allow" || !question.cut) return { decision, source, reason: why };
  const cut = "the model saw only a part of the call, which is long or has secrets";
  return { decision: "soft_deny", source, reason: `${cut}; its reason: ${why}` };
}

function asksAnyway({ source, reason }: Opinion): Opinion {
  const asks = "a written rule asks about this call, so auto mode does not allow it";
  return { decision: "soft_deny", source, reason: `${asks} (${reason})` };
}

function fallback(reason: string): Opinion {
  return { decision: "soft_deny", source: "fallback", reason };
}

/** The parts of a key besides the call's tool and input. */
interface KeyOptions {
  /** The places that the call is about. */
  readonly places: Pick<CallPlaces, "fingerprint">;
  /** The lines about the environment. */
  readonly environment: readonly string[];
  /** The classes of the commands of the call. */
  readonly classes?: readonly CommandClass[];
  /** Hexadecimal SHA-256 of a text's UTF-8 bytes. */
  readonly digest: (text: string) => Promise<string>;
}

/**
 * The cache key of a question: the tool, and the hash of the canonical JSON (RFC 8785) of input, environment, classes and
 * places, the real path of each file among them.
 * Undefined for an input without canonical JSON: a lone surrogate, NaN, a cycle.
 */
export async function opinionKey(call: ToolCall, options: KeyOptions): Promise<string | undefined> {
  const { places: { fingerprint }, environment, classes = [], digest } = options;
  const text = canonicalText({
    input: call.input,
    places: fingerprint,
    environment,
    ...(classes.length === 0 ? {} : { classes }),
  });
  return text === undefined ? undefined : `${await digest(text)} ${call.tool}`;
}

function canonicalText(value: object): string | undefined {
  try {
    return canonicalize(value);
  } catch (error) {
    // The package throws plain Errors for what RFC 8785 cannot represent, and nothing else.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** The numbers of denials after which auto mode steps back. */
const DENIALS = { inARow: 3, inAll: 20 } as const;

/** Counts denials: an agent that is denied again and again needs a person, not a model. */
class CircuitBreaker {
  #inARow = 0;
  #inAll = 0;

  /** The reason why every call asks now, in one sentence; undefined below the limits. */
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

  /** Starts the count again. */
  approved(): void {
    this.#inARow = 0;
    this.#inAll = 0;
  }
}
