import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFast } from "../../../lib/policy/decode/decode_fast.ts";
import { decodeFully } from "../../../lib/policy/decode/decode_policy.ts";

const RULE = '[[permissions.rules]]\npattern = "Bash:git *"\naction = "allow"\n';
const TOOL = '[tools.mcp__db__query]\nfirst_arg = "sql"\nclass = "read"\n';

/** Files as people write them: these must not cost the time of the slow reader. */
const ORDINARY: readonly string[] = [
  "",
  "# Nothing yet.\n",
  RULE,
  RULE + RULE,
  `[permissions]\ndefault_mode = "plan"\nenforce_expiry = true\n\n${RULE}`,
  `${RULE}comment = "c"\nexpires_at = 2027-01-01T00:00:00Z\nmatch = ["git a", "git b"]\n`,
  '[permissions]\nallow = [\n  "Bash(git:*)", # mine\n  "Bash(ls:*)",\n]\n',
  TOOL,
  RULE + TOOL,
  `[tools."mcp__a-b__c"]\nclass = "edit"\n\n${TOOL}\n${RULE}`,
];

test("ordinary files are read fast, and as the slow reader reads them", () => {
  for (const text of ORDINARY) {
    const fast = decodeFast(text);
    const slow = decodeFully(text);
    assert.ok(fast !== undefined, text);
    const own = ({ rules, tools, settings }: typeof slow) => ({
      rules: rules.map(({ pattern, action, span }) => [pattern.value, action, span.line]),
      tools: [...tools.keys()],
      settings: Object.keys(settings),
    });
    assert.deepEqual(own(fast), own(slow), text);
  }
});

/** Files that only the slow reader reads: with tests, with faults, or of another shape. */
const OTHERS: readonly string[] = [
  `[permissions]\ntests = []\n\n${RULE}`,
  `${RULE}[[permissions.tests]]\ncall = "Bash:git a"\nexpect = "allow"\n`,
  'permissions = "no table"\n',
  '[permissions]\nrules = [{ pattern = "x", action = "deny" }]\n',
  `${RULE}action = "deny"\n`,
  `${TOOL}${TOOL}`,
  "[permissions]\n[permissions]\n",
  '[[permissions.rules]]\npattern = "x"\naction = "alow"\n',
  '[[permissions.rules]]\npattern = "x"\naction = allow\n',
  `${RULE}match = ["a" "b"]\n`,
  `${RULE}match = [1]\n`,
  '[[permissions.rules]]\npattern = "\\q"\naction = "deny"\n',
  `${RULE}expires_at = 2027-13-01T00:00:00Z\n`,
  `${RULE}comment = 'a' b\n`,
];

test("any other file is left to the slow reader", () => {
  for (const text of OTHERS) assert.equal(decodeFast(text), undefined, text);
});
