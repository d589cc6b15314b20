import type { Json } from "../../model/call.ts";
import type { WrittenCall, WrittenTest } from "../../model/written_test.ts";
import { tomlKey, tomlString } from "../../text/toml_text.ts";

/** What a policy test says, key by key. */
export function testPairs(test: WrittenTest): readonly (readonly [key: string, value: Json])[] {
  const { call, expect, mode, rule, why } = test;
  return [
    ["call", callValue(call)],
    ["expect", expect.value],
    ...(mode === undefined ? [] : [["mode", mode] as const]),
    ...(rule === undefined ? [] : [["rule", rule.value] as const]),
    ...(why === undefined ? [] : [["why", why] as const]),
  ];
}

function callValue(call: WrittenCall): Json {
  if (call.form === "text") {
    return call.text === undefined ? call.tool : `${call.tool}:${call.text}`;
  }
  const { tool, input, cwd } = call;
  return { tool, input, ...(cwd === undefined ? {} : { cwd }) };
}

/** A policy test as a `[[permissions.tests]]` table, one key a line, each line ended by a line feed. */
export function testBlock(test: WrittenTest): string {
  const lines = testPairs(test).map(([key, value]) => `${key} = ${tomlValue(value)}`);
  return ["[[permissions.tests]]", ...lines, ""].join("\n");
}

/** A JSON value as TOML has it, on one line. Throws RangeError for null, which TOML does not have. */
function tomlValue(value: Json): string {
  switch (typeof value) {
    case "string":
      return tomlString(value);
    case "number":
    case "boolean":
      return `${value}`;
    case "object":
      if (value === null) throw new RangeError("Cannot write null as TOML");
      if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
      return tableText(Object.entries(value));
  }
}

function tableText(members: readonly (readonly [string, Json])[]): string {
  if (members.length === 0) return "{}";
  return `{ ${members.map(([key, value]) => `${tomlKey(key)} = ${tomlValue(value)}`).join(", ")} }`;
}
