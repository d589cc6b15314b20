import type { ImportResult } from "../convert/format.ts";
import { loseUnreadKeys, openJson } from "../convert/unread_keys.ts";

/** Reads `settings.json`, which has no rules of this form: its keys about permissions are losses. */
export function readSettings(text: string): ImportResult {
  const known = ["hooks"];
  const { root, builder, isOther } = openJson(text, known, { isSettings: true });
  if (!isOther) loseUnreadKeys(root, { known: [], builder });
  return builder.finish();
}
