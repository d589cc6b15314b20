import { errorAt, type Located, type Problem, quoted, type Span } from "../../model/problem.ts";
import { nearest } from "../../text/did_you_mean.ts";
import type { TomlTable } from "../../text/toml_node.ts";

/** The lists of patterns, in the order of evaluation. */
export const AUTO_LISTS = ["hard_deny", "soft_deny", "allow"] as const;

/** The name of a list of patterns. */
export type AutoList = (typeof AUTO_LISTS)[number];

/** The name of a list that can have `$defaults`. */
export type CuratedList = AutoList | "environment";

/** The model to ask. */
export interface ClassifierSettings {
  /** The base URL of a server with the OpenAI chat API: `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** The model's name. */
  readonly model: string;
  /** The environment variable that holds the key; absent if none is sent. */
  readonly apiKeyEnv?: string;
  /** The time limit of an answer, in ms. */
  readonly timeoutMs: number;
}

/** One list of a file. */
export interface WrittenList {
  /** Its elements: patterns or lines, and `$defaults`. */
  readonly elements: readonly Located<string>[];
  /** The place of the array. */
  readonly span: Span;
}

/** The contents of one auto-mode.toml. */
export interface AutoModeFile {
  /** Its lists, by name. */
  readonly lists: ReadonlyMap<CuratedList, WrittenList>;
  /** `disable_auto_mode` (or `disableAutoMode`). */
  readonly disableAutoMode?: Located<boolean>;
  /** Its `[classifier]` table. */
  readonly classifier?: Located<ClassifierSettings>;
  /** Its problems, in the order of the text. With an error among them, nothing else of the file counts. */
  readonly problems: readonly Problem[];
}

/** The kinds of table in an auto-mode.toml. */
type AutoPlace = "file" | "classifier";

/** The keys of each kind of table. */
const AUTO_KEYS: Readonly<Record<AutoPlace, readonly string[]>> = {
  file: ["environment", "allow", "soft_deny", "hard_deny", "disable_auto_mode", "classifier"],
  classifier: ["base_url", "model", "api_key_env", "timeout_ms"],
};

/** An older spelling of `disable_auto_mode`, which no hint suggests. */
export const OLDER_DISABLE = "disableAutoMode";

/** The variables of `environment`. */
export const ENVIRONMENT_VARIABLES = ["WORKSPACE", "CWD", "GIT_REMOTE", "IS_MAIN_BRANCH"] as const;

/** A variable of `environment`. */
export type EnvironmentVariable = (typeof ENVIRONMENT_VARIABLES)[number];

/** A `$NAME` in a line of `environment`; the source of a regular expression. */
export const VARIABLE_PATTERN = "\\$([A-Z_][A-Z0-9_]*)";

/** The elements of each list; the sources of regular expressions, anchored. */
export const ELEMENT_PATTERNS: Readonly<Record<CuratedList, string>> = {
  hard_deny: "^(?:(?!\\$)[\\s\\S]*|\\$defaults(?:\\.hard_deny|\\.soft_deny)?)$",
  soft_deny: "^(?:(?!\\$)[\\s\\S]*|\\$defaults(?:\\.hard_deny|\\.soft_deny)?)$",
  allow: "^(?:(?!\\$)[\\s\\S]*|\\$defaults(?:\\.allow)?)$",
  environment: "^(?:\\$defaults(?:\\.environment)?|(?!\\$defaults)" +
    "(?:[^$]|\\$(?![A-Z_])|\\$(?:WORKSPACE|CWD|GIT_REMOTE|IS_MAIN_BRANCH)(?![A-Z0-9_]))*)$",
};

/** The `$defaults` texts of each list. */
export const DEFAULTS_TEXTS: Readonly<Record<CuratedList, readonly string[]>> = {
  hard_deny: ["$defaults", "$defaults.hard_deny", "$defaults.soft_deny"],
  soft_deny: ["$defaults", "$defaults.soft_deny", "$defaults.hard_deny"],
  allow: ["$defaults", "$defaults.allow"],
  environment: ["$defaults", "$defaults.environment"],
};

/** The base URL of a server: no user, password, query or fragment; the source of a regular expression, anchored. */
export const BASE_URL_PATTERN = "^https?://[^\\s/?#@\\\\]+(?:/[^\\s?#@\\\\]*)?$";

/** The name of a variable that holds a key: in capitals, unlike a key pasted there; anchored. */
export const KEY_NAME_PATTERN = "^[A-Z_][A-Z0-9_]*$";

/** The longest name of a model, in UTF-16 code units. */
export const LONGEST_MODEL = 200;

/** The default and the largest time limit of an answer, in ms. */
export const TIMEOUT = { default: 5_000, longest: 600_000 } as const;

const HOMES: Readonly<Record<AutoPlace, string>> = {
  file: "at the top of the file, above [classifier]",
  classifier: "in the [classifier] table",
};

/** A problem for each unknown key of the table. */
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
    const message = `${cannot}: a file must not hold a key`;
    const hint = "Set api_key_env to the name of the variable that holds it";
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
