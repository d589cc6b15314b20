import type { ToolCall } from "../../model/call.ts";
import type { Decision } from "../../model/verdict.ts";
import type { MergedSources, PlacedRule, SourceEntry } from "../../model/rule.ts";
import type { Folders } from "../place_text.ts";

/** A rule that would change the outcome, and how to add it. */
export interface SuggestedRuleReport {
  readonly pattern: string;
  readonly action: string;
  /** The target: a scope, or `line` for a flag. */
  readonly scope: string;
  /** True if it must be the first rule. */
  readonly first: boolean;
  /** The command to paste. */
  readonly command: string;
}

/** A unit that asks, and the pattern of an allow rule that would answer it. */
export interface AskedUnit {
  /** Its index among the units. */
  readonly unit: number;
  /** Absent if no rule would answer it alone. */
  readonly pattern?: string;
}

/** Everything that `explain` shows. */
export interface Explanation {
  readonly call: ToolCall;
  /** The folder the call runs in. */
  readonly cwd: string;
  /** The decision, its units with a full trace. */
  readonly decision: Decision;
  /** For each unit, the classes of its command in words; empty for any other unit. */
  readonly classes: readonly (readonly string[])[];
  /** Every place that was looked at, and what did not count. */
  readonly sources: MergedSources;
  /** The origin of the mode; absent for the default. */
  readonly modeFrom?: string;
  /** The effects of the flags on the command line. */
  readonly flags: readonly string[];
  /** The units that ask, in their order. */
  readonly asked: readonly AskedUnit[];
  /** The narrowest rule that changes the outcome; null for none. */
  readonly remedy: SuggestedRuleReport | null;
  /** Several rules that change it together, where no single one does; empty for none. */
  readonly remedies: readonly SuggestedRuleReport[];
  /** The folders that paths are shown relative to. */
  readonly folders: Folders;
}

/** The rules of a source that count; of several flags with the same name, each has its own. */
export function rulesOf(entry: SourceEntry, sources: MergedSources): readonly PlacedRule[] {
  const { kind, path, rules } = entry;
  return sources.rules.filter((rule) =>
    rules?.includes(rule) ?? (rule.source.kind === kind && rule.source.path === path)
  );
}
