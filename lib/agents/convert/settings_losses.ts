import type { Loss } from "../../model/loss.ts";
import type { FileSettings, ModeName } from "../../model/settings.ts";
import { settingPairs, shellPairs } from "../../policy/schema/policy_pairs.ts";

/** Modes that let more through than asking. */
const LOOSE: readonly ModeName[] = ["acceptEdits", "auto", "dontAsk", "bypassPermissions"];

/** What settings lose where a format has none of them, but for those that it is named to keep. */
export function settingsLosses(
  settings: FileSettings,
  kept: readonly string[] = [],
): readonly Loss[] {
  const pairs = [...settingPairs(settings), ...shellPairs(settings)];
  return pairs.filter(([key]) => !kept.includes(key)).map(([key, value]): Loss => {
    const mode = key === "default_mode" ? value as ModeName : undefined;
    const stricter = mode !== undefined && LOOSE.includes(mode) || key === "shell" ||
      key === "wrappers";
    return {
      kind: mode === "default" ? "narrowed" : stricter ? "narrowed" : "widened",
      subject: `${key} = ${JSON.stringify(value)}`,
      detail: "the format has no such setting",
    };
  });
}
