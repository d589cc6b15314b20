import { ACTIONS, MODE_NAMES, type ModeName } from "../../model/call.ts";
import type { WrittenCall, WrittenTest } from "../../model/rule.ts";
import { errorAt, type Problem } from "../../model/problem.ts";
import { decodeCall, TEST_KEYS, unknownTestKey } from "./decode_call.ts";
import { readArray, readChoice, readString, wrongElement } from "./read_value.ts";
import type { TomlMember, TomlTable } from "../../text/toml_node.ts";

/**
 * The policy tests of a `tests` array, in the order of the text. A test with a problem is left out.
 */
export function decodeTests(
  member: TomlMember,
  problems: Problem[],
  header = "permissions.tests",
): readonly WrittenTest[] {
  return (readArray(member, problems, header)?.elements ?? []).flatMap((element) => {
    if (element.type === "table") return decodeTest(element, problems) ?? [];
    problems.push(wrongElement(member, { element, expected: "a table" }));
    return [];
  });
}

function decodeTest(table: TomlTable, problems: Problem[]): WrittenTest | undefined {
  const before = problems.length;
  for (const member of table.members.values()) {
    if (!TEST_KEYS.includes(member.name)) problems.push(unknownTestKey(member, TEST_KEYS));
  }
  const call = readCall(table, problems);
  const expectMember = required(table, { key: "expect", problems });
  const expect = expectMember && readChoice(expectMember, { choices: ACTIONS, problems });
  const mode = readMode(table, problems);
  const ruleMember = table.members.get("rule");
  const rule = ruleMember && readString(ruleMember, problems);
  const whyMember = table.members.get("why");
  const why = whyMember && readString(whyMember, problems);
  if (problems.length > before || call === undefined || expect === undefined) return undefined;
  return {
    call,
    expect,
    ...(mode !== undefined && { mode }),
    ...(rule && { rule }),
    ...(why && { why: why.value }),
    span: table.span,
  };
}

function readCall(table: TomlTable, problems: Problem[]): WrittenCall | undefined {
  const member = required(table, { key: "call", problems });
  return member && decodeCall(member, problems);
}

function readMode(table: TomlTable, problems: Problem[]): ModeName | undefined {
  const member = table.members.get("mode");
  return member && readChoice(member, { choices: MODE_NAMES, problems })?.value;
}

function required(
  table: TomlTable,
  { key, problems }: { readonly key: string; readonly problems: Problem[] },
): TomlMember | undefined {
  const member = table.members.get(key);
  if (member === undefined) {
    const message = `Cannot read the test: its "${key}" is missing`;
    problems.push(errorAt(table.span, { id: "missing-key", message }));
  }
  return member;
}
