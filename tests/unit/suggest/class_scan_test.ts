import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { decide } from "../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../lib/decide/evaluate.ts";
import { defaultMode } from "../../../lib/decide/modes.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import { AskScan } from "../../../lib/suggest/ask_scan.ts";
import { ClassScan } from "../../../lib/suggest/class_scan.ts";
import { overPolicy } from "../../../lib/gate/gate_state.ts";

function bash(command: string) {
  return { tool: "Bash", input: { command }, cwd: "/work" };
}

/** The offers for some lines, `!` before one that a person refused. */
function offers(lines: readonly string[], toml = "") {
  const policy = policyFromToml(toml, { workspace: "/work", isSystemProgram: () => true });
  const classes = new ClassScan({
    policy,
    options: { now: 0 },
    withRule: (pattern) => overPolicy(policy, [{ pattern, action: "allow" }]),
  });
  const scan = new AskScan({
    policy,
    classes,
    decide: (each, call) =>
      decide(each, evaluateCall(each, call, { now: 0 }), { mode: defaultMode }),
  });
  for (const line of lines) {
    const isRefused = line.startsWith("!");
    scan.add(bash(line.replace(/^!/, "")), isRefused ? { answer: "refused" } : {});
  }
  return classes.offers(scan.refused).map(({ pattern, answers, also }) =>
    `${pattern} ${answers}: ${also.join(", ")}`
  );
}

test("a class is offered for the asks that its rule alone answers", () => {
  assert.deepEqual(offers(["cat a", "cat a", "wc b; ls", "rm x", "frob", "cat a; frob"]), [
    "Bash(@read) 3: cat README.md, ls -la, grep -n TODO README.md",
  ]);
  const writes = '[permissions]\nallow = ["Write:./**"]\n';
  assert.deepEqual(offers(["mkdir a", "cat a", "cat b", "cp a b; cat c"], writes), [
    "Bash(@read) 2: cat README.md, ls -la, grep -n TODO README.md",
    "Bash(@edit) 1: mkdir -p build, touch notes.txt, cp a.txt b.txt",
  ]);
  // Files that no rule lets it write, classes that are not offered, and rules that ask about the very command.
  assert.deepEqual(offers(["mkdir a", "rm a", "kill 1", "echo $TOKEN"]), []);
  assert.deepEqual(offers(["cat a"], '[permissions]\nask = ["Bash(cat:*)"]\n'), []);
});

test("a class that would allow what a person refused is not offered", () => {
  assert.deepEqual(offers(["cat a", "!cat b"]), []);
  assert.equal(offers(["cat a", "!rm b"]).length, 1);
});
