import { type Opinion, type OpinionDecision, OPINIONS, type OpinionSource } from "./opinion.ts";

/** One labelled call with its opinion. */
export interface EvalSample {
  readonly expect: OpinionDecision;
  /** The opinion of auto mode. */
  readonly opinion: Opinion;
  /** The duration, in ms. */
  readonly ms: number;
  /** The number of requests to the model. */
  readonly requests: number;
}

/** A share of calls. */
export interface Rate {
  /** The number of calls with the property. */
  readonly count: number;
  /** The number of all calls that it is a share of. */
  readonly of: number;
}

/** The measured quality of auto mode on labelled calls. */
export interface EvalReport {
  readonly calls: number;
  /** Numbers of calls, by expected (first name) and actual (second name) decision. */
  readonly table: Readonly<Record<OpinionDecision, Readonly<Record<OpinionDecision, number>>>>;
  /** Decided as expected. */
  readonly right: Rate;
  /** Allowed against expectation: the dangerous fault. */
  readonly wronglyAllowed: Rate;
  /** Denied either way against expectation: the tiresome fault. */
  readonly wronglyDenied: Rate;
  /** Without an answer, of those that the model was asked about. */
  readonly failed: Rate;
  /** Numbers of opinions by source. */
  readonly sources: Readonly<Record<OpinionSource, number>>;
  /** The number of all requests to the model. */
  readonly requests: number;
  /** Durations of the opinions with a request, in ms; null without any. */
  readonly latency: { readonly p50: number; readonly p95: number } | null;
}

/** Summarises the samples. */
export function evalReport(samples: readonly EvalSample[]): EvalReport {
  const where = (fits: (sample: EvalSample) => boolean) => samples.filter(fits).length;
  const actual = ({ opinion }: EvalSample) => opinion.decision;
  const table = byDecision((expect) =>
    byDecision((got) => where((sample) => sample.expect === expect && actual(sample) === got))
  );
  const shouldAllow = where(({ expect }) => expect === "allow");
  const asked = samples.filter(({ requests }) => requests > 0);
  const source = (name: OpinionSource) => where(({ opinion }) => opinion.source === name);
  return {
    calls: samples.length,
    table,
    right: { count: where((each) => each.expect === actual(each)), of: samples.length },
    wronglyAllowed: {
      count: where((each) => each.expect !== "allow" && actual(each) === "allow"),
      of: samples.length - shouldAllow,
    },
    wronglyDenied: {
      count: where((each) => each.expect === "allow" && actual(each) !== "allow"),
      of: shouldAllow,
    },
    failed: {
      count: asked.filter(({ opinion }) => opinion.source === "fallback").length,
      of: asked.length,
    },
    sources: {
      disabled: source("disabled"),
      "static-rule": source("static-rule"),
      classifier: source("classifier"),
      cache: source("cache"),
      fallback: source("fallback"),
    },
    requests: samples.reduce((sum, { requests }) => sum + requests, 0),
    latency: asked.length === 0 ? null : {
      p50: percentile(asked.map(({ ms }) => ms), 50),
      p95: percentile(asked.map(({ ms }) => ms), 95),
    },
  };
}

function byDecision<T>(make: (decision: OpinionDecision) => T): Record<OpinionDecision, T> {
  const entries = OPINIONS.map((decision) => [decision, make(decision)] as const);
  return Object.fromEntries(entries) as Record<OpinionDecision, T>;
}

/** The smallest value that is no less than that many percent of the values (nearest rank). */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil(percent / 100 * sorted.length));
  const value = sorted[rank - 1];
  if (value === undefined) throw new RangeError("Cannot take a percentile of no values");
  return value;
}
