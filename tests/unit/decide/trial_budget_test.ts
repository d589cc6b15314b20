import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import type { JsonObject } from "../../../lib/model/call.ts";
import { policyOf, type TestRule } from "../../support/policy.ts";

const ALLOW: TestRule = { pattern: "Bash(cat:*)", action: "allow", kind: "user" };

function denies(count: number, form: (at: number) => string): readonly TestRule[] {
  return Array.from(
    { length: count },
    (_, at): TestRule => ({ pattern: form(at), action: "deny", kind: "project" }),
  );
}

function words(count: number, form: (at: number) => string, separator = " "): string {
  return Array.from({ length: count }, (_, at) => form(at)).join(separator);
}

function bash(command: string) {
  return { tool: "Bash", input: { command } };
}

function cat(count: number) {
  return bash(`cat ${words(count, (at) => `d${at % 7}/f${at}`)}`);
}

const READ = (at: number) => `Read(**/n${at}*/**)`;

/** Rules that are few and long: a long command costs more than it takes. */
const MANY = denies(60, (at) => `Bash(*${"a?".repeat(100)}n${at}*|*x)`);

/** The bound is reached within the last but one. */
const COMMANDS = bash(
  `${words(29, (at) => `cat f${at}`, "; ")}; cat ${"x".repeat(28_000)}; cat f29`,
);

test("a large policy of a workspace decides about many files", () => {
  const late: TestRule = { pattern: "Read(**/f299)", action: "deny", kind: "project" };
  const rules = denies(1_000, READ);
  assert.equal(evaluate(policyOf([...rules, ALLOW]), cat(300)).action, "allow");
  assert.equal(evaluate(policyOf([...rules, late, ALLOW]), cat(300)).action, "deny");
});

test("more trials of rules on files than the bound are a safety check", () => {
  const { action, by, reason, units } = evaluate(
    policyOf([...denies(9_999, READ), ALLOW]),
    cat(90),
  );
  assert.deepEqual([action, by], ["ask", "safety"]);
  assert.match(reason, /^the workspace has too many rules for the commands and files of the call/);
  const steps = units.reduce((sum, unit) => sum + unit.steps.length, 0);
  assert.ok(steps <= 840_000, `${steps}`);
});

test("the verdict at the bound is the same each time, and with a full trace", () => {
  const policy = policyOf([...MANY, ALLOW]);
  const { action, by, reason } = evaluate(policy, COMMANDS);
  assert.deepEqual([action, by], ["ask", "safety"]);
  assert.match(reason, /^the workspace has too many rules/);
  for (const options of [{}, { trace: "full" as const }]) {
    const again = evaluate(policy, COMMANDS, options);
    assert.deepEqual([again.action, again.by, again.reason], [action, by, reason]);
  }
});

test("a full trace has the verdict behind the bound, where few rules stand for many that have keys", () => {
  const keyed = denies(40, (at) => `Bash(tool *x${at}*)`);
  const policy = policyOf([...keyed, ...denies(600, longPath), ALLOW]);
  const call = bash(`cat ${words(9, (at) => `${LONG_PATH}${at}`)}; cat`);
  const verdicts = [undefined, "full" as const].map((trace) => {
    const { units } = evaluate(policy, call, trace ? { trace } : {});
    return [units.at(-2)?.by, units.at(-1)?.action];
  });
  assert.deepEqual(verdicts, [["safety", "allow"], ["safety", "allow"]]);
});

test("a deny that was found stays, and each rule of the user is tried behind the bound", () => {
  const first: TestRule = { pattern: "Bash(cat f1)", action: "deny", kind: "project" };
  assert.equal(evaluate(policyOf([first, ...MANY, ALLOW]), COMMANDS).action, "deny");
  const own: TestRule = { pattern: "Bash(cat f29)", action: "deny", kind: "user" };
  const { action, rule } = evaluate(policyOf([...MANY, own, ALLOW]), COMMANDS);
  assert.deepEqual([action, rule?.pattern], ["deny", own.pattern]);
});

/** Rules of the user, of which there are enough to be looked up by their keys. */
const OWN: readonly TestRule[] = Array.from(
  { length: 30 },
  (_, at): TestRule => ({ pattern: `Bash(own${at}:*)`, action: "allow", kind: "user" }),
);

/** The units of a line whose first command costs what is left of the bound, and a little more or less. */
function behindBound(rest: string, rules: readonly TestRule[]) {
  const policy = policyOf([...rules, ...MANY, ...OWN, ALLOW]);
  return Array.from({ length: 9 }, (_, at) => {
    const { action, units } = evaluate(
      policy,
      bash(`cat ${"x".repeat(25_000 + at * 250)}; ${rest}`),
    );
    return { action, last: units.at(-1)! };
  });
}

test("a rule behind the bound is stood for by one that the call may concern too", () => {
  const rules = ["Bash(zzz:*)", "Bash(rm:*)"]
    .map((pattern): TestRule => ({ pattern, action: "deny", kind: "project" }));
  const allow: TestRule = { pattern: "Bash(rm:*)", action: "allow", kind: "user" };
  const found = behindBound("rm -rf y", [...rules, allow]);
  assert.deepEqual(new Set(found.map(({ last }) => last.action)), new Set(["deny", "ask"]));
  assert.ok(found.every(({ action }) => action !== "allow"));
});

test("a command among the operands is looked for by all rules behind the bound", () => {
  const rules = ["Bash(zzz:*)", "Bash(rm:*)"]
    .map((pattern): TestRule => ({ pattern, action: "deny", kind: "project" }));
  const allow: TestRule = { pattern: "Bash(unheardof:*)", action: "allow", kind: "user" };
  const found = behindBound("unheardof rm -rf y", [...rules, allow]);
  assert.deepEqual(
    new Set(found.map(({ last }) => `${last.action} ${last.by}`)),
    new Set(["ask safety"]),
  );
});

test("code names what any rule behind the bound is about", () => {
  const rules = ["Bash(zzz:*)", "Bash(terraform:*)"]
    .map((pattern): TestRule => ({ pattern, action: "deny", kind: "project" }));
  const found = behindBound(`python3 -c 'run("terraform destroy")'`, rules);
  assert.deepEqual(new Set(found.map(({ last }) => last.isOrdinaryCode)), new Set([undefined]));
});

test("a rule about a class that is not tried is no ordinary question, for it stands for all", () => {
  const ofClass: TestRule = { pattern: "Bash(@secret)", action: "deny", kind: "project" };
  const command = COMMANDS.input.command.replaceAll("cat", "unheardof");
  const allow: TestRule = { pattern: "Bash(unheardof:*)", action: "allow", kind: "user" };
  const { units } = evaluate(policyOf([ofClass, ...MANY, allow]), bash(command));
  assert.deepEqual([units[0]?.by, units.at(-1)?.by], ["rule", "safety"]);
});

test("the bound hides no rule from an argument that may name a file, whatever its key", () => {
  const last: TestRule = { pattern: "Read(secret/**)", action: "deny", kind: "project" };
  const allow: TestRule = { pattern: "mcp__x__y", action: "allow", kind: "user" };
  const policy = policyOf([...denies(300, longPath), last, allow]);
  const call = (paths: readonly string[]) => ({ tool: "mcp__x__y", input: { inputpath: paths } });
  const cheap = evaluate(policy, call(["a/b", "secret/key"]));
  assert.deepEqual([cheap.action, cheap.rule?.pattern], ["deny", last.pattern]);
  const { action, by } = evaluate(policy, call([LONG_PATH, LONG_PATH, "secret/key"]));
  assert.deepEqual([action, by], ["ask", "safety"]);
});

function longPath(at: number): string {
  return `Read(**/${words(300, (each) => "abcdefgh"[each % 8]!, "*")}n${at}/**)`;
}

const LONG_PATH = "abcdefgh/".repeat(400);

test("a command that may show a secret stays a question behind the bound where rules name classes", () => {
  const ofClass: TestRule = { pattern: "Bash(@read)", action: "allow", kind: "project" };
  const call = bash(`cat ${words(9, (at) => `${LONG_PATH}${at}`)}; echo "$TOKEN"`);
  const { units } = evaluate(policyOf([ofClass, ...denies(600, longPath), ALLOW]), call);
  assert.deepEqual([units.at(-2)?.by, units.at(-1)?.action], ["safety", "ask"]);
});

/** Calls that cost much beside some rules of a workspace, each in its own way. */
const COSTLY: readonly (readonly [
  name: string,
  form: (at: number) => string,
  count: number,
  call: { readonly tool: string; readonly input: JsonObject },
])[] = [
  ["globs", READ, 1_000, bash(`cat ${words(40, (at) => `d/f${at}*.ts`)}`)],
  ["long paths", longPath, 600, bash(`cat ${words(20, (at) => `${LONG_PATH}${at}`)}`)],
  ["redirections", READ, 9_999, bash(words(300, (at) => `cat f > g${at}`, "; "))],
  ["fields", (at) => `Read(path=**/n${at}*,limit=*)`, 5_000, bash(`cat ${words(300, String)}`)],
  ["operands", (at) => `Bash(w${at}*x)`, 9_999, bash(`xyz ${words(60, (at) => `w${at}`)}`)],
];

for (const [name, form, count, call] of COSTLY) {
  test(`the bound ends a costly call: ${name}`, () => {
    const allows = ["Bash(cat:*)", "Bash(xyz:*)", "Read", "Write"]
      .map((pattern): TestRule => ({ pattern, action: "allow", kind: "user" }));
    const policy = policyOf([...denies(count, form), ...allows]);
    const began = process.cpuUsage();
    const { action, by, reason } = evaluate(policy, call);
    const { user } = process.cpuUsage(began);
    assert.deepEqual([action, by], ["ask", "safety"], reason);
    assert.match(reason, /the workspace has too many rules/);
    assert.ok(user < 8_000_000, `${user} µs`);
  });
}

test("rules of the user have no bound", () => {
  const rules = MANY.map((rule): TestRule => ({ ...rule, kind: "user" }));
  assert.equal(evaluate(policyOf([...rules, ALLOW]), COMMANDS).action, "allow");
});
