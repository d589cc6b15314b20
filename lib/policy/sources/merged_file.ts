import type { FileSettings, MergedSources, PolicyFile, Settings } from "../../model/rule.ts";
import { mergeSettings } from "./merge_settings.ts";

/** All sources as one file. */
export interface MergedFile {
  readonly file: PolicyFile;
  /**
   * Settings that do not count in every place of the file, one sentence each without a final full stop.
   */
  readonly losses: readonly string[];
}

/**
 * The one file that replaces all sources but the built-in rules: above these it gives the same verdicts.
 */
export function mergedFile({ entries, rules, settings, tools }: MergedSources): MergedFile {
  const { requireTrust } = mergeSettings(entries);
  const file: PolicyFile = {
    shape: "canonical",
    rules: rules.filter(({ source }) => source.kind !== "builtin"),
    settings: fileSettings(settings, { requireTrust }),
    tools: new Map([...tools].map(([name, value]) => [name, located(value)])),
    problems: [],
  };
  return { file, losses: lossesOf(file, { settings, rules, tools }) };
}

/** The settings that differ from the defaults. */
function fileSettings(
  settings: Settings,
  { requireTrust }: { requireTrust: boolean },
): FileSettings {
  const { defaultMode, enforce, auditLog, shell, enforceExpiry, managedOnly, unmatched } = settings;
  const { wrappers, variables, classes, repositories } = settings;
  return {
    ...(defaultMode ? { defaultMode: located(defaultMode.value) } : {}),
    ...(enforce?.value ? { enforce: located(true) } : {}),
    ...(auditLog?.value ? { auditLog: located(true) } : {}),
    ...(shell === "literal" ? { shell: located(shell) } : {}),
    ...(enforceExpiry ? { enforceExpiry: located(true) } : {}),
    ...(requireTrust ? {} : { requireTrust: located(false) }),
    ...(managedOnly ? { managedOnly: located(true) } : {}),
    ...(unmatched?.value === "agent" ? { unmatched: located(unmatched.value) } : {}),
    ...(wrappers.length > 0 ? { wrappers: located(wrappers.map(located)) } : {}),
    ...(variables.length > 0 ? { variables: located(variables.map(located)) } : {}),
    ...(classes.length > 0
      ? {
        classes: located(classes.map(({ name, command }) => ({ name, command: located(command) }))),
      }
      : {}),
    ...(repositories.length > 0 ? { repositories: located(repositories.map(located)) } : {}),
  };
}

function lossesOf(
  { settings: { enforce, requireTrust, managedOnly, unmatched } }: PolicyFile,
  { settings: { defaultMode, classes }, rules, tools }: Pick<
    MergedSources,
    "rules" | "settings" | "tools"
  >,
): readonly string[] {
  const held = rules.filter(({ action, untrusted }) => action === "ask" && untrusted);
  const above = [
    ...(enforce ? ["enforce"] : []),
    ...(requireTrust ? ["require_trust"] : []),
    ...(unmatched ? ["unmatched"] : []),
  ];
  return [
    ...above.map((name) => `${name} counts in a managed or user file only`),
    ...(managedOnly ? ["managed_only counts in a managed file only"] : []),
    ...(classes.length > 0
      ? ["a path in [shell.classes] counts in a workspace's file only, most classes in another one"]
      : []),
    ...(defaultMode?.source.kind === "managed"
      ? ["default_mode is above --permission-mode in a managed file only"]
      : []),
    ...([...tools.values()].some(({ isUntrusted }) => isUntrusted)
      ? ["in one file, the [tools] tables of an untrusted workspace count in full"]
      : []),
    ...(held.length > 0
      ? [
        "the ask rules of a workspace that is not trusted leave calls to stricter rules below; in one file they decide",
      ]
      : []),
  ];
}

function located<T>(value: T) {
  return { value, span: { start: 0, end: 0, line: 1, column: 1 } };
}
