import type { Span } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import { nearest } from "../../text/did_you_mean.ts";
import { errorAt, quoted } from "../../text/problems.ts";
import type { TomlTable } from "../../text/toml_node.ts";
import type { CuratedList } from "./auto_mode_file.ts";

/** The kinds of table in an auto-mode.toml. */
export type AutoPlace = "file" | "classifier";

/** The keys of each kind of table. */
export const AUTO_KEYS: Readonly<Record<AutoPlace, readonly string[]>> = {
  file: ["environment", "allow", "soft_deny", "hard_deny", "disable_auto_mode", "classifier"],
  classifier: ["base_url", "model", "api_key_env", "timeout_ms"],
};

/** An older spelling of `disable_auto_mode`; read, but offered to nobody. */
export const OLDER_DISABLE = "disableAutoMode";

/** The variables that a line of `environment` may name. */
export const ENVIRONMENT_VARIABLES = ["CWD", "GIT_REMOTE", "IS_MAIN_BRANCH"] as const;

/** A variable of `environment`. */
export type EnvironmentVariable = (typeof ENVIRONMENT_VARIABLES)[number];

/** A `$NAME` in a line of `environment`; the source of a regular expression. */
export const VARIABLE_PATTERN = "\\$([A-Z_][A-Z0-9_]*)";

/** What the elements of each list may be; the sources of regular expressions, anchored. */
export const ELEMENT_PATTERNS: Readonly<Record<CuratedList, string>> = {
  hard_deny: "^(?:(?!\\$)[\\s\\S]*|\\$defaults(?:\\.hard_deny|\\.soft_deny)?)$",
  soft_deny: "^(?:(?!\\$)[\\s\\S]*|\\$defaults(?:\\.hard_deny|\\.soft_deny)?)$",
  allow: "^(?:(?!\\$)[\\s\\S]*|\\$defaults(?:\\.allow)?)$",
  environment: "^(?:\\$defaults(?:\\.environment)?|(?!\\$defaults)" +
    "(?:[^$]|\\$(?![A-Z_])|\\$(?:CWD|GIT_REMOTE|IS_MAIN_BRANCH)(?![A-Z0-9_]))*)$",
};

/** The `$defaults` texts that may stand in each list. */
export const DEFAULTS_TEXTS: Readonly<Record<CuratedList, readonly string[]>> = {
  hard_deny: ["$defaults", "$defaults.hard_deny", "$defaults.soft_deny"],
  soft_deny: ["$defaults", "$defaults.soft_deny", "$defaults.hard_deny"],
  allow: ["$defaults", "$defaults.allow"],
  environment: ["$defaults", "$defaults.environment"],
};

/** The base URL of a server: no user, password, query or fragment; the source of a regular expression, anchored. */
export const BASE_URL_PATTERN = "^https?://[^\\s/?#@\\\\]+(?:/[^\\s?#@\\\\]*)?$";

/** The name of a variable that holds a key: in capitals, so that a key pasted there is told apart; anchored. */
export const KEY_NAME_PATTERN = "^[A-Z_][A-Z0-9_]*$";

/** The longest name of a model, in UTF-16 code units. */
export const LONGEST_MODEL = 200;

/** How long an answer may take when nothing is said, and at the longest, in ms. */
export const TIMEOUT = { default: 5_000, longest: 600_000 } as const;

const HOMES: Readonly<Record<AutoPlace, string>> = {
  file: "at the top of the file, above [classifier]",
  classifier: "in the [classifier] table",
};

/** One problem for each key of the table that this kind of table does not have. */
export function unknownAutoKeys(table: TomlTable, place: AutoPlace): readonly Problem[] {
  const known = place === "file" ? [...AUTO_KEYS.file, OLDER_DISABLE] : AUTO_KEYS.classifier;
  return [...table.members.values()]
    .filter(({ name }) => !known.includes(name))
    .map(({ name, key }) => keyProblem(name, { key, place }));
}

function keyProblem(name: string, { key, place }: { key: Span; place: AutoPlace }): Problem {
  const cannot = `Cannot read key ${quoted(name)}`;
  const other: AutoPlace = place === "file" ? "classifier" : "file";
  if (AUTO_KEYS[other].includes(name)) {
    return errorAt(key, { id: "misplaced-key", message: `${cannot}: it belongs ${HOMES[other]}` });
  }
  if (place === "classifier" && /^api_?key$/i.test(name)) {
    const message = `${cannot}: a key does not stand in a file`;
    const hint = "Name the variable that holds it, as api_key_env";
    return errorAt(key, { id: "unknown-key", message, hint });
  }
  const keys = AUTO_KEYS[place];
  const near = nearest(name, keys);
  return errorAt(key, {
    id: "unknown-key",
    message: `${cannot}: there is no such key here`,
    hint: near === undefined ? `The keys here are ${keys.join(", ")}` : `Did you mean "${near}"?`,
  });
}
