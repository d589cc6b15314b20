import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluateCall } from "../../lib/decide/evaluate.ts";
import { decideInMode } from "../../lib/decide/decide.ts";
import { modeNamed } from "../../lib/decide/modes.ts";
import { openPolicyOf } from "../../lib/decide/policy.ts";
import { asksBySpecifier } from "../../lib/decide/precedence.ts";
import { createGate } from "../../lib/gate/create_gate.ts";
import { overPolicy } from "../../lib/gate/gate_state.ts";
import { isLasting } from "../../lib/gate/question.ts";
import type { ModeName, ToolCall } from "../../lib/model/call.ts";
import type { Decision, UnitDecision } from "../../lib/model/verdict.ts";
import type { CompiledPolicy } from "../../lib/policy/compile/compiled_policy.ts";
import fc from "../support/seeded.ts";
import { policyOf, type TestRule } from "../support/policy.ts";
import { auto, modeOf } from "../unit/gate/scene.ts";

const WORKSPACE = "/home/u/ws";
/** The places that a link may lead to. */
const TARGETS = [
  `${WORKSPACE}/out`,
  `${WORKSPACE}/src`,
  `${WORKSPACE}/.git`,
  "/home/u/.ssh",
  "/elsewhere",
];
const CALLS: readonly ToolCall[] = [
  { tool: "Write", input: { path: "out/f", content: "" } },
  { tool: "Bash", input: { command: "cp a out/f" } },
  { tool: "Bash", input: { command: "make > out/log && git push" } },
  { tool: "Bash", input: { command: "make test" }, cwd: `${WORKSPACE}/out` },
  { tool: "mcp__fs__put", input: { destination: "out/f" } },
  { tool: "mcp__sh__run", input: { command: "./out/run --all" } },
  { tool: "Bash", input: { command: "zqx -o'out/f'" } },
  { tool: "Grep", input: { pattern: "x", glob: "out/*" } },
];
const PATTERNS = [
  ...["Write", "Write:out/**", "Write:/elsewhere/**", "Write:~/.ssh/**", "Edit:.git/**"],
  ...["Bash", "Bash:make *", "Bash:git push *", "Bash(cp:*)", "mcp__*", "Read:/elsewhere/**"],
];
const MODES: readonly ModeName[] = ["default", "acceptEdits", "plan", "auto", "dontAsk"];

/** Everything that may change while somebody thinks. */
interface World {
  readonly rules: readonly TestRule[];
  readonly mode: ModeName;
  /** The target of the link `out`. */
  readonly link: string;
}

const { constantFrom, record, array, nat, option } = fc;
const anyRules = array(
  record({
    pattern: constantFrom(...PATTERNS),
    action: constantFrom("allow", "ask", "ask", "deny"),
  }),
  { maxLength: 4 },
) as fc.Arbitrary<readonly TestRule[]>;
const anyWorld = record({
  rules: anyRules,
  mode: constantFrom(...MODES, "default", "auto"),
  link: constantFrom(...TARGETS),
});
/** A change of some of it. */
const anyChange = record({
  rules: option(anyRules, { nil: undefined }),
  mode: option(constantFrom(...MODES), { nil: undefined }),
  link: option(constantFrom(...TARGETS), { nil: undefined, freq: 2 }),
});
/** The parts that take time, and the changes meanwhile, in their order; the last change is for all further answers. */
const anyScene = record({
  call: nat(CALLS.length - 1).map((index) => CALLS[index]!),
  world: anyWorld,
  changes: array(option(anyChange, { nil: {}, freq: 2 }), { minLength: 1, maxLength: 5 }),
  person: constantFrom("allow-once", "allow-once", "allow-always", "deny-once", "nobody"),
  model: constantFrom("allow", "allow", "soft_deny", "hard_deny", "none"),
  hook: constantFrom("none", "proceed", "allow"),
  tool: constantFrom("none", "none", "passthrough", "allow"),
  autoAllow: fc.boolean(),
});

/** One question that was answered with allow, as the world was when it was asked. */
interface Answered {
  readonly link: string;
  readonly questions: ReadonlySet<string>;
}

/** A question of a unit, as a person could tell it from another. */
function questionOf({ kind, text, tool, by, rule, check }: UnitDecision): string {
  const asking = rule?.action === "allow" ? undefined : rule;
  return JSON.stringify([kind, text, tool, by, check, asking?.pattern, asking?.action]);
}

test("whatever changes between question and answer, the end is no looser than the rules of the end and the answers", async () => {
  const reached = { denied: 0, again: 0, allowed: 0 };
  await fc.assert(
    fc.asyncProperty(anyScene, async (scene) => {
      let world: World = scene.world;
      const policyNow = (): CompiledPolicy =>
        policyOf(world.rules, {
          context: {
            realPath: (path) => path.replace(`${WORKSPACE}/out`, world.link),
          },
        });
      const mode = modeOf(world.mode);
      const changes = [...scene.changes];
      const asked: Answered[] = [];
      const opinions: Answered[] = [];
      /** Somebody thinks, and meanwhile the world changes. */
      const think = async () => {
        await Promise.resolve();
        const change = changes.shift() ?? {};
        const { rules } = world;
        world = { ...world, ...Object.fromEntries(Object.entries(change).filter(([, v]) => v)) };
        if (world.rules !== rules) gate.setPolicy(openPolicyOf(policyNow()));
        mode.set(world.mode);
        await Promise.resolve();
      };
      const gate = createGate({
        policy: openPolicyOf(policyNow()),
        mode,
        autoAllow: scene.autoAllow,
        ...(scene.person === "nobody" ? {} : {
          ask: {
            async ask({ decision }) {
              const questions = decision.units.filter((unit) => unit.decision === "ask")
                .map(questionOf);
              asked.push({ link: world.link, questions: new Set(questions) });
              await think();
              return { kind: scene.person as "allow-once" };
            },
          },
        }),
        ...(scene.model === "none" ? {} : {
          classifier: auto(async () => {
            // All that asks in auto mode is in the question to the model.
            const now = decisionNow();
            const questions = now.units.filter(({ decision }) => decision === "ask").map(
              questionOf,
            );
            opinions.push({ link: world.link, questions: new Set(questions) });
            await think();
            return { decision: scene.model as "allow", source: "classifier", reason: "so" };
          }),
        }),
        ...(scene.hook === "none" ? {} : {
          hooks: {
            async run() {
              await think();
              return { decision: scene.hook as "allow", warnings: [], results: [] };
            },
          },
        }),
        ...(scene.tool === "none" ? {} : {
          tools: {
            [scene.call.tool]: {
              async checkPermissions() {
                await think();
                return { decision: scene.tool as "allow" };
              },
            },
          },
        }),
      });
      const decisionNow = (): Decision => {
        // A person's “always” is a rule as any other.
        const policy = overPolicy(policyNow(), gate.sessionRules);
        assert.ok(policy);
        return decideInMode(policy, evaluateCall(policy, scene.call), modeNamed(world.mode)!);
      };
      const { decision } = await gate.decide(scene.call);
      const fresh = decisionNow();
      if (asked.length > 1) reached.again++;
      if (fresh.decision === "deny") {
        reached.denied++;
        assert.equal(decision, "deny");
      }
      if (decision !== "allow") return;
      reached.allowed++;
      for (const unit of fresh.units.filter((each) => each.decision === "ask")) {
        const isShown = asked.some(({ link, questions }) =>
          link === world.link && (questions.has(questionOf(unit)))
        );
        const isPerson = scene.person.startsWith("allow") && isShown;
        const isModel = world.mode === "auto" && scene.model === "allow" &&
          !isLasting(unit) && !asksBySpecifier(unit) &&
          opinions.some(({ link, questions }) =>
            link === world.link && questions.has(questionOf(unit))
          );
        const isAnswerable = !isLasting(unit) &&
          (scene.autoAllow ||
            (scene.hook === "allow" || scene.tool === "allow") && !asksBySpecifier(unit));
        assert.ok(isPerson || isModel || isAnswerable, questionOf(unit));
      }
    }),
    { numRuns: 3000 },
  );
  for (const [name, times] of Object.entries(reached)) assert.ok(times > 3, `${name}: ${times}`);
});
