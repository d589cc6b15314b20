import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { diffGithub } from "../../../lib/report/diff/diff_github.ts";
import type { DiffGroup, DiffReport } from "../../../lib/report/diff/diff_report.ts";
import { suiteGithub } from "../../../lib/report/suite/suite_github.ts";
import fc from "../../support/seeded.ts";
import { suiteReportOf } from "../suite/suite_report_of.ts";

const LINE_ENDS = /[\r\n\u0085\u2028\u2029]/;

test("each test that fails is one command, whatever it holds", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (why) => {
    const report = suiteReportOf({
      rules: "",
      tests: `[[tests]]\ncall = "Bash:ls"\nexpect = "deny"\nwhy = ${JSON.stringify(why)}\n\n` +
        '[[tests]]\ncall = "Bash:ls"\nexpect = "ask"\n',
    });
    const [command, sum, ...end] = suiteGithub(report).split(LINE_ENDS);
    assert.match(command!, /^::error file=ws\/a\.perms\.toml,line=1,.*title=caliban%3A test::/);
    assert.equal(sum, "2 tests: 1 passed, 1 failed; 0 of 0 rules covered (100%)");
    assert.deepEqual(end, [""]);
  }));
});

const PATH = "/repo/ws/.caliban/permissions.toml";

function reportOf(group: Partial<DiffGroup>, more: Partial<DiffReport> = {}): DiffReport {
  const source = { kind: "project", path: PATH, line: 7, column: 1 } as const;
  return {
    old: "a",
    new: "b",
    settings: [],
    groups: [{
      effect: "loosened",
      witness: { tool: "Bash", input: { command: "ls" } },
      command: "caliban check Bash ls",
      was: { action: "ask", rule: null },
      now: { action: "allow", rule: { pattern: "Bash:l*", action: "allow", index: 0, source } },
      ...group,
    }],
    unknown: [],
    folders: { workspace: "/repo/ws" },
    target: { root: "/repo", file: PATH, fails: (kind) => kind === "loosened" },
    ...more,
  };
}

test("a change stands at the rule that decides now, else at the new policy's file", () => {
  assert.equal(
    diffGithub(reportOf({})),
    "::error file=ws/.caliban/permissions.toml,line=7,title=caliban%3A loosened::" +
      "was ask, now allow: caliban check Bash ls%0Awas: no rule matches%0A" +
      "now: Bash:l* in .caliban/permissions.toml:7:1\nPolicy: 1 loosened\n",
  );
  const gone = diffGithub(reportOf({ now: { action: "ask", rule: null } }));
  assert.match(gone, /^::error file=ws\/\.caliban\/permissions\.toml,title=/);
});

test("what fails nothing is a notice, and what was not compared has its own", () => {
  const tightened = reportOf({ effect: "tightened" }, {
    unknown: [{ kind: "tried", text: "too long\n::error::x" }],
  });
  const [change, unknown, sum] = diffGithub(tightened).split("\n");
  assert.match(change!, /^::notice .*title=caliban%3A tightened::/);
  assert.match(unknown!, /^::notice file=.*not compared exactly::too long\\u\{a\}::error::x$/);
  assert.equal(sum, "Policy: 1 tightened");
});

test("each change is one command, whatever its call holds", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (command) => {
    assert.equal(diffGithub(reportOf({ command })).split(LINE_ENDS).length, 3);
  }));
});
