import { literalGlob, literalHead } from "../../pattern/glob.ts";
import { bashPrefix, bashWhole } from "../convert/patterns.ts";
import { loseUnreadKeys, openJson } from "../convert/unread_keys.ts";
import { entriesOf } from "../convert/permission_lists.ts";
import type { ImportBuilder, Subject } from "../convert/import_builder.ts";
import type { Format, ImportResult } from "../convert/format.ts";
import { LISTS, writeDroid } from "./export.ts";

const SETTINGS_FILE = /\.factory[\\/]/;

/** Factory Droid: `commandAllowlist`, `commandDenylist` (which asks) and `commandBlocklist` in `.factory/settings.json`. */
export const format: Format = {
  name: "droid",
  title: "Factory Droid settings.json",
  caveat:
    "it is not certain whether Droid compares a whole command or its beginning; caliban takes the stricter reading",
  detect: (path, text) =>
    SETTINGS_FILE.test(path) || /"command(?:Allow|Deny|Block)list"\s*:/.test(text),
  read: readDroid,
  write: writeDroid,
};

function readDroid(text: string, path: string): ImportResult {
  const known = LISTS.map(([name]) => name);
  const isSettings = SETTINGS_FILE.test(path);
  const { root, builder, isOther } = openJson(text, known, { isSettings });
  if (isOther) return builder.finish();
  loseUnreadKeys(root, { known, builder });
  for (const [name, action] of LISTS) {
    const subjects = entriesOf(root, { key: name, action, builder });
    for (const subject of subjects) readEntry(subject, builder);
  }
  return builder.finish();
}

/** Reads an allow as the command alone, and a deny or ask as every command that begins with it. */
function readEntry(subject: Subject, builder: ImportBuilder): void {
  const text = subject.text.trim();
  if (text === "") return builder.unreadable(subject, "it names no command");
  if (/[*?]/.test(text)) {
    const head = literalHead([...literalGlob(text.replace(/[*?].*/s, ""))]);
    const pattern = bashWhole([...literalGlob(head), { kind: "star" }]);
    return builder.approximate(subject, {
      pattern,
      detail: "it is not certain whether * and ? are wildcards in Droid",
    });
  }
  const detail = "it is not certain whether Droid matches further arguments";
  if (subject.action !== "allow") {
    return builder.broaden(subject, { pattern: bashPrefix(literalGlob(text)), detail });
  }
  builder.add(subject, bashWhole(literalGlob(text)));
  builder.lose("narrowed", subject, detail);
}
