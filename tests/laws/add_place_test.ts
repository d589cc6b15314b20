import assert from "node:assert/strict";
import { test } from "node:test";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import { mayOverlap } from "../../lib/policy/edit/may_overlap.ts";
import { beatenDenies, placeFor } from "../../lib/policy/edit/place_among.ts";
import { evaluate } from "../../lib/decide/evaluate.ts";
import { firstMatch } from "../../lib/decide/first_match.ts";
import { type Action, ACTIONS, strictness, type ToolCall } from "../../lib/model/call.ts";
import { checkPattern } from "../../lib/policy/compile/compile_policy.ts";
import type { CompiledPolicy } from "../../lib/policy/compile/compiled_policy.ts";
import type { Request } from "../../lib/policy/compile/request.ts";
import { toolProfiles } from "../../lib/policy/compile/profiles.ts";
import { anyCall, anyOptions, anyRule } from "../support/arbitrary.ts";
import { policyOf, type PolicyOptions, type TestRule } from "../support/policy.ts";

/** Bun ends a test after five seconds, which may be too few on a machine that is busy. */
const LONG = { timeout: 120_000 };

const { array, constantFrom, oneof, record, tuple } = fc;
const PROFILES = toolProfiles(new Map());

/** Short texts of few pieces, so that rules and calls often meet. */
function textOf(pieces: readonly string[], joint: string): fc.Arbitrary<string> {
  return array(constantFrom(...pieces), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(joint));
}

const spec = textOf(["rm", "a", " ", "  ", "*", "?", " *", "RM", ";", "\\a"], "");
const bashPattern = oneof(
  { weight: 6, arbitrary: spec.map((text) => `Bash:${text}`) },
  spec.map((text) => `Bash(${text}:*)`),
  spec.map((text) => `Bash:~${text}`),
  constantFrom(
    "Bash",
    "*",
    "Bash:command=rm *",
    "Bash:timeout=5",
    "Bash:A=1 *",
    "Bash:time *",
    "Bash:/bin/rm *",
  ),
);
const bashCall = oneof(
  record({
    tool: constantFrom("Bash"),
    input: record({ command: textOf(["rm", "a", " ", "  ", "RM", ";", '"', "x"], "") }),
  }),
  record({
    tool: constantFrom("Bash"),
    input: record({
      command: textOf(
        ["rm a", "sudo ", "time ", "A=1 ", "bash -c ", "'rm'", "$x", " > a", "|", "\\a", "/"],
        "",
      ),
    }),
  }),
);

const filePattern = tuple(
  constantFrom("Read", "Grep", "Write", "Edit", "*Edit", "*e*", "*"),
  oneof(constantFrom(""), textOf(["a", "b", "*", "**"], "/").map((text) => `:${text}`)),
).map((parts) => parts.join(""));
const fileCall = record({
  tool: constantFrom("Read", "Grep", "Glob", "Write", "Edit", "NotebookEdit"),
  input: record({ path: textOf(["a", "b"], "/") }),
});

const host = textOf(["a", "b", "x.a", ".b"], "");
const urlPattern = oneof(
  host.map((text) => `WebFetch:domain:${text}`),
  host.map((text) => `WebFetch:https://${text}/*`),
  constantFrom("WebFetch", "Web*"),
);
const urlCall = host.map((text) => ({ tool: "WebFetch", input: { url: `https://${text}/c` } }));

/** A few rules, one that is added to them, and calls about the same things. */
interface Case {
  readonly rules: readonly TestRule[];
  readonly rule: TestRule;
  readonly calls: readonly ToolCall[];
}

function casesOf(pattern: fc.Arbitrary<string>, call: fc.Arbitrary<ToolCall>): fc.Arbitrary<Case> {
  const rule = record({ pattern, action: constantFrom<Action>(...ACTIONS) })
    // Some patterns cannot stand in every rule, and the laws give a rule another action.
    .filter(({ pattern }) =>
      ACTIONS.every((action) => !checkPattern(pattern, { action, profiles: PROFILES }).error)
    );
  return record({
    rules: array(rule, { minLength: 1, maxLength: 4 }),
    rule,
    calls: array(call, { minLength: 12, maxLength: 12, size: "max" }),
  }).map(({ rules, rule, calls }) => ({
    rules,
    rule,
    calls: [...calls, ...[...rules, rule].flatMap(({ pattern }) => linesOf(pattern))],
  }));
}

/** Command lines made of the text of a pattern, its wildcards filled. */
function linesOf(pattern: string): readonly ToolCall[] {
  const text = /^Bash[:(]~?(.+?)(?::\*\))?$/.exec(pattern)?.[1]?.replaceAll("\\", "");
  if (text === undefined) return [];
  const lines = ["", " ", "x", " a"].map((filler) => text.replace(/[*?]/g, filler));
  const line = lines[2]!;
  return [
    ...lines.flatMap((each) => [each, `${each} a`]),
    ...[`x; ${line}`, `sudo ${line}`, `A=1 /bin/${line} a`, `x $(${line})`],
    ...[`bash -c '${line}'`, `\\${line}`, `${line} $x`, `${line} > a`],
  ].map((command) => ({ tool: "Bash", input: { command } }));
}

const anyCase: fc.Arbitrary<Case> = oneof(
  { weight: 4, arbitrary: casesOf(bashPattern, bashCall) },
  { weight: 2, arbitrary: casesOf(filePattern, fileCall) },
  casesOf(urlPattern, urlCall),
  casesOf(anyRule.map(({ pattern }) => pattern), anyCall),
);

/** The policies of a file without the rule and with it where `add` puts it, and where that is. */
function added(
  { rules, rule }: Pick<Case, "rules" | "rule">,
  options: PolicyOptions,
): { before: CompiledPolicy; after: CompiledPolicy; place: number } {
  const before = policyOf(rules, options);
  const place = placeFor(rule, { rules, profiles: before.profiles }) ?? rules.length;
  return { before, after: policyOf(rules.toSpliced(place, 0, rule), options), place };
}

/** True if the rule matches the call, or one unit of its line. */
function fits(policy: CompiledPolicy, request: Request): boolean {
  return policy.toolRules(request.call.tool)[0]?.matches(request) === "yes";
}

/** The parts with a walk of their own: the call, or each command of its line and each unknown that is no file. */
function walkedOf(policy: CompiledPolicy, call: ToolCall): readonly Request[] {
  const request = policy.request(call);
  const line = request.line;
  if (!line) return [request];
  return line.effects.filter(({ kind, unknownFileAccess }) =>
    kind === "command" || kind === "opaque" && unknownFileAccess === undefined
  ).map((effect) => request.of({ effect, line }));
}

/** True if another of these units runs it. A deny reads the whole line in each command that its own one runs. */
function isWithin({ part }: Request, others: readonly Request[]): boolean {
  return others.some((other) => (other.part?.effect.depth ?? 0) < (part?.effect.depth ?? 0));
}

test("a deny or ask that is added never gives a looser verdict", LONG, () => {
  let placed = 0;
  fc.assert(
    fc.property(anyCase, anyOptions, ({ rules, rule, calls }, options) => {
      if (rule.action === "allow") return;
      const { before, after, place } = added({ rules, rule }, options);
      if (place < rules.length) placed++;
      for (const call of calls) {
        const [old, now] = [evaluate(before, call).action, evaluate(after, call).action];
        assert.ok(strictness(now) >= strictness(old), `${call.tool}: ${old}, then ${now}`);
      }
    }),
    { numRuns: 1_500, seed: 1 },
  );
  assert.ok(placed > enough(400), `only ${placed} were placed above another rule`);
});

test("a deny that is added decides every call that it fits, unless another deny did", LONG, () => {
  let decided = 0;
  fc.assert(
    fc.property(anyCase, anyOptions, ({ rules, rule: other, calls }, options) => {
      const rule: TestRule = { ...other, action: "deny" };
      const { before, after, place } = added({ rules, rule }, options);
      const alone = policyOf([rule], options);
      for (const call of calls) {
        if (!fits(alone, alone.request(call))) continue;
        decided++;
        assert.equal(evaluate(after, call).action, "deny");
        const fitting = walkedOf(after, call).filter((request) => fits(alone, request));
        for (const request of fitting) {
          if (isWithin(request, fitting)) continue;
          if (firstMatch(before, request).action === "deny") continue;
          assert.equal(firstMatch(after, request).rule?.index, place);
        }
      }
    }),
    { numRuns: 1_500, seed: 2 },
  );
  assert.ok(decided > enough(2_000), `only ${decided} calls were decided`);
});

test("what an ask fits is no longer allowed, unless it had to stay below a deny", LONG, () => {
  let decided = 0;
  fc.assert(
    fc.property(anyCase, anyOptions, ({ rules, rule: other, calls }, options) => {
      const rule: TestRule = { ...other, action: "ask" };
      const { before, after } = added({ rules, rule }, options);
      if (beatenDenies(rule, { rules, profiles: before.profiles }).length > 0) return;
      const alone = policyOf([rule], options);
      for (const call of calls) {
        if (!fits(alone, alone.request(call))) continue;
        decided++;
        assert.notEqual(evaluate(after, call).action, "allow");
        for (const request of walkedOf(after, call)) {
          if (fits(alone, request)) assert.notEqual(firstMatch(after, request).action, "allow");
        }
      }
    }),
    { numRuns: 2_000, seed: 3 },
  );
  assert.ok(decided > enough(1_000), `only ${decided} calls were decided`);
});

test(
  "two rules that do not overlap never fit the same call, nor the same unit of a line",
  LONG,
  () => {
    const counts = { overlapping: 0, apart: 0 };
    fc.assert(
      fc.property(anyCase, anyOptions, ({ rules: [one], rule, calls }, options) => {
        const first = one!;
        const stricter: TestRule = {
          ...rule,
          action: rule.action === "allow" ? "ask" : rule.action,
        };
        const [left, right] = [policyOf([first], options), policyOf([stricter], options)];
        const overlap = mayOverlap(first, { stricter, profiles: left.profiles });
        counts[overlap ? "overlapping" : "apart"]++;
        const both = calls.find((call) => {
          const walked = walkedOf(left, call);
          // Commands that a denied command runs are denied with it, in any order.
          const denied = walked.filter((request) =>
            first.action === "deny" && fits(left, request) ||
            stricter.action === "deny" && fits(right, request)
          );
          return walked.some((request) =>
            fits(left, request) && fits(right, request) && !isWithin(request, denied)
          );
        });
        assert.ok(overlap || both === undefined, JSON.stringify(both));
      }),
      { numRuns: 2_000, seed: 4 },
    );
    assert.ok(
      counts.overlapping > enough(250) && counts.apart > enough(250),
      JSON.stringify(counts),
    );
  },
);
