import type { Located } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import { didYouMean } from "../../text/did_you_mean.ts";
import { errorAt, quoted } from "../../text/problems.ts";
import { readArray, readBoolean, readTable, wrongElement } from "../../policy/decode/read_value.ts";
import type { TomlMember, TomlTable } from "../../text/toml_node.ts";
import { parseToml } from "../../text/toml_tree.ts";
import type { AutoModeFile, CuratedList, WrittenList } from "./auto_mode_file.ts";
import {
  DEFAULTS_TEXTS,
  ELEMENT_PATTERNS,
  ENVIRONMENT_VARIABLES,
  OLDER_DISABLE,
  unknownAutoKeys,
  VARIABLE_PATTERN,
} from "./auto_mode_keys.ts";
import { decodeClassifier } from "./decode_classifier.ts";

const LISTS: readonly CuratedList[] = ["environment", "allow", "soft_deny", "hard_deny"];

/**
 * Reads the text of an auto-mode.toml, without its byte order mark. Total: whatever is wrong is told in `problems`, all
 * at once and in the order of the text. Patterns are taken as they are; `compileLists` parses them.
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
  problems.sort((a, b) => a.span.start - b.span.start);
  return {
    lists,
    ...(disableAutoMode && { disableAutoMode }),
    ...(classifier && { classifier }),
    problems,
  };
}

/** `disable_auto_mode` under either of its spellings. */
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
  for (const element of array.items) {
    if (element.type === "string") {
      const item = { value: element.value, span: element.span };
      const problem = elementProblem(item, options.name);
      if (problem === undefined) items.push(item);
      else options.problems.push(problem);
    } else {
      options.problems.push(wrongElement(member, { element, expected: "a string" }));
    }
  }
  return { items, span: array.span };
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
