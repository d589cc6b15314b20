import assert from "node:assert/strict";
import { test } from "node:test";
import { mayOverlap } from "../../../lib/policy/edit/may_overlap.ts";
import type { Action } from "../../../lib/model/call.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { policyOf } from "../../support/policy.ts";
import { toolProfiles } from "../../../lib/policy/compile/profiles.ts";

const profiles = toolProfiles(new Map([["Query", { firstArg: "sql", kind: "text" }]]));

/** A rule that says less, a stricter one, and whether they may overlap. */
type Row = readonly [
  first: readonly [Action, string],
  stricter: readonly [Action, string],
  boolean,
];

function check(rows: readonly Row[]): void {
  for (const [[action, pattern], [strict, other], expected] of rows) {
    const stricter = { action: strict, pattern: other };
    const overlap = mayOverlap({ action, pattern }, { stricter, profiles });
    assert.equal(overlap, expected, `${action} ${pattern} and ${strict} ${other}`);
  }
}

test("a deny or ask on a file overlaps the rules of every tool that does the same to it", () => {
  check([
    [["ask", "Edit:src/**"], ["deny", "Write"], true],
    [["ask", "Write:src/**"], ["deny", "NotebookEdit"], true],
    [["ask", "Write"], ["deny", "Edit:src/**"], true],
    [["allow", "Write"], ["deny", "Edit:src/**"], true],
    [["allow", "Edit:src/**"], ["deny", "Write:src/**"], true],
    [["allow", "Edit:src/**"], ["deny", "Write"], false],
    [["ask", "Edit"], ["deny", "Write"], false],
    [["ask", "Read:a"], ["deny", "Grep"], true],
    [["ask", "Read:a"], ["deny", "Glob"], true],
    [["allow", "Grep"], ["deny", "Read:a"], true],
    [["allow", "Grep:path=a"], ["deny", "Read:a"], true],
    [["ask", "Read:a"], ["deny", "Write:a"], false],
    [["allow", "*Edit:a"], ["deny", "Write:a"], true],
    [["allow", "Read"], ["deny", "Grep"], false],
  ]);
});

test("commands overlap where one line fits both", () => {
  check([
    [["allow", "Bash:git *"], ["deny", "Bash:git push *"], true],
    [["allow", "Bash:npm test *"], ["deny", "Bash:git push *"], false],
    [["allow", "Bash:git push"], ["deny", "Bash:git push *"], true],
    [["allow", "Bash(git push:*)"], ["deny", "Bash:git push"], true],
    [["allow", "Bash:npm test"], ["deny", "Bash:git"], false],
    [["allow", "Bash:GIT push"], ["deny", "Bash:git *"], true],
    [["allow", "Bash:ls *"], ["deny", "Bash:~rm"], true],
    [["allow", "Bash:timeout=5"], ["deny", "Bash:rm *"], true],
    [["allow", "Bash"], ["deny", "Bash:rm *"], true],
    [["ask", "Bash:ls *"], ["deny", "Bash:rm *"], false],
  ]);
});

test("what one names as its program the other may run through a wrapper, or in other words", () => {
  check([
    [["allow", "Bash:sudo rm *"], ["deny", "Bash:rm *"], true],
    [["allow", "Bash:/bin/rm *"], ["deny", "Bash:rm *"], true],
    [["allow", "Bash:A=1 rm *"], ["deny", "Bash:rm *"], true],
    [["allow", "Bash:git -C x push *"], ["deny", "Bash:git push *"], true],
    [["allow", "Bash:git status *"], ["deny", "Bash:git push *"], false],
    [["ask", "Bash:git status *"], ["deny", "Bash:git push *"], false],
    [["allow", "Bash:ls > *"], ["deny", "Bash:ls"], true],
    [["ask", "Bash:curl *"], ["deny", "Bash:curl * | sh*"], true],
    [["allow", "Bash:sudo apt *"], ["deny", "Bash:rm *"], false],
  ]);
});

test("a wrapper that needs no rule of its own, and a variable that changes nothing, stand before any program", () => {
  check([
    [["allow", "Bash:npm test"], ["deny", "Bash:time *"], true],
    [["allow", "Bash:npm test"], ["deny", "Bash:t*"], true],
    [["allow", "Bash:npm test"], ["deny", "Bash:LC_*"], true],
    [["allow", "Bash:npm test"], ["deny", "Bash:xargs *"], false],
    [["allow", "Bash:npm test"], ["deny", "Bash:b*"], false],
    [["ask", "Bash:npm test"], ["deny", "Bash:a=1 *"], true],
    [["ask", "Bash:npm test"], ["deny", "Bash:b*"], false],
    [["ask", "Bash:git*"], ["deny", "Bash:rm -rf *"], false],
    [["allow", "Bash:a=1 *"], ["deny", "Bash:npm *"], true],
    [["ask", "Bash:rm *"], ["deny", "Bash:/bin/rm *"], true],
    [["ask", "Bash:time *"], ["deny", "Bash:rm *"], true],
  ]);
  const rules = [{ action: "allow", pattern: "Bash:npm test" }, {
    action: "deny",
    pattern: "Bash:rtk *",
  }] as const;
  const [first, stricter] = rules;
  assert.equal(mayOverlap(first, { stricter, profiles }), false);
  assert.equal(mayOverlap(first, { stricter, profiles, wrappers: ["rtk run"] }), true);
});

test("of a rule that looks anywhere in a line, or of one with operators or quotes, nothing is known", () => {
  check([
    [["allow", "Bash:ls"], ["deny", "Bash:~rm"], true],
    [["allow", "Bash:cd x && ls"], ["deny", "Bash:~rm"], true],
    [["allow", 'Bash:git commit -m "*"'], ["deny", "Bash:rm *"], true],
  ]);
});

test("spaces count as any number of them", () => {
  check([
    [["allow", "Bash:rm  -rf *"], ["deny", "Bash:rm -rf *"], true],
    [["allow", "Bash:rm  -rf"], ["deny", "Bash:rm -rf"], true],
    [["allow", "Bash:rm * -rf"], ["deny", "Bash:rm -rf"], true],
    [["allow", "Bash:rm ? -rf"], ["deny", "Bash:rm -rf"], true],
    [["allow", "Bash:* rm"], ["deny", "Bash:rm"], true],
    [["allow", "Bash:ls  -i *"], ["deny", "Bash:rm -rf *"], false],
    [["allow", "Bash:ls*x"], ["deny", "Bash:rm -rf"], false],
    [["allow", "Bash:a*b*c*d*e*f*g*"], ["deny", "Bash:rm"], false],
    [["allow", "Bash:r*b*c*d*e*f*g*"], ["deny", "Bash:rm"], true],
  ]);
});

test("a line that is no plain command may run what any rule denies", () => {
  check([
    [["allow", "Bash:cd x && rm -rf y"], ["deny", "Bash:rm *"], true],
    [["allow", "Bash:cd x && ls"], ["deny", "Bash:rm *"], true],
    [["allow", "Bash:r\\\\m *"], ["deny", "Bash:rm *"], true],
    [["allow", 'Bash:git commit -m "*"'], ["deny", "Bash:git commit -m x"], true],
    [["allow", "Bash:git ? x"], ["deny", "Bash:git push *"], true],
  ]);
});

test("hosts and texts are compared; field lists, tool globs and what does not parse may overlap", () => {
  check([
    [["allow", "WebFetch:domain:docs.x.org"], ["deny", "WebFetch:domain:x.org"], true],
    [["ask", "WebFetch:domain:x.org"], ["deny", "WebFetch:domain:docs.x.org"], true],
    [["allow", "WebFetch:domain:ax.org"], ["deny", "WebFetch:domain:x.org"], false],
    [["allow", "WebFetch:https://y.org/*"], ["deny", "WebFetch:domain:x.org"], false],
    [["allow", "WebFetch:https://docs.x.org/*"], ["deny", "WebFetch:domain:x.org"], true],
    [["allow", "WebFetch:https://*"], ["deny", "WebFetch:domain:x.org"], true],
    [["allow", "Query:select *"], ["deny", "Query:drop *"], false],
    [["allow", "Query:*"], ["deny", "Query:drop *"], true],
    [["allow", "mcp__a__b:k=1"], ["deny", "mcp__a__b:k=2"], true],
    [["allow", "mcp__*"], ["deny", "mcp__a__*"], true],
    [["allow", "mcp__a__*"], ["deny", "mcp__b__c"], false],
    [["allow", "*"], ["deny", "Unheard"], true],
    [["allow", "Bash(git"], ["deny", "Read"], true],
  ]);
});

test("whatever beats a deny for some line overlaps it", () => {
  const patterns = (
    "git push *|git status *|git -C x push *|git*|rm *|rm -rf *|/bin/rm *|sudo rm *|sudo r*|s?do rm *|A=1 rm *|FOO* rm *|" +
    "a*|LC_* rm *|time *|timeout 5 *|t*|xargs rm *|npm test|npm *|sh -c *|find . -exec rm *|~rm|* --force*|cd x && rm *|" +
    "command *|* > out|rm  *"
  ).split("|").map((text) => `Bash:${text}`);
  const lines = (
    "git push x|git status x|git -C x push y|git $x|rm x|rm -rf x|/bin/rm x|sudo rm x|A=1 rm x|Z=1 npm test|FOO=1 rm x|" +
    "LC_ALL=C rm x|time rm x|time git status x|timeout 5 npm test|xargs rm x|npm test|sh -c 'rm x'|find . -exec rm x \\;|" +
    "cd x && rm y|command rm x|command git push|rm x > out|git push --force|RM x|$x y|sudo $x|time $x"
  ).split("|").map((command) => ({ tool: "Bash", input: { command } }));
  const missed: string[] = [];
  let beaten = 0;
  for (const pattern of patterns) {
    for (const other of patterns) {
      const stricter = { pattern: other, action: "deny" } as const;
      const before = policyOf([stricter]);
      const denied = lines.filter((call) => evaluate(before, call).action === "deny");
      for (const action of ["allow", "ask"] as const) {
        const after = policyOf([{ pattern, action }, stricter]);
        if (denied.every((call) => evaluate(after, call).action === "deny")) continue;
        beaten++;
        if (!mayOverlap({ pattern, action }, { stricter, profiles })) {
          missed.push(`${action} ${pattern} above ${other}`);
        }
      }
    }
  }
  assert.deepEqual(missed, []);
  assert.ok(beaten > 100, `${beaten}`);
});
