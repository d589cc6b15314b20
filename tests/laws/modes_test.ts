import assert from "node:assert/strict";
import { test } from "node:test";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import { decide, decideInMode } from "../../lib/decide/decide.ts";
import { evaluateCall } from "../../lib/decide/evaluate.ts";
import { allPlaces, placeName } from "../../lib/decide/protected/protected_places.ts";
import { strictness, type ToolCall } from "../../lib/model/call.ts";
import { modeNamed, MODES } from "../../lib/decide/modes.ts";
import { isInside } from "../../lib/pattern/path/call_path.ts";
import { anyCall, anyOptions, anyRule } from "../support/arbitrary.ts";
import { policyOf, type TestRule } from "../support/policy.ts";

const anyRules = fc.array(anyRule, { maxLength: 10 });
const flags = fc.record({ headless: fc.boolean(), autoAllow: fc.boolean() });

/** A line of a few commands and redirections, of which some are read in more than one way. */
const lineCall: fc.Arbitrary<ToolCall> = fc.array(
  fc.constantFrom(
    "git push",
    "rm -rf secrets",
    "ls > src/a",
    "cat .env",
    "echo a >> /etc/b",
    "sudo git a",
    "cp src/a b",
    'rm "$x"',
    "$x a",
    "key 2> ../c",
    "curl https://x.org/",
    "cp a .git/b",
    "echo a > ~/.bashrc",
  ),
  { minLength: 1, maxLength: 4 },
).map((parts) => ({ tool: "Bash", input: { command: parts.join("; ") } }));

const scene = fc.record({
  rules: anyRules,
  call: fc.oneof(anyCall, lineCall),
  options: anyOptions,
  flags,
  mode: fc.constantFrom(...MODES),
});

test("no mode but bypass, and no flag, turns a deny into anything, or what cannot be known into allow", () => {
  fc.assert(
    fc.property(scene, ({ rules, call, options, flags, mode }) => {
      const policy = policyOf(rules, options);
      const evaluation = evaluateCall(policy, call);
      const { verdict } = evaluation;
      const { decision, units } = decide(policy, evaluation, { ...flags, mode });
      assert.deepEqual(
        units.slice(0, verdict.units.length).map(({ text, action }) => [text, action]),
        verdict.units.map(({ text, action }) => [text, action]),
      );
      if (mode.liftsDenials) return assert.equal(decision, "allow");
      if (verdict.action === "deny") assert.equal(decision, "deny");
      for (const unit of units) {
        if (unit.action === "deny") assert.equal(unit.decision, "deny");
        if (unit.by === "safety" || unit.check !== undefined) {
          assert.notEqual(unit.decision, "allow");
        }
        if (unit.action === "allow" && unit.check === undefined) {
          assert.equal(unit.decision, "allow");
        }
      }
    }),
    { numRuns: 1_000, seed: 1 },
  );
});

test("every allow names the rule, the mode or the flag that gave it", () => {
  fc.assert(
    fc.property(scene, ({ rules, call, options, flags, mode }) => {
      const policy = policyOf(rules, options);
      const { decision, decidedBy, units, reason } = decide(policy, evaluateCall(policy, call), {
        ...flags,
        mode,
      });
      if (decision !== "allow") return;
      assert.ok(units.some((unit) => unit.decidedBy === decidedBy && unit.reason === reason));
      for (const unit of units) {
        const given = unit.decidedBy === "mode" || unit.decidedBy === "bypass" ||
          unit.decidedBy === "auto-allow";
        assert.ok(given || unit.action === "allow", `${unit.text} by ${unit.decidedBy}`);
        assert.ok(given || unit.rule === null || unit.rule.action === "allow");
      }
    }),
    { numRuns: 1_500, seed: 2 },
  );
});

test("the modes are ordered: plan is never looser than default, that never than acceptEdits, that never than dontAsk", () => {
  const order = ["plan", "default", "acceptEdits", "dontAsk", "bypassPermissions"] as const;
  fc.assert(
    fc.property(scene, ({ rules, call, options }) => {
      const policy = policyOf(rules, options);
      const evaluation = evaluateCall(policy, call);
      const decided = order.map((name) =>
        strictness(decideInMode(policy, evaluation, modeNamed(name)!).decision)
      );
      assert.deepEqual(decided, decided.toSorted((a, b) => b - a));
      const auto = decideInMode(policy, evaluation, modeNamed("auto")!);
      assert.equal(strictness(auto.decision), decided[1]);
    }),
    { numRuns: 1_500, seed: 3 },
  );
});

test("acceptEdits allows only what edits a known file of the workspace, and no ask of a rule with a spec", () => {
  let allowed = 0;
  fc.assert(
    fc.property(scene, ({ rules, call, options }) => {
      const policy = policyOf(rules, options);
      const { units } = decideInMode(policy, evaluateCall(policy, call), modeNamed("acceptEdits")!);
      for (const unit of units.filter(({ decidedBy }) => decidedBy === "mode")) {
        allowed++;
        assert.equal(policy.profiles.get(unit.tool).class, "edit");
        assert.ok(isInside(policy.request(call).path(unit.text)), unit.text);
        assert.notEqual(unit.path, "open");
        if (unit.rule && unit.rule.source.kind !== "builtin") {
          assert.equal(policy.rules[unit.rule.index]?.parsed.specifier, undefined);
        }
      }
    }),
    { numRuns: 1_000, seed: 4 },
  );
  assert.ok(allowed > enough(40), `only ${allowed} were allowed`);
});

/** Calls that do something to a file, in words that a table or the shell knows. */
const TOUCHES: readonly ((path: string) => ToolCall)[] = [
  (path) => ({ tool: "Write", input: { path } }),
  (path) => ({ tool: "NotebookEdit", input: { notebook_path: path } }),
  ...[
    (path: string) => `cp a ${path}`,
    (path: string) => `mv ${path} b`,
    (path: string) => `rm -rf ${path}`,
    (path: string) => `git status && touch ${path}`,
    (path: string) => `echo a > ${path}`,
    (path: string) => `sudo tee ${path}`,
    (path: string) => `sh -c 'cd src; cd ..; rm ${path}'`,
    (path: string) => `if ls; then sort -o ${path} a; fi`,
    (path: string) => `rm -rf "${path}"*`,
    (path: string) => `for f in ${path} b; do chmod 777 $f; done`,
    (path: string) => `curl -o ${path} https://x.org/`,
  ].map((line) => (path: string): ToolCall => ({ tool: "Bash", input: { command: line(path) } })),
];

const places = allPlaces().filter(({ names }) => !/[ :]/.test(names.join("/")));

test("whatever rules allow, no call that touches a protected file is allowed without being asked about", () => {
  const bare: readonly TestRule[] = ["*", "Bash", "Write:**", "Write", "Edit:/**", "Bash(cp:*)"]
    .map((pattern) => ({ pattern, action: "allow", kind: "user" }));
  fc.assert(
    fc.property(
      fc.subarray([...bare], { minLength: 1 }),
      fc.constantFrom(...places),
      fc.constantFrom(...TOUCHES),
      fc.constantFrom("", "/x", "/a/b"),
      fc.constantFrom("", "./", "web/", "web/../"),
      fc.constantFrom(...MODES.filter((mode) => !mode.liftsDenials)),
      fc.constantFrom("parsed", "literal" as const),
      (rules, place, touch, below, before, mode, shell) => {
        const name = placeName(place);
        const call = touch(`${place.base === "any" ? before : ""}${name}${below}`);
        const policy = policyOf(rules, { shell });
        const { decision } = decide(policy, evaluateCall(policy, call), { mode, autoAllow: true });
        assert.notEqual(decision, "allow");
      },
    ),
    { numRuns: 1_500, seed: 5 },
  );
});
