import { errorAt, type Problem, quoted } from "../../model/problem.ts";
import { nearest } from "../../text/did_you_mean.ts";
import type { TomlMember, TomlTable } from "../../text/toml_node.ts";

/** The kinds of table in a permissions.toml: the file itself, `[permissions]`, `[shell]`, one rule, one `[tools.NAME]`. */
export type Place = "file" | "permissions" | "shell" | "rule" | "tool";

/** The lists of the older shape, in the order of their priority. */
export const BUCKETS = ["deny", "ask", "allow"] as const;

/** The keys of each kind of table; a current name comes before its older spelling. */
export const KEYS: Readonly<Record<Place, readonly string[]>> = {
  file: ["permissions", "shell", "rule", "tools", "hooks"],
  permissions: [
    "default_mode",
    "defaultMode",
    "enforce",
    "shell",
    "enforce_expiry",
    "audit_log",
    "require_trust",
    "managed_only",
    "unmatched",
    "rules",
    "tests",
    ...BUCKETS,
  ],
  rule: ["pattern", "tool", "action", "comment", "reason", "expires_at", "match", "not_match"],
  shell: ["wrappers", "variables", "classes", "repositories"],
  tool: ["alias_of", "first_arg", "kind", "class", "shell"],
};

/** The keys among them that are read, but not suggested for a misspelt one. */
export const OLDER_KEYS: readonly string[] = ["rule", "defaultMode", "tool"];

/** The place where the keys of a kind of table belong, for a message. */
export const PLACE_NAMES: Readonly<Record<Place, string>> = {
  file: "at the top of the file, not under [permissions] or in a rule",
  permissions: "under [permissions], above the rules",
  shell: "in the [shell] table",
  rule: "in a [[permissions.rules]] table",
  tool: "in a [tools.NAME] table",
};

/** A dotted path into a tool's input; the source of a regular expression, anchored. */
export const FIRST_ARG_PATTERN = "^[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*$";

const WORD = "[A-Za-z0-9._+][A-Za-z0-9._+-]*";

/** One to four plain words, none an option, with a space between; the source of a regular expression, anchored. */
export const WRAPPER_PATTERN = `^${WORD}(?: ${WORD}){0,3}$`;

/** An absolute folder, or one below `~`; `*` stands for a part of a name. The source of a regular expression, anchored. */
export const REPOSITORY_PATTERN = "^(?:~|/[\\w.@+-]+)(?:/(?!\\.{1,2}(?:/|$))[\\w.@+*-]+)+$";

/** A problem for each key that this kind of table does not have. */
export function unknownKeys(table: TomlTable, place: Place): readonly Problem[] {
  return [...table.members.values()]
    .filter((member) => !KEYS[place].includes(member.name))
    .map((member, index) =>
      index < MOST_HINTS ? keyProblem(member, place) : unknownKey(member, undefined)
    );
}

/** The most unknown keys of a table that are compared with its own: a file of a clone may have any number. */
const MOST_HINTS = 50;

function unknownKey({ name, key }: TomlMember, hint: string | undefined): Problem {
  const message = `Cannot read key ${quoted(name)}: there is no such key here`;
  return errorAt(key, { id: "unknown-key", message, hint });
}

function keyProblem(member: TomlMember, place: Place): Problem {
  const { name, key } = member;
  const home = homeOf(name, place);
  if (home !== undefined) {
    const message = `Cannot read key ${quoted(name)}: it belongs ${PLACE_NAMES[home]}`;
    return errorAt(key, { id: "misplaced-key", message });
  }
  const near = nearest(name, offered(place));
  return unknownKey(member, near === undefined ? keyList(place) : `Did you mean "${near}"?`);
}

/**
 * The kind of table that has the key, unless it is probably a misspelt key of this table (`tool` for `tools`).
 */
function homeOf(name: string, place: Place): Place | undefined {
  const near = nearest(name, offered(place));
  if (near !== undefined && Math.abs(near.length - name.length) === 1) return undefined;
  return PLACES.find((it) => it !== place && KEYS[it].includes(name));
}

const PLACES: readonly Place[] = ["permissions", "rule", "tool", "shell", "file"];

function keyList(place: Place): string {
  return `The keys here are ${offered(place).join(", ")}`;
}

function offered(place: Place): readonly string[] {
  return KEYS[place].filter((key) => !OLDER_KEYS.includes(key));
}
