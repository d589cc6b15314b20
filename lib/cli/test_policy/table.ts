import { JSON_FLAG, SOURCE_FLAGS } from "../common_flags.ts";
import { EXIT } from "../exit_status.ts";
import type { Verb } from "../verb.ts";

/** `caliban perms test`. */
export const TEST: Verb = {
  path: ["perms", "test"],
  summary: "Run the policy's tests, and show which rules they reach",
  operands: [{
    name: "file",
    optional: true,
    repeatable: true,
    summary:
      "Test files, or folders with *.perms.toml; when left out, all tests and examples of the workspace",
  }],
  flags: [
    {
      name: "format",
      choices: ["text", "json", "junit"],
      summary: "How to write the results; text when left out",
    },
    JSON_FLAG,
    { name: "update", summary: "Write what happens now into the tests as what they expect" },
    { name: "watch", summary: "Run again whenever a file of the policy or of the tests changes" },
    {
      name: "min-coverage",
      value: "PERCENT",
      summary: "Fail when tests reach less of the rules",
    },
    { name: "all-sources", summary: "Count the rules of this machine too, as check does" },
    ...SOURCE_FLAGS,
  ],
  details: [
    'A test is a [[tests]] table in a *.perms.toml, or [[permissions.tests]] in a policy: "call" (as "Bash:git push", the ' +
    'tool and its first argument to the letter, or { tool, input, cwd }), "expect" (allow, deny or ask) and, where wanted, ' +
    '"mode", "rule" (the pattern that is to decide, or builtin or none) and "why". Test files are looked for beside the ' +
    "workspace's .caliban and anywhere below that.",
    'An example is a text in the "match" or "not_match" of a rule: whether its pattern alone fits that first argument. For a ' +
    'pattern of several tools it is a whole call as "Bash:ls".',
    "A call is decided in the mode default unless its test names another, whatever mode the policy starts in; it runs in the " +
    "workspace, nobody is asked, and no model. So that a test says the same on every machine, managed, local and user rules, " +
    "CALIBAN_RULES and recorded trust are left out; --all-sources, --rules and --trust bring them back.",
    "--update needs --allow-write as well. It changes no test that fails for its rule alone.",
  ],
  examples: [{
    command: `printf '[[tests]]\\ncall = "Bash:git push"\\nexpect = "ask"\\n' > git.perms.toml
caliban perms test`,
    says: "write a first test, and run all that there are",
  }],
  statuses: [
    { status: EXIT.ok, meaning: "every test passed" },
    { status: 1, meaning: "a test failed, or tests reach too few rules" },
  ],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
