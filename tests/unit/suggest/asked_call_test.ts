import assert from "node:assert/strict";
import { test } from "node:test";
import { decide } from "../../../lib/decide/decide.ts";
import { evaluate, evaluateCall } from "../../../lib/decide/evaluate.ts";
import type { ToolCall } from "../../../lib/model/call.ts";
import { defaultMode } from "../../../lib/decide/modes.ts";
import { askedCall } from "../../../lib/suggest/asked_call.ts";
import { policyOf, type TestRule } from "../../support/policy.ts";

const POLICY: readonly TestRule[] = [
  { pattern: "Bash(git status:*)", action: "allow" },
  { pattern: "Bash:deploy *", action: "ask" },
  { pattern: "Bash:rm *", action: "deny" },
  { pattern: "mcp__ops__*", action: "ask", kind: "managed" },
];

/** The rules that a call would need, or the reason that none is suggested; undefined for a call that is not asked about. */
function needsOf(call: ToolCall): string | readonly (readonly string[])[] | undefined {
  const policy = policyOf(POLICY);
  const asked = askedCall(
    policy,
    decide(policy, evaluateCall(policy, call), { mode: defaultMode }),
  );
  if (asked?.kind !== "open") return asked?.why;
  return asked.choices.map(({ patterns }) =>
    patterns.map(({ pattern, kind }) => `${kind} ${pattern}`)
  );
}

const bash = (command: string): ToolCall => ({ tool: "Bash", input: { command } });
const edit = (path: string): ToolCall => ({ tool: "Edit", input: { path } });
const fetched = (url: string): ToolCall => ({ tool: "WebFetch", input: { url } });
const LONG = "x".repeat(100);

const CALLS: readonly (readonly [
  call: ToolCall,
  choices: string | readonly (readonly string[])[] | undefined,
])[] = [
  [bash("git status"), undefined],
  [bash("rm x"), undefined],
  [
    bash("git push origin main"),
    [["literal Bash:git push origin main", "prefix Bash(git push:*)"]],
  ],
  [bash(`git push ${LONG}`), [["prefix Bash(git push:*)"]]],
  [bash("npm test"), [["literal Bash:npm test"]]],
  [bash(`npm run ${LONG}`), "no-pattern"],
  // Beside a command with a rule, what changes the folder needs none; alone it does.
  [bash("cd web && npm test"), [["literal Bash:npm test"]]],
  [
    bash("npm test; git push"),
    [["literal Bash:git push", "prefix Bash(git push:*)"], ["literal Bash:npm test"]],
  ],
  // A script is a question of its own, which the rule for the command answers.
  [
    bash("python3 t.py && npm test"),
    [
      ["literal Bash:npm test"],
      ["literal Bash:python3 t.py"],
      ["literal Bash:python3 t.py", "literal Bash:python3 t.py && npm test"],
    ],
  ],
  [bash("git commit -m 'a b'"), [[
    "literal Bash:git commit -m 'a b'",
    "prefix Bash(git commit:*)",
  ]]],
  [bash("deploy prod"), "written"],
  [bash("npm test && deploy prod"), "written"],
  [bash("eval $x"), "unknown"],
  [bash("git push; eval $x"), "unknown"],
  [bash("npm test && echo x > .git/config"), "safety"],
  [edit(".git/config"), "safety"],
  [{ tool: "mcp__ops__restart", input: {} }, "managed"],
  [{ tool: "mcp__gh__list", input: { a: "b" } }, [["tool mcp__gh__list"]]],
  [{ tool: "mcp__gh__*", input: {} }, [["tool mcp__gh__\\*"]]],
  [{ tool: "Deploy", input: { to: "prod" } }, [["literal Deploy:to=prod"]]],
  [edit("README.md"), [["file Edit:./README.md"]]],
  [
    edit("src/a/b.ts"),
    [["file Edit:./src/a/b.ts", "folder Edit:src/a/**", "folder Edit:src/**"]],
  ],
  [edit("src/../../x/y.ts"), [["file Edit:~/x/y.ts"]]],
  [edit("a*b/[c]/~d.ts"), [[
    "file Edit:./a\\*b/\\[c\\]/~d.ts",
    "folder Edit:./a\\*b/\\[c\\]/**",
    "folder Edit:./a\\*b/**",
  ]]],
  [edit("~x/y"), "no-pattern"],
  [edit("./~x/y"), "no-pattern"],
  [fetched("https://Docs.x.org/a?b"), [["host WebFetch:https://docs.x.org/*"]]],
  [fetched("http://localhost:8080/"), [["host WebFetch:http://localhost:8080/*"]]],
  [fetched("https://x.org:443/"), [["host WebFetch:https://x.org/*"]]],
  [fetched("ftp://x.org/a"), "no-pattern"],
  [fetched("https://u:p@x.org/"), "no-pattern"],
  [fetched("http://169.254.169.254/latest/meta-data"), "no-pattern"],
  [fetched("http://metadata.google.internal/x"), "no-pattern"],
];

for (const [call, choices] of CALLS) {
  const name = JSON.stringify(Object.values(call.input)).slice(0, 60);
  test(`what ${call.tool} ${name} would choice`, () => {
    assert.deepEqual(needsOf(call), choices);
  });
}

test("what a call would choice answers it, all patterns alike", () => {
  const policy = policyOf(POLICY);
  for (const [call, choices] of CALLS) {
    if (choices === undefined || typeof choices === "string") continue;
    for (const at of [0, 1, 2]) {
      const patterns: readonly string[] = choices.map((all) =>
        all[Math.min(at, all.length - 1)]!.replace(/^\w+ /, "")
      );
      const more = patterns.map((pattern) => ({ pattern, action: "allow" } as const));
      const after = policyOf([...POLICY, ...more]);
      assert.equal(evaluate(after, call).action, "allow", patterns.join(", "));
    }
    assert.equal(evaluate(policy, call).action, "ask");
  }
});
