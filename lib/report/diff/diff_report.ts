import type { Uncompared } from "../../analysis/analysis.ts";
import { type Action, strictness, type ToolCall } from "../../model/call.ts";
import type { Rule } from "../../model/rule.ts";
import type { Folders } from "../place_text.ts";
import { pathText } from "../place_text.ts";
import { visible } from "../../text/visible.ts";
import type { SettingChange } from "./diff_settings.ts";

/** The direction of a change. `unclear`: a setting that may loosen the policy. */
export type Effect = "loosened" | "tightened" | "unclear";

/** The verdict of one side on a call. */
export interface SideVerdict {
  readonly action: Action;
  /** The deciding rule; null if none matches. */
  readonly rule: Rule | null;
}

/** A group of calls that two policies decide differently. */
export interface DiffGroup {
  /** The direction. */
  readonly effect: "loosened" | "tightened";
  /** A call of the group. */
  readonly witness: ToolCall;
  /** The command that checks it. */
  readonly command: string;
  /** From when on, as RFC 3339: a rule ends then. Absent for now. */
  readonly from?: string;
  /** The verdict of the old policy. */
  readonly was: SideVerdict;
  /** The verdict of the new policy. */
  readonly now: SideVerdict;
  /** The side whose rule the other policy lacks, the new one first; absent if neither does. */
  readonly changed?: "was" | "now";
}

/** The differences of two policies, with the context that a report needs. */
export interface DiffReport {
  /** The name of the old policy. */
  readonly old: string;
  /** The name of the new policy. */
  readonly new: string;
  /** Settings that differ, the loosening ones first. */
  readonly settings: readonly SettingChange[];
  /** Groups of calls, the loosening ones first. */
  readonly groups: readonly DiffGroup[];
  /** The parts that could not be compared exactly. */
  readonly unknown: readonly Uncompared[];
  /** The folders that paths are shown relative to. */
  readonly folders: Folders;
  /** The place of annotations; absent where nothing shows any. */
  readonly target?: DiffTarget;
}

/** A kind of change or of gap that can fail a comparison. */
export type DiffKind = Effect | Uncompared["kind"];

/** The surroundings in which another program shows the differences. */
export interface DiffTarget {
  /** The folder in which it looks for files, mostly a repository's. */
  readonly root: string;
  /** The file of the new policy, where a change stands at no rule of it. */
  readonly file: string;
  /** True if a change of this kind fails the run. */
  readonly fails: (kind: DiffKind) => boolean;
}

/** The direction in which a verdict changed; the two must differ. */
export function effectOf(was: Action, now: Action): "loosened" | "tightened" {
  return strictness(now) < strictness(was) ? "loosened" : "tightened";
}

/** A change with its direction. */
export type WithEffect = { readonly effect: Effect };

/** The number of changes of each kind, settings included. */
export function countEffects(
  { groups, settings }: {
    readonly groups: readonly WithEffect[];
    readonly settings: readonly WithEffect[];
  },
): Readonly<Record<Effect, number>> {
  const effects = [...groups, ...settings].map(({ effect }) => effect);
  const of = (wanted: Effect) => effects.filter((effect) => effect === wanted).length;
  return { loosened: of("loosened"), tightened: of("tightened"), unclear: of("unclear") };
}

/** The place of a rule: `.caliban/permissions.toml:4:1`. */
export function rulePlace({ source }: Rule, folders: Folders): string {
  const { kind, path, line, column } = source;
  if (kind === "cli") return `${visible(path)} (rule flag ${line})`;
  return `${pathText(path, folders)}:${line}:${column}`;
}

/** `1 group`, `2 groups`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
