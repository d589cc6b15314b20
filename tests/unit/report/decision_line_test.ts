import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { decide } from "../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../lib/decide/evaluate.ts";
import { MODES } from "../../../lib/decide/modes.ts";
import type { Json } from "../../../lib/model/call.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import { decisionJson, decisionLine } from "../../../lib/report/decision_json.ts";
import { printedJson } from "../../../lib/text/printed_json.ts";
import fc from "../../support/seeded.ts";

const POLICY = policyFromToml(
  [
    '[[permissions.rules]]\npattern = "Bash(git \\"é\\u200b*)"\naction = "deny"\nreason = "n\\"\\u009bo"\ncomment = "\\\\ \\u2028"\n',
    '[[permissions.rules]]\npattern = "Bash(cat:*)"\naction = "allow"\n',
    '[[permissions.rules]]\npattern = "Read(/x/**)"\naction = "ask"\n',
  ].join(""),
  { workspace: "/work", home: "/home/ada" },
);

test("a line is the printed JSON of a decision", () => {
  const pieces = [
    "cat ",
    "git ",
    '"é',
    "\u200b",
    "\ud800",
    "\\",
    "'",
    "a",
    " > ",
    "/x/y",
    "; ",
    "$(",
    ")",
    "sudo ",
    "\n",
    "\u{1f600}",
  ];
  const commands = fc.array(fc.constantFrom(...pieces)).map((all) => all.join(""));
  const ids = fc.option(fc.jsonValue(), { nil: undefined });
  const options = fc.record({
    mode: fc.constantFrom(...MODES),
    headless: fc.boolean(),
    autoAllow: fc.boolean(),
  });
  const inputs = fc.oneof(
    commands.map((command) => ({ tool: "Bash", input: { command } })),
    commands.map((path) => ({ tool: "Read", input: { path } })),
    fc.tuple(fc.string({ unit: "binary" }), fc.dictionary(fc.string(), fc.jsonValue()))
      .map(([tool, input]) => ({ tool: tool || "x", input: input as Record<string, Json> })),
  );
  const warnings = fc.array(fc.string({ unit: "binary" }), { maxLength: 2 });
  fc.assert(fc.property(inputs, ids, options, warnings, (call, id, given, more) => {
    const decided = decide(POLICY, evaluateCall(POLICY, call), given);
    const all = { ...decided, warnings: [...decided.warnings, ...more] };
    for (const decision of [decided, { ...all, leftToAgent: true }] as const) {
      const json = { ...(id === undefined ? {} : { id }), ...decisionJson(call, decision) };
      assert.equal(decisionLine(call, decision, { id: id as Json }), printedJson(json));
    }
  }));
});
