/** A word that the line does not fix may be any words: a line with one is never judged looser than the line it may become. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../lib/decide/evaluate.ts";
import { enough, slowRuns } from "../support/cases.ts";
import { policyOf } from "../support/policy.ts";
import fc from "../support/seeded.ts";
import { WRAPPERS } from "../support/wrapper_forms.ts";

const LONG = { timeout: 120_000 };

const { array, constantFrom, nat, oneof, tuple } = fc;

const POLICIES = [
  policyOf([{ pattern: "Bash:rm *", action: "deny" }, { pattern: "Bash", action: "allow" }]),
  policyOf([
    { pattern: "Bash(ls:*)", action: "allow" },
    ...WRAPPERS.map(({ words }) => ({
      pattern: `Bash(${words.join(" ")}:*)`,
      action: "allow" as const,
    })),
  ]),
];

const inner = constantFrom(["rm", "x"], ["ls"], ["ls", "rm"], ["./x"]);

/** A wrapper, one or two of its options with their values, its own operands, and a command; perhaps two of them. */
const wrapperWords = constantFrom(...WRAPPERS).chain(({ words, flags, values, skip, assigns }) => {
  const option = oneof(
    values.length > 0 ? constantFrom(...values).map((name) => [name, "5"]) : constantFrom([]),
    flags.length > 0 ? constantFrom(...flags).map((name) => [name]) : constantFrom([]),
  );
  const operands = [...Array.from({ length: skip }, () => "5"), ...(assigns ? ["A=1"] : [])];
  return array(option, { maxLength: 2 }).map((options) => [
    ...words,
    ...options.flat(),
    ...operands,
  ]);
});

const line = tuple(array(wrapperWords, { minLength: 1, maxLength: 2 }), inner)
  .map(([wrappers, command]) => [...wrappers.flat(), ...command]);

test("what a wrapper runs is denied behind each of the tables, with its options and behind --", () => {
  const policy = POLICIES[0]!;
  const ways = WRAPPERS.flatMap(({ words, flags, values, skip, assigns }) => {
    const operands = [...Array.from({ length: skip }, () => "5"), ...(assigns ? ["A=1"] : [])];
    const options = [[], flags.slice(0, 1), ...values.map((name) => [name, "5"])];
    return options.flatMap((each) => [
      [...words, ...each, ...operands, "rm", "x"],
      [...words, ...each, ...operands, "--", "rm", "x"],
      [...words, ...each, ...operands, "sudo", "rm", "x"],
    ]);
  });
  const passed = ways.map((each) => each.join(" ")).filter((command) => {
    const { action, by } = evaluate(policy, { tool: "Bash", input: { command } });
    return action === "allow" || action === "ask" && by !== "safety";
  });
  assert.deepEqual(passed, []);
  const denied = WRAPPERS.filter(({ words, skip }) => {
    const command = [...words, ...Array.from({ length: skip }, () => "5"), "rm", "x"].join(" ");
    return evaluate(policy, { tool: "Bash", input: { command } }).action !== "deny";
  });
  assert.deepEqual(denied.map(({ words }) => words.join(" ")), []);
});

/** Spellings of a word that the line does not fix; the first two stand for several words, the others for one. */
const MANY = ["$X", "$(cat x)"];
const ONE = [...MANY, '"$X"', '"$(cat x)"', "`cat x`"];

test(
  "some words of a wrapper's line become one that the line does not fix: no verdict becomes an allow",
  LONG,
  () => {
    const counts = { same: 0, stricter: 0 };
    fc.assert(
      fc.property(line, nat(), nat(2), nat(), (words, place, length, spelling) => {
        const at = 1 + place % words.length;
        const forms = length === 1 ? ONE : MANY;
        const form = forms[spelling % forms.length]!;
        const open = [...words.slice(0, at), form, ...words.slice(at + length)].join(" ");
        for (const policy of POLICIES) {
          const [fixed, unfixed] = [words.join(" "), open].map((command) =>
            evaluate(policy, { tool: "Bash", input: { command } })
          );
          const { action, reason } = unfixed!;
          if (fixed!.action === "allow") counts[action === "allow" ? "same" : "stricter"]++;
          // Only words that stand there are held against rules where no table describes the program.
          else if (!fixed!.reason.startsWith("no table describes")) {
            assert.notEqual(action, "allow", `${words.join(" ")}; ${open}: ${reason}`);
          }
        }
      }),
      { numRuns: slowRuns(3_000), seed: 1 },
    );
    assert.ok(counts.stricter > enough(30), JSON.stringify(counts));
  },
);
