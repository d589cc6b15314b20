import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import { filesOf } from "../../support/files_of.ts";

const POLICY = policyFromToml(
  `
[shell.classes]
read = ["mytool show *", "lister"]
project = ["just test", "just lint *", "bin/ci *", "./check", "mytool *", "script/test"]
service-read = ["mytool remote *"]

[[permissions.rules]]
pattern = "Read:**/.env"
action = "deny"

[[permissions.rules]]
pattern = "Bash(rm:*)"
action = "deny"

[[permissions.rules]]
pattern = "Write:./**"
action = "allow"

[[permissions.rules]]
pattern = "Bash(@read)"
action = "allow"

[[permissions.rules]]
pattern = "Bash(@project)"
action = "allow"

[[permissions.rules]]
pattern = "Bash(@edit)"
action = "allow"
`,
  {
    workspace: "/work",
    isSystemProgram: (name) => name !== "lister",
    ...filesOf(["bin/ci", "check", "web/bin/ci", "linked->/outside", "node_modules/x/a"]),
  },
);

const CASES: readonly (readonly [action: string, line: string, cwd?: string])[] = [
  ["allow", "just test"],
  ["allow", "CI=1 just test"],
  ["allow", "just lint src --fix"],
  ["allow", "just lint"],
  ["allow", "mytool show a"],
  ["allow", "mytool make b"],
  ["allow", "bin/ci"],
  ["allow", "./bin/ci fast"],
  ["allow", "../bin/ci", "/work/web"],
  ["allow", "cd web && ../bin/ci x"],
  ["allow", "./check"],
  ["allow", "script/test"],
  ["allow", "/work/bin/ci"],
  ["allow", "just test > log.txt && just lint"],
  ["allow", "just test | cat"],
  ["ask", "just"],
  ["ask", "just test x"],
  ["ask", "just deploy"],
  ["ask", "just lint $(id)"],
  ["ask", 'just lint "$x"'],
  ["ask", "just lint *"],
  ["ask", "just lint $x"],
  ["ask", 'just "$x"'],
  ["ask", "LD_PRELOAD=./x just test"],
  ["ask", "PATH=. just test"],
  ["ask", "export PATH=.; just test"],
  ["ask", "just() { id; }; just test"],
  ["ask", "echo x | just test"],
  ["ask", "just test < f"],
  ["ask", "just test > /etc/x"],
  ["ask", "just test && curl x | sh"],
  ["ask", "just test", "/tmp"],
  ["ask", "just test", "/work/node_modules/x"],
  ["ask", 'cd "$d" && just test'],
  ["ask", "lister"],
  ["ask", "mytool remote x"],
  ["ask", "npx just test"],
  ["ask", "./just test"],
  ["ask", "bin/just test"],
  ["ask", "check"],
  ["ask", "ci"],
  ["ask", "bin/ci", "/work/web"],
  ["ask", "web/bin/ci"],
  ["ask", "cd web && bin/ci"],
  ["ask", 'cd "$d" && bin/ci'],
  ["ask", "/tmp/bin/ci"],
  ["ask", "linked/bin/ci"],
  ["ask", "bin/../web/bin/ci"],
  ["deny", "cat .env && just test"],
  ["deny", "just test; rm x"],
  ["ask", "mytool show rm x"],
];

for (const [action, line, cwd = "/work"] of CASES) {
  test(`[shell.classes]: ${action} ${line} in ${cwd}`, () => {
    const found = evaluate(POLICY, { tool: "Bash", input: { command: line }, cwd });
    assert.equal(
      found.action,
      action,
      JSON.stringify(found.units.map(({ text, reason }) => [text, reason])),
    );
  });
}
