import assert from "node:assert/strict";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import { runSuite } from "../../../lib/suite/run_suite.ts";
import type { SuiteReport } from "../../../lib/suite/suite_report.ts";
import { testCases } from "../../../lib/suite/test_call.ts";
import { readTestFile } from "../../../lib/suite/test_file.ts";

/** The report of tests, written in TOML as the file `a.perms.toml` of the workspace `/repo/ws`, in a repository `/repo`. */
export function suiteReportOf(
  { rules, tests }: { readonly rules: string; readonly tests: string },
): SuiteReport {
  const policy = policyFromToml(rules);
  const { profiles } = policy;
  const reading = { profiles, workspace: "/repo/ws", platform: "linux" } as const;
  const { file, problems } = readTestFile(tests, "/repo/ws/a.perms.toml");
  const { cases, problems: more } = testCases([file], reading);
  assert.deepEqual([...problems, ...more], []);
  return {
    files: [file],
    outcome: runSuite(policy, cases, { reading, now: 0, examples: "checked" }),
    updated: [],
    entries: [],
    leftOut: [],
    folders: { workspace: "/repo/ws" },
    root: () => "/repo",
    explain: () => "caliban explain Bash x",
  };
}
