import { TEST_FORMATS } from "../../report/formats.ts";
import { formatFlags, SOURCE_FLAGS } from "../args/flags.ts";
import { EXIT } from "../errors/errors.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban perms test`. */
export const TEST: Verb = {
  path: ["perms", "test"],
  summary: "Run the policy's tests, and report which rules they cover",
  step: "keep",
  operands: [{
    name: "file",
    optional: true,
    repeatable: true,
    summary:
      "Test files, or folders with *.perms.toml; by default all tests and examples of the workspace",
  }],
  flags: [
    ...formatFlags(TEST_FORMATS),
    { name: "update", summary: "Update the tests to expect the current decisions" },
    { name: "watch", summary: "Run again when a policy or test file changes" },
    {
      name: "min-coverage",
      value: "PERCENT",
      summary: "Fail if the tests cover less of the rules",
    },
    { name: "permit-no-tests", summary: "Pass where there is no test" },
    { name: "all-sources", summary: "Include the rules of this machine, as check does" },
    ...SOURCE_FLAGS,
  ],
  details: [
    'A test is a [[tests]] table in a *.perms.toml, or [[permissions.tests]] in a policy: "call" (as "Bash:git ' +
    'push", the tool and its first argument verbatim, or { tool, input, cwd }), "expect" (allow, deny or ask) ' +
    'and optionally "mode", "rule" (the pattern that must decide, or builtin or none) and "why". Test files are ' +
    "found beside the workspace's .caliban and anywhere below it.",
    'An example is a text in the "match" or "not_match" of a rule: a first argument that its pattern must match, ' +
    'or must not. For a pattern of several tools it is a whole call such as "Bash:ls".',
    "A call is decided in the mode default unless its test names another; default_mode does not count. It " +
    "runs in the workspace; neither a person nor a model is asked. To give the same result on every machine, " +
    "tests ignore managed, local and user rules and CALIBAN_RULES; --all-sources and --rules include them. The " +
    "workspace's files are trusted here.",
    "--format github prints workflow commands that GitHub shows beside the failed tests, and junit prints XML for CI " +
    "servers; their paths are relative to the repository root.",
    '--update also needs --allow-write. It does not change a test that fails only because of its "rule".',
  ],
  examples: [{
    command: `printf '[[tests]]\\ncall = "Bash:git push"\\nexpect = "ask"\\n' > git.perms.toml
caliban perms test`,
    says: "write a first test, and run all tests",
  }],
  statuses: [
    { status: EXIT.ok, meaning: "every test passed" },
    { status: 1, meaning: "a test failed, or the tests cover too few rules" },
  ],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
