import type { Located } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import type { FileSettings } from "../../model/settings.ts";
import type { TomlMember } from "../../text/toml_node.ts";
import { PLACE_NAMES, WRAPPER_PATTERN } from "./keys.ts";
import { isKnownProgram, pureWrapper } from "../compile/known_programs.ts";
import { errorAt, quoted } from "../../text/problems.ts";
import { readArray, readTable, wrongElement } from "./read_value.ts";
import { unknownKeys } from "./unknown_keys.ts";

/** The settings of a `[shell]` table; what is wrong with one is added to `problems`, and it is left out. */
export function decodeShell(
  member: TomlMember,
  problems: Problem[],
): Pick<FileSettings, "wrappers"> {
  if (member.value.type === "string") {
    const message = `Cannot read key "shell": it belongs ${PLACE_NAMES.permissions}`;
    problems.push(errorAt(member.key, { id: "misplaced-key", message }));
    return {};
  }
  const table = readTable(member, problems);
  if (table === undefined) return {};
  problems.push(...unknownKeys(table, "shell"));
  const wrappersMember = table.members.get("wrappers");
  const wrappers = wrappersMember && readWrappers(wrappersMember, problems);
  return wrappers === undefined ? {} : { wrappers };
}

function readWrappers(
  member: TomlMember,
  problems: Problem[],
): Located<readonly Located<string>[]> | undefined {
  const array = readArray(member, problems);
  if (array === undefined) return undefined;
  const wrappers: Located<string>[] = [];
  for (const element of array.items) {
    if (element.type !== "string") {
      problems.push(wrongElement(member, { element, expected: "a string" }));
      continue;
    }
    const { value, span } = element;
    const problem = wrapperProblem({ value, span });
    if (problem === undefined) wrappers.push({ value, span });
    else problems.push(problem);
  }
  return { value: wrappers, span: array.span };
}

function wrapperProblem({ value, span }: Located<string>): Problem | undefined {
  const cannot = `Cannot read wrapper ${quoted(value)}`;
  const known = isKnownProgram(value);
  if (!isPlain(value) && known !== 0) {
    const message = `${cannot}: expected one to four plain words as "devbox run"`;
    return errorAt(span, { id: "unknown-value", message, hint: plainHint(value) });
  }
  if (known === undefined) return undefined;
  const words = value.trim().split(/\s+/);
  const message = `${cannot}: the program ${quoted(words[known] ?? "")} is known already`;
  return errorAt(span, { id: "unknown-value", message, hint: knownHint(words, known) });
}

function isPlain(wrapper: string): boolean {
  return new RegExp(WRAPPER_PATTERN).test(wrapper);
}

function plainHint(wrapper: string): string {
  const words = wrapper.trim().split(/\s+/);
  if (isPlain(words.join(" "))) return `Write ${quoted(words.join(" "))}`;
  const option = words.findIndex((word) => word.startsWith("-"));
  const before = words.slice(0, Math.max(option, 0)).join(" ");
  if (isPlain(before)) return `End it before the option: ${quoted(before)}`;
  if (/[/\\]/.test(words[0] ?? "")) return "Name the program without its folder";
  if (words.length > 4) return "Leave out what it runs";
  return "Letters, digits and . _ + - make a word";
}

function knownHint(words: readonly string[], at: number): string {
  if (at > 0) return `End it before that: ${quoted(words.slice(0, at).join(" "))}`;
  const pure = pureWrapper(words.join(" "));
  return pure === undefined
    ? "Leave it out: what it may run is known without it"
    : `Did you mean "${pure}"?`;
}
