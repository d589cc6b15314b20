import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../../lib/shell/parse/loaded_parser.ts";
import { PolicyError } from "../../../../lib/policy/decode/policy_error.ts";
import { policyFromToml } from "../../../../lib/policy/sources/policy_from_toml.ts";

/** The messages of a file with one action that is none and one pattern, up to their first colon. */
function messagesOf(pattern: string, tools = ""): readonly string[] {
  const rule = (action: string) =>
    `[[permissions.rules]]\npattern = '${pattern}'\naction = "${action}"\n`;
  try {
    policyFromToml(`${rule("alow")}${rule("deny")}${tools}`, { workspace: "/w", home: "/h" });
    return [];
  } catch (error) {
    assert.ok(error instanceof PolicyError);
    return error.problems.map(({ message }) => message.slice(0, message.indexOf(":")));
  }
}

const ACTION = 'Cannot read action "alow"';
const TOOLS = '[tools.mcp__a__b]\nclass = "read"\n';

test("a file with another error tells its wrong patterns at once; those of a tool only where it describes none", () => {
  for (const tools of ["", TOOLS]) {
    assert.deepEqual(messagesOf("Bash:ls", tools), [ACTION]);
    assert.deepEqual(messagesOf("Bash(", tools), [ACTION, 'Cannot use pattern "Bash("']);
  }
  const pattern = "WebFetch:domain:";
  assert.deepEqual(messagesOf(pattern), [ACTION, 'Cannot use pattern "WebFetch']);
  assert.deepEqual(messagesOf(pattern, TOOLS), [ACTION]);
  assert.deepEqual(messagesOf("Read:/../../x"), [ACTION, 'Cannot use pattern "Read']);
  assert.deepEqual(messagesOf("Read:/../../x", TOOLS), [ACTION]);
});
