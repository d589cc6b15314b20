import assert from "node:assert/strict";
import { test } from "node:test";
import { openPolicyOf } from "../../../lib/decide/policy.ts";
import type { AskAnswer } from "../../../lib/model/verdict.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import {
  auto,
  bash,
  ended,
  gateOf,
  hooks,
  modeOf,
  odd,
  person,
  policyWith,
  write,
} from "./scene.ts";

test("a person is shown the call, its units and what can be kept", async () => {
  const ask = person("deny-once");
  const gate = gateOf(policyWith("allow Bash(ls:*)"), { ask });
  await gate.decide(bash("ls && git push origin"));
  const [question] = ask.questions;
  assert.deepEqual(question?.call, bash("ls && git push origin"));
  assert.deepEqual(question?.decision.units.map(({ text, decision }) => [text, decision]), [
    ["ls", "allow"],
    ["git push origin", "ask"],
  ]);
  assert.equal(question?.suggestion, "Bash(git push:*)");
  assert.equal(question?.suggestions, undefined);
  assert.deepEqual(question?.scopes, ["session"]);
  assert.equal(question?.reason, undefined);
});

test("a compound line has one suggestion for each unit that needs one", async () => {
  const ask = person("deny-once");
  await gateOf(policyWith(), { ask }).decide(bash("cd web && npm test && git push; echo $?"));
  assert.deepEqual(ask.questions[0]?.suggestions, ["Bash:npm test", "Bash(git push:*)"]);
});

test("the comment of the rule that asks is shown, and the reason of who else does", async () => {
  const rule = (pattern: string, action: string, comment: string) =>
    `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\ncomment = "${comment}"\n`;
  const text = rule("Bash(ls:*)", "allow", "fine") + rule("Bash:git push *", "ask", "ours");
  const ask = person("deny-once");
  await gateOf(policyFromToml(text), { ask }).decide(bash("ls; make; git push"));
  // The rule of the verdict is shown with its own comment.
  assert.equal(ask.questions[0]?.decision.verdict.rule?.comment, "ours");
  assert.equal(ask.questions[0]?.comment, undefined);
  await gateOf(policyFromToml(text), { ask, mode: "auto", classifier: auto("soft_deny") })
    .decide(bash("make"));
  assert.match(ask.questions[1]?.reason ?? "", /^the model says so; /);
  await gateOf(policyWith("allow Write"), { ask }).decide(write(".git/config"));
  assert.match(ask.questions[2]?.reason ?? "", /\.git/);
  const plain = '[[permissions.rules]]\npattern = "Bash:make *"\naction = "ask"\n';
  await gateOf(policyFromToml(text + plain), { ask }).decide(bash("ls; make; git push"));
  assert.equal(ask.questions[3]?.comment, "ours");
});

test("what a person answers once", async () => {
  const policy = policyWith();
  const allowed = await gateOf(policy, { ask: person("allow-once") }).decide(bash("make; ls"));
  assert.equal(ended(allowed), "allow ask");
  assert.deepEqual(allowed.units.map(({ decision }) => decision), ["allow", "allow"]);
  const denied = await gateOf(policy, { ask: person("deny-once") }).decide(bash("make"));
  assert.deepEqual([ended(denied), denied.reason], [
    "deny ask",
    "a person denied it",
  ]);
  const told = person({ kind: "deny-once", comment: "use ninja" });
  assert.equal((await gateOf(policy, { ask: told }).decide(bash("make"))).reason, "use ninja");
});

test("an always allow holds from the next call on, with the pattern that was suggested", async () => {
  const ask = person("allow-always", "deny-once");
  const gate = gateOf(policyWith("ask Bash:git push *"), { ask });
  const first = await gate.decide(bash("git push origin main"));
  assert.equal(ended(first), "allow ask");
  // The rule of the answer is there when the rules are asked again.
  assert.equal(first.policyVersion, 2);
  assert.deepEqual(first.warnings, []);
  assert.deepEqual(gate.sessionRules, [{ pattern: "Bash(git push:*)", action: "allow" }]);
  const second = await gate.decide(bash("git push --tags"));
  assert.equal(ended(second), "allow rule");
  assert.equal(second.verdict.rule?.source.kind, "session");
  assert.equal(second.policyVersion, 2);
  assert.equal(ended(await gate.decide(bash("git pull"))), "deny ask");
});

test("an always allow answers questions only", async () => {
  const ask = person({ kind: "allow-always", pattern: "Bash(git:*)" });
  const gate = gateOf(policyWith("deny Bash:git push --force *"), { ask });
  await gate.decide(bash("git status"));
  assert.equal(ended(await gate.decide(bash("git push --force"))), "deny rule");
  assert.equal(ended(await gate.decide(bash("git push"))), "allow rule");
});

test("an always deny is a rule that tells the model why", async () => {
  const answer = { kind: "deny-always", pattern: "Bash(git push:*)", comment: "we review first" };
  const ask = person(odd<AskAnswer>(answer));
  const gate = gateOf(policyWith("allow Bash:git push --tags"), { ask });
  assert.equal((await gate.decide(bash("git push"))).reason, "we review first");
  const second = await gate.decide(bash("git push --tags"));
  assert.deepEqual([ended(second), second.reason], ["deny rule", "we review first"]);
  assert.deepEqual(gate.sessionRules, [
    { pattern: "Bash(git push:*)", action: "deny", reason: "we review first" },
  ]);
});

test("what was said last comes first, and what was said twice is there once", async () => {
  const patterns = ["Bash(make:*)", "Bash(ls:*)", "Bash(make:*)"];
  const answers = patterns.map((pattern) => ({ kind: "allow-always", pattern } as const));
  const ask = person(...answers);
  const gate = gateOf(policyWith("deny Bash:none"), { ask });
  for (const command of ["make", "ls", "pwd"]) await gate.decide(bash(command));
  assert.deepEqual(gate.sessionRules.map(({ pattern }) => pattern), ["Bash(make:*)", "Bash(ls:*)"]);
});

test("several patterns are several rules", async () => {
  const ask = person("allow-always");
  const gate = gateOf(policyWith(), { ask });
  await gate.decide(bash("npm test && git push"));
  assert.deepEqual(gate.sessionRules.map(({ pattern }) => pattern), [
    "Bash:npm test",
    "Bash(git push:*)",
  ]);
  assert.equal(ended(await gate.decide(bash("git push && npm test"))), "allow rule");
});

test("a pattern that cannot be used is told, and the call is answered all the same", async () => {
  const ask = person({ kind: "allow-always", patterns: ["Bash(", "Bash(make:*)"] });
  const gate = gateOf(policyWith(), { ask });
  const decision = await gate.decide(bash("make"));
  assert.equal(ended(decision), "allow ask");
  assert.match(decision.warnings.join(), /^Cannot keep the rule "Bash\(": missing "\)"/);
  assert.deepEqual(gate.sessionRules.map(({ pattern }) => pattern), ["Bash(make:*)"]);
});

test("a rule that does not answer the question is told", async () => {
  const ask = person({ kind: "allow-always", pattern: "Bash(ls:*)" });
  const decision = await gateOf(policyWith("ask Bash:make *"), { ask }).decide(bash("make"));
  assert.equal(ended(decision), "allow ask");
  assert.deepEqual(decision.warnings, [
    "`ask Bash:make *` (permissions.toml:1) still decides this call; the rule stays in the session",
  ]);
});

test("a managed rule still decides, and the person is told", async () => {
  const read = policyWith("ask Bash:git push *");
  const [rule, ...rest] = read.sources.rules;
  const managed = { ...rule!, source: { ...rule!.source, kind: "managed" as const } };
  const policy = read.with({ ...read.sources, rules: [managed, ...rest] });
  assert.ok(policy);
  const ask = person({ kind: "allow-always", pattern: "Bash(git push:*)" });
  const gate = gateOf(policy, { ask });
  const decision = await gate.decide(bash("git push"));
  assert.match(decision.warnings.join(), /^`ask Bash:git push \*` \(.*\) still decides this call/);
  assert.equal(ended(await gate.decide(bash("git push"))), "allow ask");
  assert.equal(ask.questions.length, 2);
});

test("where only managed rules count nothing can be kept", async () => {
  const read = policyWith();
  const settings = { ...read.settings, managedOnly: true };
  const policy = read.with({ ...read.sources, settings });
  assert.ok(policy);
  const ask = person("allow-always");
  const gate = gateOf(policy, { ask });
  const decision = await gate.decide(bash("make"));
  assert.deepEqual(ask.questions[0]?.scopes, []);
  assert.match(decision.warnings.join(), /^The answer is not kept/);
  assert.deepEqual(gate.sessionRules, []);
  const later = gateOf(read, { ask: person("allow-always", "deny-once") });
  await later.decide(bash("make"));
  later.setPolicy(openPolicyOf(policy));
  assert.equal(ended(await later.decide(bash("make"))), "deny ask");
});

test("a safety check is remembered for the session, for the very call", async () => {
  const ask = person("allow-always");
  const gate = gateOf(policyWith("deny Bash:rm -rf *"), { ask });
  await gate.decide(bash('rm "$@"'));
  const again = await gate.decide(bash('rm "$@"'));
  assert.equal(ended(again), "allow ask");
  assert.equal(again.reason, "a person allowed this exact call for the session");
  assert.equal(ask.questions.length, 1);
  assert.deepEqual(ask.questions[0]?.scopes, ["session"]);
  await gate.decide({ ...bash('rm "$@"'), cwd: "/workspace/web" });
  assert.equal(ask.questions.length, 2);
});

test("a protected file is remembered for the session, by the pattern that names it", async () => {
  const ask = person("allow-always");
  const gate = gateOf(policyWith("allow Write"), { ask });
  await gate.decide(write(".git/config"));
  assert.deepEqual(ask.questions[0]?.scopes, ["session"]);
  assert.equal(ask.questions[0]?.suggestion, "Write:./.git/config");
  const other = { tool: "Write", input: { path: ".git/config", content: "x" } };
  assert.equal((await gate.decide(other)).decision, "allow");
  assert.equal(ask.questions.length, 1);
  await gate.decide(write(".git/hooks/pre-commit"));
  assert.equal(ask.questions.length, 2);
});

test("a command that writes a protected file is remembered for the folder it was asked about", async () => {
  const ask = person("allow-always", "deny-once");
  const gate = gateOf(policyWith("allow Bash:echo *"), { ask, mode: modeOf("dontAsk") });
  const call = bash("echo x > .git/config");
  assert.equal(ended(await gate.decide(call)), "allow ask");
  assert.equal(ended(await gate.decide(call)), "allow ask");
  assert.deepEqual(gate.sessionRules, []);
  assert.equal(ended(await gate.decide({ ...call, cwd: "/other/repository" })), "deny ask");
  assert.equal(ask.questions.length, 2);
});

test("the order of an input's members makes no other call, their values do", async () => {
  const ask = person("allow-always");
  const gate = gateOf(policyWith("deny Odd:x"), { ask });
  const calls = [
    { a: 1, b: { c: [1] } },
    { b: { c: [1] }, a: 1 },
    { a: 1, b: [["c", [1]]] },
    { a: 1, b: [["object", ["c", [1]]]] },
    { a: "1", b: { c: [1] } },
  ];
  for (const input of calls) await gate.decide({ tool: "Odd", input });
  assert.equal(ask.questions.length, 4);
});

test("a remembered call is denied where a rule denies it since", async () => {
  const ask = person("allow-always");
  const gate = gateOf(policyWith("deny Bash:rm -rf *"), { ask });
  await gate.decide(bash('rm "$@"'));
  gate.setPolicy(openPolicyOf(policyWith("deny Bash:rm *")));
  assert.equal(ended(await gate.decide(bash('rm "$@"'))), "deny rule");
});

test("a hook's ask about a remembered call is asked", async () => {
  const ask = person("allow-always");
  let says: "proceed" | "ask" = "proceed";
  const run = hooks(() => ({ decision: says }));
  const gate = gateOf(policyWith("deny Bash:rm -rf *"), { ask, hooks: run });
  await gate.decide(bash('rm "$@"'));
  says = "ask";
  await gate.decide(bash('rm "$@"'));
  assert.equal(ask.questions.length, 2);
});

test("a remembered call is denied in plan mode, and asked about by no one who cannot be", async () => {
  const ask = person("allow-always");
  const mode = modeOf("default");
  const gate = gateOf(policyWith("deny Bash:rm -rf *"), { ask, mode });
  await gate.decide(bash('rm "$@"'));
  mode.set("plan");
  assert.equal(ended(await gate.decide(bash('rm "$@"'))), "deny mode");
});

test("a scope that was not offered is the session", async () => {
  const ask = person({ kind: "allow-always", scope: "project" });
  const gate = gateOf(policyWith(), { ask });
  const decision = await gate.decide(bash("make"));
  assert.deepEqual(decision.warnings, [
    'The answer cannot be kept in "project": it applies to this session only',
  ]);
  assert.equal(gate.sessionRules.length, 1);
});

test("an always without a pattern keeps nothing", async () => {
  const ask = person("allow-always");
  const gate = gateOf(policyWith(), { ask });
  const decision = await gate.decide(bash(`python ${"x".repeat(90)}`));
  assert.equal(ended(decision), "allow ask");
  assert.equal(ask.questions[0]?.suggestion, undefined);
  assert.deepEqual(decision.warnings, [
    "The answer's rules are not kept: it has no usable pattern",
  ]);
});

test("an answer whose kind changes while it is read is what was checked", async () => {
  let reads = 0;
  const answer = {
    get kind() {
      return reads++ === 0 ? "deny-once" as const : odd<"allow-once">("perhaps");
    },
  };
  const ask = { ask: () => Promise.resolve(answer) };
  assert.equal(ended(await gateOf(policyWith(), { ask }).decide(bash("make"))), "deny ask");
});

test("patterns that are no list are no answer", async () => {
  const ask = person(odd<AskAnswer>({ kind: "allow-always", patterns: "*" }));
  const gate = gateOf(policyWith(), { ask });
  assert.equal(ended(await gate.decide(bash("make"))), "deny safety");
  assert.deepEqual(gate.sessionRules, []);
});

test("a comment that is no text is not the reason of a deny", async () => {
  const ask = person(odd<AskAnswer>({ kind: "deny-once", comment: { toString: 1 } }));
  const { reason } = await gateOf(policyWith(), { ask }).decide(bash("make"));
  assert.equal(reason, "a person denied it");
});

/** Rules, a line, and the class that is offered with other commands, if one is. */
const OFFERS: readonly (readonly [rules: readonly string[], line: string, offer?: string])[] = [
  [["allow Read"], "cat a", "Bash(@read): cat README.md, ls -la, grep -n TODO README.md"],
  [
    ["allow Read"],
    "cat README.md; wc -l a",
    "Bash(@read): ls -la, grep -n TODO README.md, wc -l README.md",
  ],
  [["deny Read:README.md"], "ls -la", "Bash(@read): pwd"],
  [["allow Write"], "mkdir a", "Bash(@edit): mkdir -p build, touch notes.txt, cp a.txt b.txt"],
  [
    ["allow Bash(cp:*)", "allow Write"],
    "cp a b; mkdir a",
    "Bash(@edit): mkdir -p build, touch notes.txt, mv a.txt b.txt",
  ],
  // No class answers it, or not alone.
  [["allow Read", "allow Write"], "cat a; mkdir b"],
  [[], "mkdir a"],
  [[], "cat /root/.ssh/id"],
  [["allow Read"], "cat a; frob"],
  [["allow Read"], 'cat a; "$x"'],
  [["allow Read"], "cat a > b"],
  // Classes that are not offered.
  [["allow Write"], "rm a"],
  [["allow Write"], "kill 1"],
  [["allow Read"], "echo $TOKEN"],
  // Somebody wants to be asked about this very command.
  [["ask Bash(cat:*)", "allow Read"], "cat a"],
  [["ask Bash(@read)", "allow Read"], "cat a"],
  // Nothing else would be allowed.
  [["allow Read", "deny Bash"], "cat a"],
];

test("a class is offered where its rule alone answers all that asks, with other commands", async () => {
  for (const [rules, line, expected] of OFFERS) {
    const text = rules.map((rule) => {
      const [action, ...pattern] = rule.split(" ");
      return `[[permissions.rules]]\npattern = "${pattern.join(" ")}"\naction = "${action}"\n`;
    });
    const ask = person("deny-once");
    const policy = policyFromToml(text.join(""), { isSystemProgram: () => true });
    await gateOf(policy, { ask }).decide(bash(line));
    const offer = ask.questions[0]?.classRule;
    assert.equal(offer && `${offer.pattern}: ${offer.also.join(", ")}`, expected, line);
  }
});

test("a class that is accepted answers the next command of it for the session, and no deny", async () => {
  const ask = person(
    { kind: "allow-always", pattern: "Bash(@read)", scope: "session" },
    "deny-once",
  );
  const policy = policyFromToml(
    '[[permissions.rules]]\npattern = "Bash(ls:*)"\naction = "deny"\n',
    { isSystemProgram: () => true },
  );
  const gate = gateOf(policy, { ask });
  assert.equal(ended(await gate.decide(bash("cat a"))), "allow ask");
  assert.equal(ended(await gate.decide(bash("wc a"))), "allow rule");
  assert.equal(ended(await gate.decide(bash("ls"))), "deny rule");
  assert.equal(ended(await gate.decide(bash("rm a"))), "deny ask");
});
