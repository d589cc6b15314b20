import type { ModeName } from "../../model/call.ts";
import type { RuleSource } from "../../model/rule.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import { usableFile } from "../../policy/sources/entry_text.ts";
import { mergeSettings } from "../../policy/sources/merge_settings.ts";
import type { Effect } from "./diff_report.ts";

/** A setting that two policies have differently. */
export interface SettingChange {
  /** Its key in permissions.toml. */
  readonly name: string;
  /** The direction; `unclear` for a change that may loosen the policy. */
  readonly effect: Effect;
  /** The old value. */
  readonly was: string;
  /** The new value. */
  readonly now: string;
  /** The place of the old value; absent if nothing or several places set it. */
  readonly wasAt?: RuleSource;
  /** The place of the new value. */
  readonly nowAt?: RuleSource;
}

/** The modes from the strictest to the one that lets most calls run. */
const LAXNESS: Readonly<Record<ModeName, number>> = {
  plan: 0,
  default: 1,
  acceptEdits: 2,
  auto: 3,
  dontAsk: 4,
  bypassPermissions: 5,
};

/** A setting's value as text, and its place. */
interface SettingValue {
  readonly text: string;
  readonly source?: RuleSource | undefined;
}

interface Compared {
  readonly name: string;
  readonly valueOf: (policy: CompiledPolicy) => SettingValue;
  readonly effect: (was: string, now: string) => Effect;
}

const ORDER: readonly Effect[] = ["loosened", "unclear", "tightened"];

/** The settings that affect decisions, in the order of the report. */
const COMPARED: readonly Compared[] = [
  {
    name: "default_mode",
    valueOf: ({ settings: { defaultMode } }) => ({
      text: defaultMode?.value ?? "default",
      source: defaultMode?.source,
    }),
    effect: (was, now) => laxness(now) > laxness(was) ? "loosened" : "tightened",
  },
  {
    name: "enforce",
    valueOf: ({ settings: { enforce } }) => ({
      text: `${enforce?.value ?? false}`,
      source: enforce?.source,
    }),
    effect: trueIsStricter,
  },
  {
    name: "require_trust",
    valueOf: ({ sources }) => ({ text: `${mergeSettings(sources.entries).requireTrust}` }),
    effect: trueIsStricter,
  },
  {
    name: "managed_only",
    valueOf: ({ settings }) => ({ text: `${settings.managedOnly}` }),
    effect: trueIsStricter,
  },
  {
    name: "shell",
    valueOf: ({ settings }) => ({ text: settings.shell }),
    effect: (_was, now) => now === "literal" ? "loosened" : "tightened",
  },
  { name: "wrappers", valueOf: ({ settings }) => list(settings.wrappers), effect: () => "unclear" },
  {
    name: "variables",
    valueOf: ({ settings }) => list(settings.variables),
    effect: () => "unclear",
  },
  {
    name: "classes",
    valueOf: ({ settings }) =>
      list(settings.classes.map(({ name, command }) => `${name}: ${command}`)),
    effect: () => "unclear",
  },
  {
    name: "enforce_expiry",
    valueOf: ({ settings }) => ({ text: `${settings.enforceExpiry}` }),
    effect: () => "unclear",
  },
  {
    name: "tools",
    valueOf: ({ sources }) => ({ text: toolsText(sources.tools) }),
    effect: () => "unclear",
  },
  {
    name: "unmatched",
    valueOf: ({ settings: { unmatched } }) => ({
      text: unmatched?.value ?? "ask",
      source: unmatched?.source,
    }),
    effect: (_was, now) => now === "agent" ? "loosened" : "tightened",
  },
  { name: "hooks", valueOf: hooksOf, effect: () => "unclear" },
];

/** The settings that differ and what they do to decisions, the loosening ones first. */
export function settingChanges(old: CompiledPolicy, now: CompiledPolicy): readonly SettingChange[] {
  const changes = COMPARED.flatMap(({ name, valueOf, effect }): readonly SettingChange[] => {
    const [before, after] = [valueOf(old), valueOf(now)];
    if (before.text === after.text) return [];
    return [{
      name,
      effect: effect(before.text, after.text),
      was: before.text,
      now: after.text,
      ...(before.source === undefined ? {} : { wasAt: before.source }),
      ...(after.source === undefined ? {} : { nowAt: after.source }),
    }];
  });
  return changes.toSorted((a, b) => ORDER.indexOf(a.effect) - ORDER.indexOf(b.effect));
}

function laxness(mode: string): number {
  return LAXNESS[mode as ModeName];
}

function trueIsStricter(_was: string, now: string): Effect {
  return now === "true" ? "tightened" : "loosened";
}

function list(texts: readonly string[]): SettingValue {
  return { text: texts.length === 0 ? "none" : JSON.stringify([...new Set(texts)].toSorted()) };
}

function toolsText(tools: CompiledPolicy["sources"]["tools"]): string {
  const named = [...tools].toSorted(([a], [b]) => a < b ? -1 : 1).map(([name, tool]) => {
    const keys = Object.entries(tool).filter(([, value]) => value !== undefined);
    return [name, Object.fromEntries(keys.toSorted(([a], [b]) => a < b ? -1 : 1))] as const;
  });
  return named.length === 0 ? "none" : JSON.stringify(Object.fromEntries(named));
}

function hooksOf({ sources }: CompiledPolicy): SettingValue {
  const hooks = sources.entries.flatMap((entry) => usableFile(entry)?.hooks ?? []);
  return list(
    hooks.map(({ event, matcher, command }) =>
      [event, ...(matcher?.value ? [matcher.value] : []), command.value].join(" ")
    ),
  );
}
