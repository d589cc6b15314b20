import type { Located } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import { errorAt, quoted } from "../../text/problems.ts";
import { readString } from "../../policy/decode/read_value.ts";
import type { TomlMember, TomlTable } from "../../text/toml_node.ts";
import type { ClassifierSettings } from "./auto_mode_file.ts";
import {
  BASE_URL_PATTERN,
  KEY_NAME_PATTERN,
  LONGEST_MODEL,
  TIMEOUT,
  unknownAutoKeys,
} from "./auto_mode_keys.ts";

/** The `[classifier]` table; undefined when something of it is wrong, and then a problem is added to `problems`. */
export function decodeClassifier(
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
    value: { baseUrl, model, ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }), timeoutMs },
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

/** Whether it is plain HTTP to another machine. */
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
  const hint = 'For example "OPENAI_API_KEY"; the key itself never stands in a file';
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
