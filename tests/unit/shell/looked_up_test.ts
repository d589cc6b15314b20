import assert from "node:assert/strict";
import { test } from "node:test";
import { policyFromToml } from "../../../lib/core.ts";
import { filesOf } from "../../support/files_of.ts";
import { oneRepository } from "../../support/policy.ts";
import everyday from "../../cases/shell/corpus/everyday.json" with { type: "json" };
import table from "../../cases/shell/corpus/looked_up.json" with { type: "json" };

const FOLDERS = {
  workspace: "/work",
  home: "/home/ada",
  gitRepository: oneRepository("/work"),
};

for (
  const { policy: rules, title, files, cases } of [table, everyday].flatMap(({ policy, trees }) =>
    trees.map((tree) => ({ policy, ...tree }))
  )
) {
  test(`names are looked up: ${title} (${cases.length})`, () => {
    const policy = policyFromToml(rules, { ...FOLDERS, ...filesOf(files) });
    const wrong = cases.flatMap(([command = "", expected]) => {
      const call = { tool: "Bash", input: { command }, cwd: "/work" };
      const { action, reason } = policy.evaluate(call);
      return action === expected ? [] : [`${command}: ${action}, not ${expected}: ${reason}`];
    });
    assert.deepEqual(wrong, []);
  });
}

test("the share of daily lines that are allowed does not sink", () => {
  const [{ cases }] = everyday.trees as [typeof everyday.trees[0]];
  const allowed = cases.filter(([, expected]) => expected === "allow").length;
  assert.ok(allowed >= 0.93 * cases.length, `${allowed} of ${cases.length}`);
});

test("names that cannot be looked up are never fewer: without a file system no line is allowed that else is not", () => {
  const blind = policyFromToml(table.policy, FOLDERS);
  for (const { files, cases } of table.trees) {
    const policy = policyFromToml(table.policy, { ...FOLDERS, ...filesOf(files) });
    for (const [command = ""] of cases) {
      const call = { tool: "Bash", input: { command }, cwd: "/work" };
      const isLink = files.some((file) => file.includes("->"));
      if (isLink || blind.evaluate(call).action !== "allow") continue;
      assert.equal(policy.evaluate(call).action, "allow", command);
    }
  }
});

test("a folder with more names than are looked at is as one that cannot be listed", () => {
  const files = Array.from({ length: 1_001 }, (_, index) => `src/${index}.ts`);
  const actionOf = (count: number) =>
    policyFromToml(table.policy, { ...FOLDERS, ...filesOf(files.slice(0, count)) })
      .evaluate({ tool: "Bash", input: { command: "find src | xargs wc -l" }, cwd: "/work" })
      .action;
  assert.deepEqual([actionOf(900), actionOf(1_001)], ["allow", "ask"]);
});
