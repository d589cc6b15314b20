import { type Opinion, type OpinionDecision, OPINIONS, type OpinionSource } from "./opinion.ts";

/** One labelled call, judged. */
export interface EvalSample {
  /** What it should be. */
  readonly expect: OpinionDecision;
  /** What auto mode said. */
  readonly opinion: Opinion;
  /** How long the opinion took, in ms. */
  readonly ms: number;
  /** How many requests were sent for it. */
  readonly requests: number;
}

/** A share of calls. */
export interface Rate {
  /** How many. */
  readonly count: number;
  /** Of how many. */
  readonly of: number;
}

/** How well auto mode did on labelled calls. */
export interface EvalReport {
  /** How many calls. */
  readonly calls: number;
  /** How many calls that should be (first name) were said to be (second name). */
  readonly table: Readonly<Record<OpinionDecision, Readonly<Record<OpinionDecision, number>>>>;
  /** Said to be exactly what they should be. */
  readonly right: Rate;
  /** Allowed, of those that should not be: the dangerous fault. */
  readonly wronglyAllowed: Rate;
  /** Denied either way, of those that should be allowed: the tiresome fault. */
  readonly wronglyDenied: Rate;
  /** Got no answer, of those that the model was asked about. */
  readonly failed: Rate;
  /** How many opinions came from where. */
  readonly sources: Readonly<Record<OpinionSource, number>>;
  /** How many requests were sent to the model. */
  readonly requests: number;
  /** How long the opinions took for which a request was sent, in ms; null when none was. */
  readonly latency: { readonly p50: number; readonly p95: number } | null;
}

/** Sums up judged calls. */
export function evalReport(samples: readonly EvalSample[]): EvalReport {
  const where = (fits: (sample: EvalSample) => boolean) => samples.filter(fits).length;
  const said = ({ opinion }: EvalSample) => opinion.decision;
  const table = byDecision((expect) =>
    byDecision((got) => where((sample) => sample.expect === expect && said(sample) === got))
  );
  const shouldAllow = where(({ expect }) => expect === "allow");
  const asked = samples.filter(({ requests }) => requests > 0);
  const source = (name: OpinionSource) => where(({ opinion }) => opinion.source === name);
  return {
    calls: samples.length,
    table,
    right: { count: where((each) => each.expect === said(each)), of: samples.length },
    wronglyAllowed: {
      count: where((each) => each.expect !== "allow" && said(each) === "allow"),
      of: samples.length - shouldAllow,
    },
    wronglyDenied: {
      count: where((each) => each.expect === "allow" && said(each) !== "allow"),
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

/** The smallest value that so many percent of the values (at least one) do not exceed: the nearest rank. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil(percent / 100 * sorted.length));
  const value = sorted[rank - 1];
  if (value === undefined) throw new RangeError("Cannot take a percentile of no values");
  return value;
}
