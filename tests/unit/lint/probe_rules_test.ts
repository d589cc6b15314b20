import assert from "node:assert/strict";
import { test } from "node:test";
import { RUN_PROBES } from "../../../lib/lint/checks/allows/allows_exec.ts";
import { mayAllow } from "../../../lib/lint/probe_rules.ts";
import type { LintContext } from "../../../lib/lint/check.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { policyOf } from "../../support/policy.ts";

const LINES = [...RUN_PROBES, "tee .claude/settings.json", "cp x ~/.codex/config.toml"];

function contextOf(patterns: readonly string[], shell: "parsed" | "literal" = "parsed") {
  const policy = policyOf(patterns.map((pattern) => ({ action: "allow", pattern })), { shell });
  const rules = policy.rules.map((rule) => ({ rule }));
  return { policy, rules } as unknown as LintContext;
}

test("every run of letters of a text that an allow rule matches is in the probe", () => {
  const { policy } = contextOf([]);
  for (const line of LINES) {
    const effects = policy.request({ tool: "Bash", input: { command: line } }).line!.effects;
    for (const { text, interpreter = "" } of effects.flatMap(({ allowTexts }) => allowTexts)) {
      for (const run of `${text} ${interpreter}`.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
        assert.ok(line.toLowerCase().includes(run), `${run} of ${text} in ${line}`);
      }
    }
  }
});

/** Patterns made of the beginnings, words and pieces of a probe, and of the commands that it runs. */
function patternsFor(line: string): readonly string[] {
  const { policy } = contextOf([]);
  const effects = policy.request({ tool: "Bash", input: { command: line } }).line!.effects;
  const texts = [line, ...effects.flatMap(({ allowTexts }) => allowTexts.map(({ text }) => text))]
    .filter((text) => /^[\w ./:@=-]+$/.test(text));
  return texts.flatMap((text) => {
    const words = text.split(" ");
    const heads = words.map((_, at) => words.slice(0, at + 1).join(" "));
    return heads.flatMap((
      head,
    ) => [`(${head}:*)`, `:${head}`, `:${head} *`, `:${head.slice(0, 3)}*`])
      .concat(words.flatMap((word) => [`:*${word}*`, `:~${word}`, `:?${word.slice(1)}*`]));
  });
}

test("a probe that a rule allows is tried", () => {
  for (const [at, line] of LINES.entries()) {
    const patterns = [...new Set(patternsFor(line))];
    // Each line as one of the tools, and some as one text.
    const tool = at % 9 === 0 ? "Monitor" : "Bash";
    const shell = at % 7 === 0 ? "literal" : "parsed";
    for (const pattern of patterns) {
      const context = contextOf([tool + pattern], shell);
      const { action } = evaluate(context.policy, { tool, input: { command: line } });
      const isTried = mayAllow(context, context.policy.profiles.get(tool))(line);
      assert.ok(isTried || action !== "allow", `${tool}${pattern}: ${line}`);
    }
  }
});

test("a probe that shares no word with a rule is not tried", () => {
  const context = contextOf(["Bash(npm run build:*)", "Bash:~--cov", "Write:src/**"]);
  const tried = (tool: string) =>
    LINES.filter(mayAllow(context, context.policy.profiles.get(tool)));
  assert.deepEqual(tried("Bash"), []);
  assert.deepEqual(tried("PowerShell"), []);
  const bare = contextOf(["Bash(@read)"]);
  assert.equal(LINES.filter(mayAllow(bare, bare.policy.profiles.get("Bash"))).length, LINES.length);
});
