import { strictness } from "../../model/action.ts";
import type { Uncompared } from "../../analysis/analysis.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Action } from "../../model/action.ts";
import type { Rule } from "../../model/rule.ts";
import type { Folders } from "../place_text.ts";
import { pathText } from "../place_text.ts";
import { visible } from "../../text/visible.ts";
import type { SettingChange } from "./diff_settings.ts";

/** Which way something changed. `unclear`: a setting that can loosen what rules say, and need not. */
export type Effect = "loosened" | "tightened" | "unclear";

/** What one side says about a call. */
export interface SideSaid {
  /** What it says. */
  readonly action: Action;
  /** The rule that says it; null where none fits. */
  readonly rule: Rule | null;
}

/** A group of calls that two policies decide differently. */
export interface DiffGroup {
  /** Which way. */
  readonly effect: "loosened" | "tightened";
  /** A call of the group. */
  readonly witness: ToolCall;
  /** The command that checks it. */
  readonly command: string;
  /** From when on, as RFC 3339: a rule ends then. Absent for now. */
  readonly from?: string;
  /** What the old policy says. */
  readonly was: SideSaid;
  /** What the new one says. */
  readonly now: SideSaid;
}

/** How two policies differ, ready to be told. */
export interface DiffReport {
  /** What the old policy is called. */
  readonly old: string;
  /** What the new one is called. */
  readonly new: string;
  /** Settings that differ, the loosening ones first. */
  readonly settings: readonly SettingChange[];
  /** Groups of calls, the loosening ones first. */
  readonly groups: readonly DiffGroup[];
  /** What could not be compared exactly. */
  readonly unknown: readonly Uncompared[];
  /** What paths are shown relative to. */
  readonly folders: Folders;
}

/** Which way a verdict changed; the two must differ. */
export function effectOf(was: Action, now: Action): "loosened" | "tightened" {
  return strictness(now) < strictness(was) ? "loosened" : "tightened";
}

/** How many changes of each kind a report has, settings included. */
export function countEffects(
  { groups, settings }: Pick<DiffReport, "groups" | "settings">,
): Readonly<Record<Effect, number>> {
  const effects = [...groups, ...settings].map(({ effect }) => effect);
  const of = (wanted: Effect) => effects.filter((effect) => effect === wanted).length;
  return { loosened: of("loosened"), tightened: of("tightened"), unclear: of("unclear") };
}

/** Where a rule stands: `.caliban/permissions.toml:4:1`. */
export function rulePlace({ source }: Rule, folders: Folders): string {
  const { kind, path, line, column } = source;
  if (kind === "cli") return `${visible(path)} (rule flag ${line})`;
  return `${pathText(path, folders)}:${line}:${column}`;
}

/** `1 group`, `2 groups`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
