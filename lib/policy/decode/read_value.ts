import { errorAt, type Located, type Problem, quoted } from "../../model/problem.ts";
import type { TomlArray, TomlMember, TomlNode, TomlTable } from "../../text/toml_node.ts";
import { didYouMean } from "../../text/did_you_mean.ts";

/** The member's text; otherwise adds a problem and returns undefined. */
export function readString(member: TomlMember, problems: Problem[]): Located<string> | undefined {
  const { value } = member;
  if (value.type === "string") return { value: value.value, span: value.span };
  problems.push(wrongType(member, "a string"));
  return undefined;
}

/** The member's truth value; otherwise adds a problem and returns undefined. */
export function readBoolean(member: TomlMember, problems: Problem[]): Located<boolean> | undefined {
  const { value } = member;
  if (value.type === "boolean") return { value: value.value, span: value.span };
  problems.push(wrongType(member, "true or false"));
  return undefined;
}

/** The member's table; otherwise adds a problem and returns undefined. `header`: the name in its header. */
export function readTable(
  member: TomlMember,
  problems: Problem[],
  header = member.name,
): TomlTable | undefined {
  const { value } = member;
  if (value.type === "table") return value;
  const isTables = value.type === "array" && value.form === "tables";
  const problem = wrongType(member, "a table");
  problems.push(isTables ? { ...problem, hint: `Write [${header}], and write it once` } : problem);
  return undefined;
}

/** The member's array; otherwise adds a problem and returns undefined. `header`: the name in the headers of its tables. */
export function readArray(
  member: TomlMember,
  problems: Problem[],
  header?: string,
): TomlArray | undefined {
  const { value } = member;
  if (value.type === "array") return value;
  const problem = wrongType(member, "an array");
  problems.push(
    header !== undefined && value.type === "table" && value.form === "header"
      ? { ...problem, span: value.span, hint: `Write [[${header}]] above each of them` }
      : problem,
  );
  return undefined;
}

/**
 * The texts of the member's array, without other elements, which are problems. Undefined if it is no array.
 */
export function readStrings(
  member: TomlMember,
  problems: Problem[],
): readonly Located<string>[] | undefined {
  return readArray(member, problems)?.elements.flatMap((element) => {
    if (element.type === "string") return [{ value: element.value, span: element.span }];
    problems.push(wrongElement(member, { element, expected: "a string" }));
    return [];
  });
}

/**
 * The member's text if it is one of the choices; otherwise adds a problem and returns undefined.
 */
export function readChoice<T extends string>(
  member: TomlMember,
  options: { readonly choices: readonly T[]; readonly problems: Problem[] },
): Located<T> | undefined {
  const { choices, problems } = options;
  const text = readString(member, problems);
  if (text === undefined) return undefined;
  const value = choices.find((choice) => choice === text.value);
  if (value !== undefined) return { value, span: text.span };
  problems.push(errorAt(text.span, {
    id: "unknown-value",
    message: `Cannot read ${member.name} ${quoted(text.value)}: expected one of ${
      choices.join(", ")
    }`,
    hint: didYouMean(text.value, choices),
  }));
  return undefined;
}

/** The problem of an element of the wrong type in the member's array. */
export function wrongElement(
  member: TomlMember,
  options: { readonly element: TomlNode; readonly expected: string },
): Problem {
  const { element, expected } = options;
  const detail = `expected ${expected}, not ${TYPE_NAMES[element.type]}`;
  const message = `Cannot read an element of ${quoted(member.name)}: ${detail}`;
  return errorAt(element.span, { id: "wrong-type", message });
}

function wrongType(member: TomlMember, expected: string): Problem {
  const detail = `expected ${expected}, not ${TYPE_NAMES[member.value.type]}`;
  const span = member.value.type === "table" ? member.key : member.value.span;
  return errorAt(span, {
    id: "wrong-type",
    message: `Cannot read key ${quoted(member.name)}: ${detail}`,
  });
}

const TYPE_NAMES: Readonly<Record<TomlNode["type"], string>> = {
  table: "a table",
  array: "an array",
  string: "a string",
  boolean: "a boolean",
  number: "a number",
  "date-time": "a date",
};
