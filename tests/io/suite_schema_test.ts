import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "smol-toml";
import { testFileSchema } from "../../lib/policy/schema/permissions_schema.ts";
import { readTestFile } from "../../lib/suite/test_file.ts";

const ROOT = new URL("../../", import.meta.url);
const schema = JSON.parse(readFileSync(new URL("schema/tests.schema.json", ROOT), "utf8"));
const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);

/** True if decoder, zod and JSON Schema take the text. They must agree. */
function isTaken(text: string): boolean {
  const { problems } = readTestFile(text, "a.perms.toml");
  const value = parse(text);
  assert.equal(testFileSchema.safeParse(value).success, problems.length === 0, text);
  assert.equal(validate(value), problems.length === 0, text);
  return problems.length === 0;
}

test("test files are taken by decoder, zod and JSON Schema alike", () => {
  const whole = `[[tests]]
call = { tool = "Write", input = { path = "x", deep = [{ a = 1.5 }] }, cwd = "sub" }
expect = "deny"
mode = "plan"
rule = "builtin"
why = "x"
`;
  const valid = ["", "tests = []\n", whole, '[[tests]]\ncall = "Bash:"\nexpect = "ask"\n'];
  for (const text of valid) assert.ok(isTaken(text), text);
});

test("test files are refused by all three alike", () => {
  const one = (lines: string) => `[[tests]]\n${lines}\n`;
  const invalid = [
    "test = []\n",
    'tests = "x"\n',
    one('call = "Bash:ls"'),
    one('expect = "ask"'),
    one('call = "Bash ls"\nexpect = "ask"'),
    one('call = "Bash: ls"\nexpect = "ask"'),
    one('call = "Bash(ls)"\nexpect = "ask"'),
    one('call = "mcp__*:x"\nexpect = "ask"'),
    one('call = {}\nexpect = "ask"'),
    one('call = { tool = "a b" }\nexpect = "ask"'),
    one('call = { tool = "X", input = [] }\nexpect = "ask"'),
    one('call = { tool = "X", command = "ls" }\nexpect = "ask"'),
    one('call = "Bash:ls"\nexpect = "soft_deny"'),
    one('call = "Bash:ls"\nexpect = "ask"\nmode = "disabled"'),
    one('call = "Bash:ls"\nexpect = "ask"\nwhy = 1'),
    one('call = "Bash:ls"\nexpect = "ask"\naction = "ask"'),
  ];
  for (const text of invalid) assert.ok(!isTaken(text), text);
});
