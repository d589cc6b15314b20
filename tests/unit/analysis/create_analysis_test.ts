import assert from "node:assert/strict";
import { test } from "node:test";
import { createAnalysis } from "../../../lib/analysis/create_analysis.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import {
  policyFromToml,
  type PolicyTextOptions,
} from "../../../lib/policy/sources/policy_from_toml.ts";
import { policyOf, type PolicyOptions, type TestRule } from "../../support/policy.ts";

function answers(rules: readonly string[], options: PolicyOptions & { now?: number } = {}) {
  const written = rules.map((rule): TestRule => {
    const [action, pattern, ...more] = rule.split(" | ");
    return {
      action: action as TestRule["action"],
      pattern: pattern!,
      ...(more[0] === undefined ? {} : { expiresAt: Number(more[0]) }),
    };
  });
  const policy = policyOf(written, options);
  const analysis = createAnalysis(policy, options.now === undefined ? {} : { now: options.now });
  const patterns = (by: readonly { readonly index: number }[]) => by.map(({ index }) => index);
  return policy.rules.map((rule) => {
    const reachability = analysis.reachability(rule);
    const redundancy = analysis.redundancy(rule);
    return [
      reachability.kind === "shadowed"
        ? `${reachability.kind} ${patterns(reachability.by)} ${reachability.precision}`
        : reachability.kind,
      redundancy.kind === "redundant"
        ? `${redundancy.kind} ${patterns(redundancy.by)} ${redundancy.precision}`
        : redundancy.kind,
      patterns(analysis.equivalent(rule)).join(),
    ];
  });
}

test("a deny behind the allow that includes it is shadowed, and still needed in other spellings", () => {
  assert.deepEqual(answers(["allow | Bash:git *", "deny | Bash:git push *"]), [
    ["reached", "needed", ""],
    ["shadowed 0 plain commands", "needed", ""],
  ]);
});

test("a rule whose command may stand in operands is needed where it never decides", () => {
  const redundancies = (rules: readonly string[]) => answers(rules).map(([, need]) => need);
  assert.deepEqual(redundancies(["allow | Bash:zq *", "deny | Bash", "deny | Bash:rm *"]), [
    "needed",
    "needed",
    "needed",
  ]);
  // The first allow names an operand that the second does not.
  assert.deepEqual(
    redundancies(["deny | Bash:rm *", "allow | Bash:zq rm *", "allow | Bash:zq *"]),
    [
      "needed",
      "needed",
      "needed",
    ],
  );
  // Behind an allow of every command no operand is tried on it; a wider deny does the same; a program with a table runs none.
  assert.equal(redundancies(["allow | Bash", "deny | Bash:rm *"])[1], "redundant 0 every call");
  assert.equal(
    redundancies(["deny | Bash:rm *", "deny | Bash:rm -rf *"])[1],
    "redundant 0 plain commands",
  );
  assert.equal(
    redundancies(["allow | Bash:git *", "deny | Bash", "deny | Bash:push *"])[2],
    "redundant 1 plain commands",
  );
});

test("several rules together shadow one, and none of them is spare", () => {
  const together = answers(["deny | t:x=a*", "deny | t:x!=a*", "allow | t"]);
  assert.deepEqual(together[2], ["shadowed 0,1 every call", "redundant 0,1 every call", ""]);
});

test("the identical rule again is redundant for every call, and the same", () => {
  assert.deepEqual(answers(["deny | Bash:rm *", "deny | Bash(rm *)"]), [
    ["reached", "redundant 1 every call", "1"],
    ["shadowed 0 every call", "redundant 0 every call", "0"],
  ]);
});

test("globs that are written in two ways are the same", () => {
  assert.equal(answers(["allow | t:x=?*", "deny | t:x=*?"])[0]![2], "1");
  assert.equal(
    answers(["allow | WebFetch:https://a.b", "deny | WebFetch:https://a.b/*"])[0]![2],
    "1",
  );
  assert.equal(answers(["allow | Bash:a *", "deny | Bash:a*"])[0]![2], "");
});

test("a rule that contradicts itself is never reached", () => {
  assert.deepEqual(answers(["allow | t:x=a,x=b", "deny | t"])[0]![0], "never");
});

test("an expired rule is not asked about, and may go", () => {
  const options = { enforceExpiry: true, now: 10 };
  assert.deepEqual(answers(["allow | Bash:git * | 5", "allow | Bash:git status"], options), [
    ["unknown", "redundant  every call", ""],
    ["reached", "needed", ""],
  ]);
});

test("what rests on a rule that ends earlier is not told", () => {
  const options = { enforceExpiry: true, now: 1 };
  assert.deepEqual(answers(["allow | Bash:git status", "allow | Bash:git * | 5"], options)[0], [
    "reached",
    "unknown",
    "",
  ]);
});

test("a deny of one file tool is reached through another", () => {
  const [, second] = answers(["allow | Write", "deny | Write:/etc/**"]);
  assert.equal(second![0], "reached");
});

test("a rule that names a protected file is not said to be spare", () => {
  const [first] = answers(["allow | Write:.claude/settings.json", "allow | Write:**"]);
  assert.equal(first![1], "unknown");
});

test("a deny about files is needed even where it never decides, for operands that are not fixed", () => {
  const policy = policyOf([
    { action: "allow", pattern: "*" },
    { action: "deny", pattern: "Write:/etc/**" },
  ]);
  const analysis = createAnalysis(policy);
  const rule = policy.rules[1]!;
  const reachability = analysis.reachability(rule);
  assert.equal(reachability.kind === "shadowed" && reachability.precision, "plain paths");
  const redundancy = analysis.redundancy(rule);
  assert.ok(redundancy.kind === "needed");
  assert.equal(redundancy.witness.tool, "Bash");
  assert.equal(evaluate(policy, redundancy.witness).action, "ask");
  const without = policyOf([{ action: "allow", pattern: "*" }]);
  assert.equal(evaluate(without, redundancy.witness).action, "allow");
});

test("that holds for asks and for URLs too, and for rules on many tools", () => {
  for (const rule of ["ask | WebFetch:https://a/*", "ask | Read:/etc/**", "deny | *:/etc/**"]) {
    const [, answer] = answers(["allow | *", rule]);
    assert.equal(answer![1], "needed", rule);
    assert.doesNotMatch(answer![0]!, /every call/, rule);
  }
});

test("only the identical rule makes up for a deny about files in every call", () => {
  const by = (first: string, second: string) => answers([first, second])[1]!.slice(0, 2);
  assert.deepEqual(by("deny | Write:/etc/**", "deny | Write:/etc/a"), [
    "shadowed 0 plain paths",
    "redundant 0 plain paths",
  ]);
  assert.deepEqual(by("deny | Write", "deny | Write:/etc/**")[1], "needed");
  const same = ["shadowed 0 every call", "redundant 0 every call"];
  assert.deepEqual(by("deny | Write:/etc/**", "deny | Write:/etc/**"), same);
  assert.deepEqual(by("deny | Write:/etc/**", "ask | Write:/etc/**"), same);
});

test("what a built-in rule denies, the same rule of a person denies for operands too", () => {
  const policy = policyOf([
    { action: "deny", pattern: "Write:/etc/**", kind: "builtin" },
    { action: "deny", pattern: "Write:/etc/**" },
    { action: "allow", pattern: "*" },
  ]);
  assert.equal(createAnalysis(policy).redundancy(policy.rules[1]!).kind, "needed");
});

test("globs on paths that are written in two ways are the same", () => {
  const pairs = [
    ["/a?*", "/a*?"],
    ["/**/a", "/**/**/a"],
    ["/x/*?b", "/x/?**b"],
    ["./x/*", "x/*"],
  ];
  for (const [first, second] of pairs) {
    const [answer] = answers([`allow | Write:${first}`, `deny | Write:${second}`]);
    assert.equal(answer![2], "1", `${first} ${second}`);
  }
  assert.equal(answers(["allow | Write:/a/*", "deny | Write:/a/**"])[0]![2], "");
});

test("an identical rule that ends earlier does not stand for one that goes on", () => {
  const options = { enforceExpiry: true, now: 1 };
  const [, second] = answers(["deny | Bash:rm * | 5", "deny | Bash:rm *"], options);
  assert.equal(second![0], "unknown");
  assert.equal(second![1], "unknown");
  const [, wider] = answers(["deny | Bash:r* | 5", "deny | Bash:rm *"], options);
  assert.notEqual(wider![1]!.slice(0, 9), "redundant");
});

test("a small budget makes an answer unknown, never a guess", () => {
  const policy = policyOf([
    { action: "allow", pattern: "Bash:*a*b*c*d*" },
    { action: "deny", pattern: "Bash:*d*c*b*a*" },
  ]);
  const analysis = createAnalysis(policy, { budget: 3 });
  assert.deepEqual(policy.rules.map((rule) => analysis.reachability(rule).kind), [
    "reached",
    "reached",
  ]);
  assert.equal(analysis.redundancy(policy.rules[0]!).kind === "redundant", false);
});

test("a rule of another policy is refused", () => {
  const analysis = createAnalysis(policyOf([{ action: "allow", pattern: "Bash:a" }]));
  const other = policyOf([{ action: "deny", pattern: "Bash:a" }]).rules[0]!;
  assert.throws(() => analysis.reachability(other), RangeError);
});

/** Each rule's reach, where it is reached proven by a call. */
function reaches(toml: string, options: PolicyTextOptions = {}): readonly string[] {
  const policy = policyFromToml(toml, options);
  const analysis = createAnalysis(policy);
  return policy.rules.filter(({ source }) => source.kind !== "builtin").map((rule) => {
    const reachability = analysis.reachability(rule);
    if (reachability.kind === "reached") {
      const { units } = evaluate(policy, reachability.witness);
      assert.ok(units.some((unit) => unit.rule?.index === rule.index), rule.pattern);
    }
    return `${rule.pattern} ${reachability.kind}`;
  });
}

test("a searched folder that is compared as a text is reached beside rules on paths", () => {
  for (const action of ["allow", "deny", "ask"]) {
    for (const pattern of ["Grep:path=src/**", "Glob:path=src", "Grep:glob=*.ts,path=src/**"]) {
      const list = action === "deny"
        ? `deny = ["Read:**/.env", "${pattern}"]\n`
        : `deny = ["Read:**/.env"]\n${action} = ["${pattern}"]\n`;
      assert.deepEqual(reaches(`[permissions]\n${list}`), [
        "Read:**/.env reached",
        `${pattern} reached`,
      ]);
    }
  }
});

test("a text among paths is needed or unknown, never redundant", () => {
  const policy = policyFromToml('[permissions]\ndeny = ["Read:**/.env", "Grep:path=src/**"]\n');
  const analysis = createAnalysis(policy);
  assert.equal(analysis.redundancy(policy.rules[1]!).kind, "needed");
});

test("a first argument by its own name is one argument, not two", () => {
  const list = '[permissions]\ndeny = ["Read:**/.env"]\nallow = ["Grep:foo", "Grep:pattern=a"]\n';
  assert.deepEqual(reaches(`${list}[tools.Grep]\nfirst_arg = "pattern"\n`), [
    "Read:**/.env reached",
    "Grep:foo reached",
    "Grep:pattern=a reached",
  ]);
  const folder = '[permissions]\ndeny = ["Read:**/.env"]\nallow = ["Grep:foo", "Grep:path=src"]\n';
  assert.deepEqual(reaches(`${folder}[tools.Grep]\nfirst_arg = "path"\n`), [
    "Read:**/.env reached",
    "Grep:foo unknown",
    "Grep:path=src unknown",
  ]);
});

test("what is never looked at is not never reached", () => {
  assert.deepEqual(reaches('[permissions]\ndeny = ["mcp__x:foo"]\n'), ["mcp__x:foo unknown"]);
  assert.deepEqual(
    reaches('[permissions]\nallow = ["Read:C:/a~1/x"]\n', {
      platform: "windows",
      workspace: "C:/w",
    }),
    ["Read:C:/a~1/x unknown"],
  );
});
