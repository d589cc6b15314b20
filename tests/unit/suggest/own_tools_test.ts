import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "smol-toml";
import "../../../lib/shell/parse/loaded_parser.ts";
import { decide } from "../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../lib/decide/evaluate.ts";
import { defaultMode } from "../../../lib/decide/modes.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import { ownToolsToml } from "../../../lib/report/suggest/own_tools_text.ts";
import { OwnToolScan } from "../../../lib/suggest/own_tools.ts";

function scanned(lines: readonly string[]) {
  const policy = policyFromToml('[permissions]\nallow = ["Bash(known:*)"]\n', {
    workspace: "/work",
    isSystemProgram: () => true,
  });
  const scan = new OwnToolScan(policy);
  for (const command of lines) {
    const call = { tool: "Bash", input: { command } };
    const decision = decide(policy, evaluateCall(policy, call), { mode: defaultMode });
    scan.add(scan.commandsOf(decision), call);
  }
  return scan.found();
}

/** Lines, then what is found: wrappers, commands of a project, others. */
const FOUND: readonly (readonly [string[], string, string, string])[] = [
  [["rtk git status", "rtk npm test"], "rtk 2", "", ""],
  [["frob test a", "x && frob test", "frob lint:fix"], "", "frob test 2, frob lint:fix 1", "x 1"],
  // One program behind another is no wrapper, nor is one whose sub-commands have names of programs.
  [["bin/x git a", "bin/x npm b"], "", "", "bin/x git 1, bin/x npm 1"],
  [["frob git"], "", "", "frob git 1"],
  [["frob git", "frob deploy"], "", "", "frob git 1, frob deploy 1"],
  [["frob install", "frob kill"], "", "", "frob install 1, frob kill 1"],
  // Options, values, variables and files are no sub-commands.
  [["frob --fast", 'frob "$x"', "frob ./a b", "frob 12"], "", "", "frob 4"],
  [["bin/ci lint; bin/ci"], "", "bin/ci lint 1", "bin/ci 1"],
  // A table, an absolute path, an allowed program, and a name that the line does not fix.
  [["make test", "/opt/x test", "known test", '"$tool" test', "git frob"], "", "", ""],
  [["sudo frob test", "xargs frob test"], "", "frob test 2", ""],
];

test("programs without a table are wrappers, tools of the project, or left to a person", () => {
  for (const [lines, ...expected] of FOUND) {
    const { wrappers, project, others } = scanned(lines);
    const shown = [wrappers, project, others].map((list) =>
      list.map(({ command, asks }) => `${command} ${asks}`).join(", ")
    );
    assert.deepEqual(shown, expected, lines.join("; "));
  }
});

test("the lines are TOML, and what is only counted is a comment", () => {
  const lines = ownToolsToml(
    scanned([
      ...["rtk git a", "rtk npm b", "frob test", "frob test x", "frob deploy", "frob deploy"],
      "frob once",
    ]),
    78,
  );
  assert.deepEqual(JSON.parse(JSON.stringify(parse(lines.join("\n")))), {
    shell: { wrappers: ["rtk"], classes: { project: ["frob test *"] } },
  });
  assert.deepEqual(lines.filter((line) => line.startsWith("#")), [
    "# frob deploy  2 asks: read, project or service-read?",
  ]);
  assert.deepEqual(ownToolsToml(scanned(["frob once"]), 78), []);
});

test("memory stays bounded however many programs there are", () => {
  const { others } = scanned(Array.from({ length: 1500 }, (_, at) => `tool${at} x`));
  assert.equal(others.length, 1000);
});
