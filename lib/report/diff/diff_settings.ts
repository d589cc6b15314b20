import type { ModeName } from "../../model/settings.ts";
import type { RuleSource } from "../../model/source.ts";
import type { Policy } from "../../policy/compile/policy.ts";
import { usableFile } from "../../policy/sources/entry_text.ts";
import { mergeSettings } from "../../policy/sources/merge_settings.ts";
import type { Effect } from "./diff_report.ts";

/** A setting that two policies have differently. */
export interface SettingChange {
  /** Its key in permissions.toml. */
  readonly name: string;
  /** Which way; `unclear` for one that can loosen what rules say, and need not. */
  readonly effect: Effect;
  /** What it was. */
  readonly was: string;
  /** What it is. */
  readonly now: string;
  /** Where it was said; absent where nothing says it, or several places do. */
  readonly wasAt?: RuleSource;
  /** Where it is said. */
  readonly nowAt?: RuleSource;
}

/** How much a mode lets run, from least to most. */
const LAXNESS: readonly ModeName[] = [
  "plan",
  "default",
  "acceptEdits",
  "auto",
  "dontAsk",
  "bypassPermissions",
];

/** A setting's value as text, and where it stands. */
interface Said {
  readonly text: string;
  readonly source?: RuleSource | undefined;
}

interface Compared {
  readonly name: string;
  readonly said: (policy: Policy) => Said;
  readonly effect: (was: string, now: string) => Effect;
}

const ORDER: readonly Effect[] = ["loosened", "unclear", "tightened"];

/** The settings that matter for what may run, in the order in which they are told. */
const COMPARED: readonly Compared[] = [
  {
    name: "default_mode",
    said: ({ settings: { defaultMode } }) => ({
      text: defaultMode?.value ?? "default",
      source: defaultMode?.source,
    }),
    effect: (was, now) => laxness(now) > laxness(was) ? "loosened" : "tightened",
  },
  {
    name: "enforce",
    said: ({ settings: { enforce } }) => ({
      text: `${enforce?.value ?? false}`,
      source: enforce?.source,
    }),
    effect: trueIsStricter,
  },
  {
    name: "require_trust",
    said: ({ sources }) => ({ text: `${mergeSettings(sources.entries).requireTrust}` }),
    effect: trueIsStricter,
  },
  {
    name: "managed_only",
    said: ({ settings }) => ({ text: `${settings.managedOnly}` }),
    effect: trueIsStricter,
  },
  {
    name: "shell",
    said: ({ settings }) => ({ text: settings.shell }),
    effect: (_was, now) => now === "literal" ? "loosened" : "tightened",
  },
  { name: "wrappers", said: ({ settings }) => list(settings.wrappers), effect: () => "unclear" },
  {
    name: "enforce_expiry",
    said: ({ settings }) => ({ text: `${settings.enforceExpiry}` }),
    effect: () => "unclear",
  },
  {
    name: "tools",
    said: ({ sources }) => ({ text: toolsText(sources.tools) }),
    effect: () => "unclear",
  },
  { name: "hooks", said: hooksOf, effect: () => "unclear" },
];

/** The settings that differ and what they do to decisions, the loosening ones first. */
export function settingChanges(old: Policy, now: Policy): readonly SettingChange[] {
  const changes = COMPARED.flatMap(({ name, said, effect }): readonly SettingChange[] => {
    const [before, after] = [said(old), said(now)];
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
  return LAXNESS.findIndex((each) => each === mode);
}

function trueIsStricter(_was: string, now: string): Effect {
  return now === "true" ? "tightened" : "loosened";
}

function list(texts: readonly string[]): Said {
  return { text: texts.length === 0 ? "none" : JSON.stringify([...new Set(texts)].toSorted()) };
}

function toolsText(tools: Policy["sources"]["tools"]): string {
  const named = [...tools].toSorted(([a], [b]) => a < b ? -1 : 1).map(([name, tool]) => {
    const keys = Object.entries(tool).filter(([, value]) => value !== undefined);
    return [name, Object.fromEntries(keys.toSorted(([a], [b]) => a < b ? -1 : 1))] as const;
  });
  return named.length === 0 ? "none" : JSON.stringify(Object.fromEntries(named));
}

function hooksOf({ sources }: Policy): Said {
  const hooks = sources.entries.flatMap((entry) => usableFile(entry)?.hooks ?? []);
  return list(
    hooks.map(({ event, matcher, command }) =>
      [event, ...(matcher?.value ? [matcher.value] : []), command.value].join(" ")
    ),
  );
}
