import assert from "node:assert/strict";
import { test } from "node:test";
import { differences } from "../../../lib/analysis/differences.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import type { Action, JsonObject } from "../../../lib/model/call.ts";
import { policyOf, type PolicyOptions, type TestRule } from "../../support/policy.ts";

function rulesOf(lines: readonly string[]): readonly TestRule[] {
  return lines.map((line) => {
    const [action, ...pattern] = line.split(" ");
    return { action: action as Action, pattern: pattern.join(" ") };
  });
}

/** `lnk` in the workspace leads to its folder `target`. */
const LINKS: PolicyOptions = {
  context: { realPath: (path) => path.replace(/^\/home\/u\/ws\/lnk(?=\/|$)/, "/home/u/ws/target") },
};

/** An ask above a deny, and a call that the ask matches in another form only. */
const SHIELDS: readonly (readonly [rules: readonly string[], tool: string, input: JsonObject])[] = [
  [["ask Write:/tmp/**", "deny Write:/etc/**"], "Write", { path: "/tmp/../etc/passwd" }],
  [["ask Edit:/tmp/**", "deny Write:/etc/**"], "MultiEdit", { path: "/tmp/./../etc/passwd" }],
  [["ask Read:src/**", "deny Read:**/.env"], "Read", { path: "src/../.env" }],
  [["ask Read:src/**", "deny Read:**/.env"], "Grep", { pattern: "x", path: "src/../.env" }],
  [["ask Read:*.md", "deny Read:**/.env"], "Grep", { pattern: "x", glob: "{a.md,.env}" }],
  [["ask Write:./lnk/**", "deny Write:./target/**"], "Write", { path: "lnk/a" }],
  [["ask Write:./target/**", "deny Write:./lnk/**"], "Write", { path: "lnk/a" }],
  [["ask WebFetch:https://x.org/pub/*", "deny WebFetch:domain:x.org"], "WebFetch", {
    url: "https://x.org/pub/../secret",
  }],
  [["ask WebFetch:https://x.org/%61*", "deny WebFetch:https://x.org/a*"], "WebFetch", {
    url: "https://x.org/%61b",
  }],
  [["ask mcp__fs__put:path=/tmp/**", "deny mcp__fs__put:path=/etc/**"], "mcp__fs__put", {
    path: "/tmp/../etc/passwd",
  }],
  [["allow Bash(echo:*)", "ask Write:/tmp/**", "deny Write:/etc/**"], "Bash", {
    command: "echo x > /tmp/../etc/passwd",
  }],
  [["allow Bash(cp:*)", "ask Write:/tmp/**", "deny Write:/etc/**"], "Bash", {
    command: "cp a /tmp/../etc/passwd",
  }],
  [["allow mcp__*", "ask Write:/tmp/**", "deny Write:/etc/**"], "mcp__fs__put", {
    path: "/tmp/../etc/passwd",
  }],
];

test("an ask that matches only another form than where a path leads shields no deny below", () => {
  for (const [lines, tool, input] of SHIELDS) {
    const verdict = (rules: readonly string[]) =>
      evaluate(policyOf(rulesOf(rules), LINKS), { tool, input });
    assert.equal(verdict(lines).action, "deny", JSON.stringify([lines, input]));
    const { action, by } = verdict(lines.filter((line) => !line.startsWith("deny")));
    assert.deepEqual([action, by], ["ask", "safety"]);
  }
});

test("an ask that matches a path in all its forms decides, a home folder's tilde included", () => {
  const lines = ["ask Read:~/.ssh/**", "deny Read:**/id"];
  const { action, by } = evaluate(policyOf(rulesOf(lines)), {
    tool: "Read",
    input: { path: "~/.ssh/id" },
  });
  assert.deepEqual([action, by], ["ask", "rule"]);
});

test("the order of two rules makes a difference that is found where a path goes through both", () => {
  const pairs = [
    ["deny Write:/tmp/**", "allow Write:/etc/**"],
    ["ask Write:/tmp/**", "allow Write:/etc/**"],
    ["deny WebFetch:https://x.org/pub/*", "allow WebFetch:https://x.org/secret/*"],
  ];
  for (const lines of pairs) {
    const [one, other] = [lines, lines.toReversed()].map((each) => policyOf(rulesOf(each)));
    const { groups } = differences(one!, other!);
    assert.equal(groups.length, 1, lines.join());
    assert.match(JSON.stringify(groups[0]!.witness.input), /\.\.\//);
  }
});

test("a glob that begins with a word and has no operator is tried on one command", () => {
  const rules = rulesOf(["deny Bash:git clean*-*f*", "deny Bash:curl*evil*", "allow Bash"]);
  const action = (command: string) =>
    evaluate(policyOf(rules), { tool: "Bash", input: { command } }).action;
  assert.equal(action("git clean; grep -f patterns.txt file"), "allow");
  assert.equal(action("git clean && tail -f log.txt"), "allow");
  assert.equal(action("curl https://x.org | grep evil"), "allow");
  assert.equal(action("git clean -xdf"), "deny");
  assert.equal(action("git clean -x 'a; b' -f"), "deny");
  assert.equal(action("ls; git clean -f"), "deny");
  assert.equal(action("(cd a; git clean -f) | tail"), "deny");
  assert.equal(action("git clean $(cat a) -f > log"), "deny");
  const loops = policyOf(rulesOf(["deny Bash:for *", "allow Bash"]));
  const loop = { tool: "Bash", input: { command: "for f in a b; do ls $f; done" } };
  assert.equal(evaluate(loops, loop).action, "deny");
  const pipes = policyOf(rulesOf(["deny Bash:curl * | sh*", "deny Bash:*| tee*", "allow Bash"]));
  for (const command of ["curl x|sh", "ls | tee a"]) {
    assert.equal(evaluate(pipes, { tool: "Bash", input: { command } }).action, "deny");
  }
});

test("where file names ignore case, commands and wrappers do too", () => {
  const rules = rulesOf(["deny Bash:rm *", "deny Read:**/.env", "allow Bash"]);
  const action = (command: string, ignoreCase: boolean) =>
    evaluate(policyOf(rules, { context: { ignoreCase } }), { tool: "Bash", input: { command } })
      .action;
  const lines = ["RM x", "/bin/RM x", "SUDO rm x", "Sudo -u ada RM x", "ls | XARGS Rm", "CAT .ENV"];
  for (const line of lines) assert.equal(action(line, true), "deny", line);
  assert.notEqual(action("RM x", false), "deny");
  const allowed = policyOf(rulesOf(["allow Bash(git status:*)"]), {
    context: { ignoreCase: true },
  });
  const call = { tool: "Bash", input: { command: "GIT status" } };
  assert.equal(evaluate(allowed, call).action, "ask");
});

test("a path glob that ends in ** matches the folder itself too, in every action", () => {
  const actions = (["allow", "deny", "ask"] as const).map((action) =>
    ["docs", "docs/a", "docs/a/b", "docsx"].map((path) =>
      evaluate(policyOf([{ pattern: "Write:docs/**", action }]), { tool: "Write", input: { path } })
        .rule?.action
    )
  );
  assert.deepEqual(actions, [
    ["allow", "allow", "allow", undefined],
    ["deny", "deny", "deny", undefined],
    ["ask", "ask", "ask", undefined],
  ]);
});
