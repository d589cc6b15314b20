import type { FileSettings, WrittenRule } from "../../model/settings.ts";
import type { Located } from "../../model/place.ts";
import type { ToolOverride } from "../../model/tool_profile.ts";
import { formatInstant } from "../../text/instant.ts";
import { rulePairs } from "../edit/rule_text.ts";

/** A key of a permissions.toml and its value. */
export type Pair<T extends string | boolean | readonly string[]> = readonly [key: string, value: T];

type PermissionsSetting = Exclude<keyof FileSettings, "wrappers">;

/** The keys of `[permissions]` in the order in which they are written. */
const SETTING_KEYS: readonly (readonly [key: string, name: PermissionsSetting])[] = [
  ["default_mode", "defaultMode"],
  ["enforce", "enforce"],
  ["shell", "shell"],
  ["enforce_expiry", "enforceExpiry"],
  ["audit_log", "auditLog"],
  ["require_trust", "requireTrust"],
  ["managed_only", "managedOnly"],
];

/** What a file's settings say under `[permissions]`, key by key. */
export function settingPairs(settings: FileSettings): readonly Pair<string | boolean>[] {
  return SETTING_KEYS.flatMap(([key, name]) => {
    const setting = settings[name];
    return setting === undefined ? [] : [[key, setting.value] as const];
  });
}

/** What a file's settings say under `[shell]`, key by key. */
export function shellPairs({ wrappers }: FileSettings): readonly Pair<readonly string[]>[] {
  return wrappers === undefined ? [] : [["wrappers", wrappers.value.map(({ value }) => value)]];
}

/** What a rule says, key by key. Throws RangeError for one that expires outside of the years 0 to 9999. */
export function writtenPairs(rule: WrittenRule): readonly Pair<string | readonly string[]>[] {
  const { pattern, action, comment, reason, expiresAt, match, notMatch } = rule;
  const pairs = rulePairs({
    pattern: pattern.value,
    action,
    ...(comment !== undefined && { comment }),
    ...(reason !== undefined && { reason }),
    ...(expiresAt !== undefined && { expiresAt: formatInstant(expiresAt) }),
  });
  return [...pairs, ...listPair("match", match), ...listPair("not_match", notMatch)];
}

function listPair(
  key: string,
  list: readonly Located<string>[] | undefined,
): readonly Pair<readonly string[]>[] {
  return list === undefined ? [] : [[key, list.map(({ value }) => value)]];
}

/** What a `[tools.NAME]` table says, key by key. */
export function toolPairs(tool: ToolOverride): readonly Pair<string>[] {
  const pairs = [
    ["first_arg", tool.firstArg],
    ["kind", tool.kind],
    ["class", tool.class],
    ["shell", tool.shell],
  ] as const;
  return pairs.flatMap(([key, value]) => value === undefined ? [] : [[key, value] as const]);
}
