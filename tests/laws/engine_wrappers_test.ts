import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../support/seeded.ts";
import { enough, slowRuns } from "../support/cases.ts";
import { evaluate } from "../../lib/decide/evaluate.ts";
import { mayLift } from "../../lib/gate/keep_in_file.ts";
import type { ToolCall } from "../../lib/model/call.ts";
import type { CommandLine } from "../../lib/shell/effect.ts";
import { shellRule } from "../support/arbitrary.ts";
import { policyOf, type TestRule } from "../support/policy.ts";
import { anyLine, plainCommand } from "../support/shell_lines.ts";

/** Bun ends a test after five seconds, which may be too few on a machine that is busy. */
const LONG = { timeout: 120_000 };

const bash = (command: string): ToolCall => ({ tool: "Bash", input: { command } });

const wrapper = fc.constantFrom("rtk", "mask run", "rtk proxy");

/** A command behind a wrapper of the policy, behind one that everybody knows, behind both or behind none. */
const wrapped = fc.record({
  wrapper,
  line: fc.oneof(anyLine, plainCommand),
  order: fc.constantFrom("own", "sudo", "both", "none"),
}).map(({ wrapper, line, order }) => {
  const prefix = { own: wrapper, sudo: "sudo", both: `sudo ${wrapper}`, none: "" }[order];
  return { wrappers: [wrapper], line: `${prefix} ${line}`.trimStart() };
});

/** A rule on commands with a specifier, of a source whose allows count at once. */
const commandRule = shellRule
  .filter(({ pattern }) => /^Bash[:(](?!command)/.test(pattern))
  .map(({ pattern, action }): TestRule => ({ pattern, action, kind: "project" }));

test("a wrapper of the policy is one for the verdict and for each rule: rtk ls is allowed by Bash(ls:*)", () => {
  const policy = policyOf([{ pattern: "Bash(ls:*)", action: "allow" }], { wrappers: ["rtk"] });
  const [toolRule] = policy.toolRules("Bash");
  assert.equal(evaluate(policy, bash("rtk ls")).action, "allow");
  assert.equal(toolRule!.matches(policy.request(bash("rtk ls"))), "yes");
});

/** True if a line has a harmless command that runs no other: the evaluator says whether that needs a rule beside others. */
function hasHarmless({ effects }: CommandLine): boolean {
  return effects.some(({ isHarmless, depth }, at) => {
    const runsNext = (effects[at + 1]?.depth ?? 0) > depth;
    return isHarmless !== false && !runsNext;
  });
}

test(
  "a rule alone matches a call as its verdict says, whatever the wrappers and the line",
  LONG,
  () => {
    const counts = { yes: 0, no: 0, indeterminate: 0, byWrapper: 0 };
    fc.assert(
      fc.property(commandRule, wrapped, (rule, { wrappers, line }) => {
        const policy = policyOf([rule], { wrappers });
        const call = bash(line);
        const request = policy.request(call);
        const match = policy.toolRules("Bash")[0]!.matches(request);
        const { action, by, rule: decider } = evaluate(policy, call);
        counts[match]++;
        if (rule.action === "allow" && (match === "yes" || !hasHarmless(request.line!))) {
          assert.equal(action === "allow", match === "yes");
        }
        if (rule.action === "deny") assert.equal(action === "deny", match === "yes");
        if (rule.action === "ask") assert.notEqual(action, match === "yes" ? "allow" : "deny");
        if (rule.action === "deny" && match === "indeterminate") {
          assert.deepEqual([action, by, decider?.pattern], ["ask", "safety", rule.pattern]);
        }
        const bare = policyOf([rule]);
        if (bare.toolRules("Bash")[0]!.matches(bare.request(call)) !== match) counts.byWrapper++;
      }),
      { numRuns: 4_000, seed: 1 },
    );
    assert.ok(counts.yes > enough(100) && counts.no > enough(100), JSON.stringify(counts));
    assert.ok(counts.byWrapper > enough(30), JSON.stringify(counts));
  },
);

/** The deny that an allow new in the project's file lifts, as `mayLift` sees it. */
function lifted(pattern: string, { deny, wrappers }: { deny: string; wrappers: string[] }) {
  const denies = { pattern: deny, action: "deny", kind: "user" } as const;
  const before = policyOf([denies], { wrappers });
  const after = policyOf([{ pattern, action: "allow", kind: "project" }, denies], { wrappers });
  return { before, after, rule: mayLift(before, { after, pattern, path: "project.toml" }) };
}

test(
  "no always allow lifts a deny behind a wrapper of the policy, as none does behind sudo",
  LONG,
  () => {
    for (const name of ["sudo", "rtk"]) {
      for (const pattern of [`Bash:${name} rm x`, `Bash:${name} rm *`, `Bash(${name} rm:*)`]) {
        const { rule } = lifted(pattern, { deny: "Bash(rm:*)", wrappers: ["rtk"] });
        assert.equal(rule?.pattern, "Bash(rm:*)", pattern);
      }
    }
    let beaten = 0;
    fc.assert(
      fc.property(plainCommand, plainCommand, wrapper, (text, denied, name) => {
        for (const pattern of [`Bash:${name} ${text}`, `Bash:${name} ${text} *`]) {
          const deny = `Bash:${denied.split(" ")[0]} *`;
          const { before, after, rule } = lifted(pattern, { deny, wrappers: [name] });
          const call = bash(`${name} ${text}`);
          const isBeaten = evaluate(before, call).action === "deny" &&
            evaluate(after, call).action === "allow";
          if (isBeaten) beaten++;
          assert.ok(!isBeaten || rule?.pattern === deny, `${pattern} over ${deny}`);
        }
      }),
      { numRuns: slowRuns(2_000), seed: 3 },
    );
    assert.ok(beaten > enough(6), `${beaten}`);
  },
);
