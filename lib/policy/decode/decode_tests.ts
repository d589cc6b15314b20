import { ACTIONS } from "../../model/action.ts";
import type { ModeName } from "../../model/settings.ts";
import type { Problem } from "../../model/problem.ts";
import type { WrittenCall, WrittenTest } from "../../model/written_test.ts";
import { decodeCall } from "./decode_call.ts";
import { MODES } from "./keys.ts";
import { errorAt } from "../../text/problems.ts";
import { readArray, readChoice, readString, wrongElement } from "./read_value.ts";
import { TEST_KEYS } from "./test_keys.ts";
import type { TomlMember, TomlTable } from "../../text/toml_node.ts";
import { unknownTestKey } from "./unknown_test_key.ts";

/** The policy tests of a `tests` array, in the order of the text; one with something wrong is left out and told. */
export function decodeTests(member: TomlMember, problems: Problem[]): readonly WrittenTest[] {
  return (readArray(member, problems)?.items ?? []).flatMap((element) => {
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
  return member && readChoice(member, { choices: MODES, problems })?.value;
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
