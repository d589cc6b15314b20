import assert from "node:assert/strict";
import { test } from "node:test";
import { otherSpellings } from "../../lib/analysis/trial_calls.ts";
import { meaning } from "../../lib/analysis/outcome.ts";
import { RuleSpace } from "../../lib/analysis/rule_space.ts";
import { evaluate } from "../../lib/decide/evaluate.ts";
import type { ToolCall } from "../../lib/model/call.ts";
import type { CompiledRule } from "../../lib/policy/compile/compiled_policy.ts";
import { cases, enough } from "../support/cases.ts";
import { compiledOf, type TestRule } from "../support/policy.ts";
import { type Random, randomFrom } from "../support/random.ts";

const PROGRAMS = ["git", "git push", "rm", "rm -rf", "cat", "cd", "npm run a", "curl"];
const FILES = ["/etc/a", "a", "src/b/c.ts", "/etc/b/c", "~/x", '"$a"', "$(a)", "*", "/et?/a"];
const PATHS = ["/etc/**", "**/c.ts", "src/**", "/etc/b/c", "~/x", "*", "a", "src/*/c.ts"];

/** Rules on a part of a command, some of a text that few commands have. */
const PARTS = [
  ...["Bash:~git", "Bash:~etc", "Bash:~$", "Bash:~git push", "Bash:*push *", "Bash:* /etc/b*c"],
  ...[
    "Bash:*src/b*",
    "Bash:~rm -rf",
    "Bash:?*run a",
    "Bash:*curl*",
    "Bash:~c.ts > ",
    "Bash:~; git",
  ],
];

function pattern(random: Random): string {
  const kind = random.below(10);
  if (kind === 0) return random.pick(["Bash", "Write", "*", "Read", "WebFetch"]);
  if (kind < 4) {
    const program = random.pick(PROGRAMS);
    return random.pick([`Bash:${program} *`, `Bash(${program}:*)`, `Bash:${program}`]);
  }
  if (kind < 6) return random.pick(PARTS);
  if (kind === 6) return `WebFetch:${random.pick(["https://a.b/*", "domain:a.b", "*://c/*"])}`;
  return `${random.pick(["Write", "Read", "Edit", "Grep", "*"])}:${random.pick(PATHS)}`;
}

function rules(random: Random): readonly TestRule[] {
  const count = random.pick([4, 8, 40, 60]);
  return Array.from({ length: count }, (): TestRule => ({
    pattern: pattern(random),
    action: random.pick(["allow", "deny", "ask"]),
    ...(random.below(6) === 0 ? { kind: random.pick(["builtin", "user"]) } : {}),
    ...(random.below(6) === 0 ? { reason: random.text(["r"], 2) } : {}),
  }));
}

function calls(random: Random): readonly ToolCall[] {
  const line = () => `${random.pick(PROGRAMS)} ${random.pick(FILES)}`;
  const plain = { tool: "Bash", input: { command: line() } };
  return [
    plain,
    random.pick(otherSpellings(plain)),
    { tool: "Bash", input: { command: `${line()} > ${random.pick(FILES)}; ${line()}` } },
    { tool: random.pick(["Write", "Read", "Edit"]), input: { path: random.pick(FILES) } },
    { tool: "Grep", input: { pattern: "a", path: random.pick(FILES) } },
    { tool: "WebFetch", input: { url: random.pick(["https://a.b/x", "file:///etc/a", "//"]) } },
  ];
}

test("a policy seen without a rule says what the policy compiled without it says", () => {
  const random = randomFrom(17);
  let differing = 0;
  for (let times = 0; times < cases(60); times++) {
    const list = rules(random);
    const { policy } = compiledOf(list);
    if (!policy) continue;
    const space = new RuleSpace(policy);
    for (let tries = 0; tries < 6; tries++) {
      const rule: CompiledRule = random.pick(policy.rules);
      const { policy: less } = compiledOf(list.filter((_, at) => at !== rule.index));
      for (const call of calls(random)) {
        const shown: string = JSON.stringify({ list, rule: rule.index, call });
        const whole = meaning(evaluate(policy, call));
        const rest = meaning(evaluate(less!, call));
        assert.equal(meaning(space.evaluate(call)), whole, shown);
        assert.equal(meaning(space.evaluateWithout(rule, call)), rest, shown);
        differing += Number(whole !== rest);
      }
    }
  }
  assert.ok(differing > enough(20), `${differing}`);
});
