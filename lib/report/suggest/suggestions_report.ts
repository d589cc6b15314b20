import type { ToolCall } from "../../model/call.ts";
import type { Closed } from "../../suggest/asked_call.ts";
import type { OwnTools } from "../../suggest/own_tools.ts";
import type { RefusedPattern } from "../../suggest/suggest_set.ts";

/** A call, and how it is shown in one line. */
export interface ShownCall {
  readonly call: ToolCall;
  /** The tool and its first argument, nothing hidden in it. */
  readonly text: string;
}

/** One rule that is suggested. */
export interface Suggestion {
  /** Its pattern; the action is allow. */
  readonly pattern: string;
  /** The number of recorded calls that it helps to answer. */
  readonly answers: number;
  /** The first of them that differ. */
  readonly examples: readonly ShownCall[];
  /** Short calls that are not recorded and that it would allow too, the shortest first. */
  readonly alsoAllows: readonly ShownCall[];
  /** The command that adds it. */
  readonly command: string;
}

/** A rule for a class of commands, which is broader than what is suggested. */
export interface OfferedClass {
  readonly pattern: string;
  /** The number of recorded calls that it alone would answer. */
  readonly answers: number;
  /** The first of them that differ. */
  readonly examples: readonly ShownCall[];
  /** Other commands that it would allow. */
  readonly also: readonly string[];
  /** The command that adds it. */
  readonly command: string;
}

/** The result of `suggest`. */
export interface SuggestionsReport {
  /** The number of calls that were read. */
  readonly calls: number;
  /** The number of calls that are asked about. */
  readonly asks: number;
  /** The number of asks that the suggestions answer together. */
  readonly answered: number;
  /** The suggestions, the one that answers most first. */
  readonly suggestions: readonly Suggestion[];
  /** Rules for classes, the one that answers most first; none of them counts as a suggestion. */
  readonly classes: readonly OfferedClass[];
  /** Programs without a table among the asks. */
  readonly own: OwnTools;
  /** Patterns rejected for a fault, the one with most asks first. */
  readonly refused: readonly (RefusedPattern & { readonly pattern: string })[];
  /** Asks that no rule is suggested for, by the reason. */
  readonly closed: ReadonlyMap<Closed, number>;
  /** Recorded calls that are incomplete and were ignored. */
  readonly inexact: number;
  /** Lines that cannot be read. */
  readonly badLines: number;
  /** Calls of a stream that did not fit in memory, so that the suggestions' numbers leave them out. */
  readonly notKept: number;
  /** Asks of which there were too many kinds to be kept. */
  readonly dropped: number;
}
