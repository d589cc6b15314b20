import assert from "node:assert/strict";
import { test } from "node:test";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import {
  type Action,
  ACTIONS,
  MODE_NAMES,
  strictness,
  type ToolCall,
} from "../../lib/model/call.ts";
import { decide } from "../../lib/decide/decide.ts";
import { evaluateCall } from "../../lib/decide/evaluate.ts";
import { modeNamed } from "../../lib/decide/modes.ts";
import type { CompiledPolicy } from "../../lib/policy/compile/compiled_policy.ts";
import { TOOL_NAME_PATTERN } from "../../lib/policy/decode/decode_call.ts";
import { tomlString } from "../../lib/text/toml_text.ts";
import { hasPassed, runSuite } from "../../lib/suite/run_suite.ts";
import { testCases } from "../../lib/suite/test_call.ts";
import { readTestFile } from "../../lib/suite/test_file.ts";
import { changesOf, updatedText } from "../../lib/suite/suite_report.ts";
import { anyCall } from "../support/arbitrary.ts";
import { anySources, loaded, NOW } from "./random_sources.ts";

const WORKSPACE = "/home/u/ws";

/** A test as it is written, with its call; what is expected is anything. */
interface Written {
  readonly call: ToolCall;
  readonly expect: Action;
  readonly mode: (typeof MODE_NAMES)[number] | undefined;
  readonly quote: string;
}

const isWritable = ({ tool, input }: ToolCall) =>
  new RegExp(TOOL_NAME_PATTERN).test(tool) && tool.isWellFormed() &&
  JSON.stringify(input).isWellFormed();

function written(call: fc.Arbitrary<ToolCall>): fc.Arbitrary<Written> {
  return fc.record({
    call: call.filter(isWritable),
    expect: fc.constantFrom(...ACTIONS),
    mode: fc.option(fc.constantFrom(...MODE_NAMES), { nil: undefined }),
    quote: fc.constantFrom('"', "'", '"""', "'''"),
  });
}

function fileOf(tests: readonly Written[]): string {
  return tests.map(({ call, expect, mode, quote }) => {
    const text = `${call.tool}:${JSON.stringify(call.input)}`;
    const mood = mode === undefined ? "" : `mode = "${mode}"\n`;
    return `# one\n[[tests]] \ncall = ${
      tomlString(text)
    }\n${mood}expect = ${quote}${expect}${quote} # it\n`;
  }).join("\n");
}

function outcomesOf(policy: CompiledPolicy, text: string) {
  const reading = { profiles: policy.profiles, workspace: WORKSPACE, platform: "linux" } as const;
  const { file, problems } = readTestFile(text, "a.perms.toml");
  const { cases, problems: more } = testCases([file], reading);
  assert.deepEqual([...problems, ...more], []);
  return runSuite(policy, cases, { reading, now: NOW, examples: "left out" }).cases;
}

test("a suite that was updated passes, and fails with any other expectation", () => {
  const seen = { changed: 0, loosened: 0, kept: 0 };
  const scene = anySources.chain((sources) =>
    fc.record({
      entries: fc.constant(sources.entries),
      tests: fc.array(written(fc.oneof(anyCall, fc.constant(sources.call))), {
        minLength: 1,
        maxLength: 4,
      }),
    })
  );
  fc.assert(
    fc.property(scene, ({ entries, tests }) => {
      const policy = loaded(entries);
      assert.ok(policy);
      const text = fileOf(tests);
      const outcomes = outcomesOf(policy, text);
      const changes = changesOf(outcomes);
      const updated = updatedText(text, changes);
      // Nothing but the expectations is another.
      assert.equal(updated.replace(/allow|deny|ask/g, ""), text.replace(/allow|deny|ask/g, ""));
      const after = outcomesOf(policy, updated);
      assert.ok(after.every(hasPassed), updated);
      assert.deepEqual(changesOf(after), []);
      for (const [index, outcome] of after.entries()) {
        const { call, mode } = tests[index]!;
        const meant = modeNamed(mode ?? "default")!;
        const evaluation = evaluateCall(policy, { ...call, cwd: WORKSPACE }, { now: NOW });
        assert.equal(
          outcome.decision.decision,
          decide(policy, evaluation, { mode: meant }).decision,
        );
        for (const action of ACTIONS.filter((each) => each !== outcome.test.expect.value)) {
          const { start, end } = outcome.test.expect.span;
          const flipped = `${updated.slice(0, start)}"${action}"${updated.slice(end)}`;
          const again = outcomesOf(policy, flipped);
          assert.deepEqual(again.map(hasPassed), after.map((_, at) => at !== index), flipped);
        }
      }
      for (const { from, to, loosened } of changes) {
        assert.equal(loosened, strictness(to) < strictness(from));
        seen.changed++;
        if (loosened) seen.loosened++;
      }
      seen.kept += outcomes.length - changes.length;
    }),
    { numRuns: 300 },
  );
  assert.ok(
    seen.changed > enough(100) && seen.loosened > enough(30) && seen.kept > enough(50),
    JSON.stringify(seen),
  );
});
