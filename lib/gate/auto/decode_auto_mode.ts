import { errorAt, inOrder, type Located, type Problem, quoted } from "../../model/problem.ts";
import {
  readArray,
  readBoolean,
  readString,
  readTable,
  wrongElement,
} from "../../policy/decode/read_value.ts";
import { didYouMean } from "../../text/did_you_mean.ts";
import { defined } from "../../text/json_value.ts";
import type { TomlMember, TomlTable } from "../../text/toml_node.ts";
import { parseToml } from "../../text/toml_tree.ts";
import {
  type AutoModeFile,
  BASE_URL_PATTERN,
  type ClassifierSettings,
  type CuratedList,
  DEFAULTS_TEXTS,
  ELEMENT_PATTERNS,
  ENVIRONMENT_VARIABLES,
  KEY_NAME_PATTERN,
  LONGEST_MODEL,
  OLDER_DISABLE,
  TIMEOUT,
  unknownAutoKeys,
  VARIABLE_PATTERN,
  type WrittenList,
} from "./auto_mode_file.ts";

const LISTS: readonly CuratedList[] = ["environment", "allow", "soft_deny", "hard_deny"];

/**
 * Decodes an auto-mode.toml without its byte order mark. Never throws: `problems` has all faults in the order of the text.
 * Patterns are not parsed; `listProblems` does that.
 *
 * @example
 * ```ts
 * const file = decodeAutoMode('allow = ["$defaults", "Bash:cargo test *"]\n');
 * file.lists.get("allow")?.items[1]?.value; // "Bash:cargo test *"
 * ```
 */
export function decodeAutoMode(text: string): AutoModeFile {
  const { root, problems: faults } = parseToml(text);
  const problems: Problem[] = [...faults, ...unknownAutoKeys(root, "file")];
  const lists = new Map<CuratedList, WrittenList>();
  for (const name of LISTS) {
    const member = root.members.get(name);
    const list = member && decodeList(member, { name, problems });
    if (list) lists.set(name, list);
  }
  const disableAutoMode = decodeDisable(root, problems);
  const member = root.members.get("classifier");
  const table = member && readTable(member, problems);
  const classifier = table && decodeClassifier(table, problems);
  return defined({ lists, disableAutoMode, classifier, problems: inOrder(problems) });
}

/** `disable_auto_mode` in either of its spellings. */
function decodeDisable(root: TomlTable, problems: Problem[]): Located<boolean> | undefined {
  const today = root.members.get("disable_auto_mode");
  const older = root.members.get(OLDER_DISABLE);
  if (today !== undefined && older !== undefined) {
    problems.push(errorAt(older.key, {
      id: "misplaced-key",
      message: `Cannot read key "${OLDER_DISABLE}": the file has "disable_auto_mode" as well`,
      hint: 'Keep "disable_auto_mode"',
    }));
  }
  const member = today ?? older;
  return member && readBoolean(member, problems);
}

interface ListOptions {
  readonly name: CuratedList;
  readonly problems: Problem[];
}

function decodeList(member: TomlMember, options: ListOptions): WrittenList | undefined {
  const array = readArray(member, options.problems);
  if (array === undefined) return undefined;
  const items: Located<string>[] = [];
  for (const element of array.elements) {
    if (element.type === "string") {
      const item = { value: element.value, span: element.span };
      const problem = elementProblem(item, options.name);
      if (problem === undefined) items.push(item);
      else options.problems.push(problem);
    } else {
      options.problems.push(wrongElement(member, { element, expected: "a string" }));
    }
  }
  return { elements: items, span: array.span };
}

function elementProblem({ value, span }: Located<string>, name: CuratedList): Problem | undefined {
  if (new RegExp(ELEMENT_PATTERNS[name]).test(value)) return undefined;
  const cannot = `Cannot read an element of "${name}" ${quoted(value)}`;
  if (name === "environment" && !value.startsWith("$defaults")) {
    const variable = unknownVariable(value);
    const names = ENVIRONMENT_VARIABLES.map((each) => `$${each}`);
    const message = `${cannot}: there is no variable ${quoted(variable)}`;
    const hint = didYouMean(variable, names) ?? `The variables are ${names.join(", ")}`;
    return errorAt(span, { id: "unknown-value", message, hint });
  }
  const texts = DEFAULTS_TEXTS[name];
  const message = `${cannot}: expected ${name === "environment" ? "a line" : "a pattern"} or one ` +
    `of ${texts.join(", ")}`;
  return errorAt(span, { id: "unknown-value", message, hint: didYouMean(value, texts) });
}

function unknownVariable(line: string): string {
  const known: readonly string[] = ENVIRONMENT_VARIABLES;
  const found = [...line.matchAll(new RegExp(VARIABLE_PATTERN, "g"))];
  return found.find(([, name = ""]) => !known.includes(name))?.[0] ?? "$";
}

/** The `[classifier]` table; undefined if it has an error, which is added to `problems`. */
function decodeClassifier(
  table: TomlTable,
  problems: Problem[],
): Located<ClassifierSettings> | undefined {
  const found: Problem[] = [...unknownAutoKeys(table, "classifier")];
  const baseUrl = required(table, { key: "base_url", read: readBaseUrl, problems: found });
  const model = required(table, { key: "model", read: readModel, problems: found });
  const keyMember = table.members.get("api_key_env");
  const apiKeyEnv = keyMember && readKeyName(keyMember, found);
  const timeMember = table.members.get("timeout_ms");
  const timeoutMs = timeMember ? readTimeout(timeMember, found) : TIMEOUT.default;
  problems.push(...found);
  if (baseUrl === undefined || model === undefined || timeoutMs === undefined) return undefined;
  if (found.some(({ severity }) => severity === "error")) return undefined;
  return {
    value: defined({ baseUrl, model, apiKeyEnv, timeoutMs }),
    span: table.span,
  };
}

interface Required {
  readonly key: string;
  readonly read: (member: TomlMember, problems: Problem[]) => string | undefined;
  readonly problems: Problem[];
}

function required(table: TomlTable, { key, read, problems }: Required): string | undefined {
  const member = table.members.get(key);
  if (member !== undefined) return read(member, problems);
  const message = `Cannot read [classifier]: it has no ${quoted(key)}`;
  problems.push(errorAt(table.span, { id: "missing-key", message }));
  return undefined;
}

function readBaseUrl(member: TomlMember, problems: Problem[]): string | undefined {
  const text = readString(member, problems);
  if (text === undefined) return undefined;
  const { value, span } = text;
  if (!new RegExp(BASE_URL_PATTERN).test(value) || !URL.canParse(value)) {
    // Not quoted: a password may stand in it.
    const message = "Cannot read base_url: expected http:// or https://, a host and a path, " +
      "without user, password, query or fragment";
    const hint = 'For example "http://127.0.0.1:11434/v1"';
    problems.push(errorAt(span, { id: "unknown-value", message, hint }));
    return undefined;
  }
  if (isOpenlySent(new URL(value))) {
    const message = `The base_url ${quoted(value)} sends calls and key unencrypted`;
    const hint = "Use https:// for a server on another machine";
    problems.push({ id: "unknown-value", severity: "warning", message, span, hint });
  }
  return value;
}

/** True for plain HTTP to another machine. */
function isOpenlySent({ protocol, hostname }: URL): boolean {
  return protocol === "http:" &&
    !/^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function readModel(member: TomlMember, problems: Problem[]): string | undefined {
  const text = readString(member, problems);
  if (text === undefined) return undefined;
  if (text.value.length > 0 && text.value.length <= LONGEST_MODEL) return text.value;
  const message = `Cannot read model ${quoted(text.value)}: expected 1 to ${LONGEST_MODEL} ` +
    "characters";
  problems.push(errorAt(text.span, { id: "unknown-value", message }));
  return undefined;
}

function readKeyName(member: TomlMember, problems: Problem[]): string | undefined {
  const text = readString(member, problems);
  if (text === undefined) return undefined;
  if (new RegExp(KEY_NAME_PATTERN).test(text.value)) return text.value;
  // Not quoted: it may be the key itself.
  const message = "Cannot read api_key_env: expected the name of a variable, in capitals";
  const hint = 'For example "OPENAI_API_KEY"; a file must not hold the key itself';
  problems.push(errorAt(text.span, { id: "unknown-value", message, hint }));
  return undefined;
}

function readTimeout(member: TomlMember, problems: Problem[]): number | undefined {
  const { value } = member;
  const { longest } = TIMEOUT;
  const isNumber = value.type === "number";
  if (isNumber && Number.isInteger(value.value) && value.value >= 1 && value.value <= longest) {
    return value.value;
  }
  const message = `Cannot read timeout_ms: expected a whole number of milliseconds from 1 to ` +
    `${longest}`;
  const span = value.type === "table" ? member.key : value.span;
  problems.push(errorAt(span, { id: isNumber ? "unknown-value" : "wrong-type", message }));
  return undefined;
}
