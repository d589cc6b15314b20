import assert from "node:assert/strict";
import { test } from "node:test";
import type { Analysis } from "../../../lib/analysis/analysis.ts";
import { createAnalysis } from "../../../lib/analysis/create_analysis.ts";
import { differences } from "../../../lib/analysis/differences.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { COMMAND_CLASSES } from "../../../lib/model/call.ts";
import { CLASS_PHRASES } from "../../../lib/model/class_phrases.ts";
import { filesOf } from "../../support/files_of.ts";
import { ownRepository } from "../../support/own_repository.ts";
import { policyOf as compiled, type TestRule } from "../../support/policy.ts";

const FILES: readonly TestRule[] = ["Read", "Write", "WebFetch"].map((pattern) => ({
  pattern,
  action: "allow",
}));

type Rules = readonly (readonly [TestRule["action"], string])[];

/** A policy of allows for files and URLs, and of these rules. */
function policyOf(...rules: Rules) {
  const own = rules.map(([action, pattern]): TestRule => ({ pattern, action }));
  return compiled([...FILES, ...own], {
    context: {
      workspace: ["/work"],
      home: ["/home/ada"],
      isSystemProgram: () => true,
      textOf: () => null,
      gitState: (folder) => ownRepository(folder),
      gitRepository: () => "here",
      ...filesOf(["a", "b", "src/c"]),
    },
  });
}

/** The answers about the rules behind those for files. */
function answers(...rules: Rules) {
  const policy = policyOf(...rules);
  const analysis: Analysis = createAnalysis(policy);
  return policy.rules.slice(FILES.length).map((rule) => ({
    rule,
    policy,
    reachability: analysis.reachability(rule),
    redundancy: analysis.redundancy(rule),
  }));
}

/** Classes that some command has alone. */
const ALLOWED_ALONE: ReadonlySet<string> = new Set(
  ["read", "edit", "repository", "project", "fetch", "delete", "process", "secret", "system"],
);

/** Classes whose tables come with a later commit. */
const LATER = /^(?:service-read|service|system)$/;

for (const name of COMMAND_CLASSES.filter((each) => !LATER.test(each))) {
  const action = ALLOWED_ALONE.has(name) ? "allow" : "deny";

  test(`@${name}: each example has the class`, () => {
    for (const command of CLASS_PHRASES[name].examples.slice(0, 1)) {
      const call = { tool: "Bash", input: { command } };
      const { units } = evaluate(policyOf(["deny", `Bash(@${name})`], ["allow", "Bash"]), call);
      const step = units[0]!.steps.find(({ rule }) => rule.pattern.startsWith("Bash(@"));
      assert.equal(step?.match, "yes", command);
    }
  });

  test(`@${name}: an answer about it and a difference have a call that replays`, () => {
    const [one] = answers([action, `Bash(@${name})`]);
    assert.ok(one?.reachability.kind === "reached", JSON.stringify(one?.reachability));
    assert.equal(evaluate(one.policy, one.reachability.witness).rule, one.rule);
    assert.ok(one.redundancy.kind === "needed", JSON.stringify(one.redundancy));
    const before = policyOf();
    const { groups, unknown } = differences(before, one.policy);
    assert.ok(groups.length > 0);
    for (const { witness, was, now } of groups) {
      assert.equal(evaluate(before, witness).action, was.action);
      assert.equal(evaluate(one.policy, witness).action, now.action);
    }
    assert.ok(unknown.some(({ text }) => text.includes(`@${name}`)));
  });
}

test("a rule behind one for the same class, or behind a rule for every command, is shadowed", () => {
  const [, second] = answers(["deny", "Bash(@delete)"], ["allow", "Bash(@delete)"]);
  assert.ok(second?.reachability.kind === "shadowed", JSON.stringify(second?.reachability));
  assert.deepEqual(second.reachability.by.map(({ pattern }) => pattern), ["Bash(@delete)"]);
  const [, third] = answers(["allow", "Bash"], ["allow", "Bash(@read)"]);
  assert.equal(third?.reachability.kind, "shadowed");
  assert.equal(third?.redundancy.kind, "redundant");
});

test("a rule for a class shadows no rule for a program whose other forms have another class", () => {
  const [, program] = answers(["allow", "Bash(@read)"], ["deny", "Bash:cat *"]);
  assert.equal(program?.reachability.kind, "reached");
  const [, delete_] = answers(["deny", "Bash(@read)"], ["deny", "Bash(@delete)"]);
  assert.equal(delete_?.reachability.kind, "reached");
});

test("rules for programs are compared as ever beside a rule for a class", () => {
  const [first, second] = answers(
    ["allow", "Bash:mytool *"],
    ["allow", "Bash:mytool x *"],
    ["deny", "Bash(@delete)"],
  );
  assert.equal(first?.reachability.kind, "reached");
  assert.equal(second?.reachability.kind, "shadowed", JSON.stringify(second?.reachability));
});

test("two rules for a class that change their order differ", () => {
  const allow = ["allow", "Bash(@edit)"] as const;
  const deny = ["deny", "Bash(@edit)"] as const;
  const { groups } = differences(policyOf(deny, allow), policyOf(allow, deny));
  assert.deepEqual([groups[0]?.was.action, groups[0]?.now.action], ["deny", "allow"]);
});

test("a change of the rules for files is said to matter where a rule names a class", () => {
  const rules = [["allow", "Bash(@read)"], ["ask", "Bash"]] as const;
  const { unknown } = differences(policyOf(["ask", "Read:/x"], ...rules), policyOf(...rules));
  assert.ok(unknown.length > 0);
});
