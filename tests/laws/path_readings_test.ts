/** A file that a deny or ask names is never allowed under another spelling that some tool of an agent reads as that file. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decideInMode } from "../../lib/decide/decide.ts";
import { evaluate, evaluateCall } from "../../lib/decide/evaluate.ts";
import { defaultMode } from "../../lib/decide/modes.ts";
import type { Json, ToolCall } from "../../lib/model/call.ts";
import { policyOf } from "../support/policy.ts";
import fc from "../support/seeded.ts";

const { array, constantFrom, tuple } = fc;

const INVISIBLE =
  " \t\n\r\v\f\u0085\u00a0\u1680\u2003\u2028\u202f\u3000\ufeff\u200b\u2060\u00ad\u001c\u0007";

/** Changes that some tool undoes. */
const disguise = constantFrom(
  ...[...INVISIBLE].flatMap((edge) => [
    (path: string) => edge + path,
    (path: string) => path + edge,
  ]),
  (path: string) => `@${path}`,
  (path: string) => `"${path}"`,
  (path: string) => `'${path}'`,
  (path: string) => `\`${path}\``,
  (path: string) => path.replace("s", "%73"),
  (path: string) => path.replace("e", "\0e"),
  (path: string) => path.replace("e", "\te"),
);

const spelling = tuple(
  constantFrom("secret/x", "/work/secret/x", "./secret/x"),
  array(disguise, {
    minLength: 1,
    maxLength: 2,
  }),
).map(([path, changes]) => changes.reduce<string>((text, change) => change(text), path));

type Inputs = (path: string) => Readonly<Record<string, Json>>;

const READS: readonly (readonly [tool: string, input: Inputs])[] = [
  ["Read", (path) => ({ path })],
  ["Read", (file_path) => ({ file_path })],
  ["Grep", (path) => ({ pattern: ".", path })],
  ["Glob", (path) => ({ pattern: "*", path })],
  ["mcp__fs__read", (path) => ({ path })],
  ["mcp__fs__read_all", (path) => ({ files: [{ path }] })],
];

const WRITES: readonly (readonly [tool: string, input: Inputs])[] = [
  ["Write", (path) => ({ path, content: "x" })],
  ["NotebookEdit", (notebook_path) => ({ notebook_path, new_source: "x" })],
  ["mcp__fs__write", (path) => ({ path, content: "x" })],
];

const reading = tuple(constantFrom(...READS), spelling);
const writing = tuple(constantFrom(...WRITES), spelling);

for (const action of ["deny", "ask"] as const) {
  test(`a spelling of a file that a rule names is not allowed: ${action}`, () => {
    const policy = policyOf([
      { pattern: "Read:secret/**", action },
      { pattern: "Edit:secret/**", action },
      { pattern: "*", action: "allow" },
    ]);
    fc.assert(
      fc.property(constantFrom(reading, writing).chain((each) => each), ([[tool, input], path]) => {
        const call: ToolCall = { tool, input: input(path) };
        assert.notEqual(evaluate(policy, call).action, "allow", JSON.stringify(call));
      }),
    );
  });
}

test("an allow within the workspace allows no spelling of a file outside of it", () => {
  const policy = policyOf([{ pattern: "Edit:./**", action: "allow" }]);
  const outside = tuple(
    constantFrom("../see", "/etc/see", "~/see"),
    array(disguise, { maxLength: 2 }),
  );
  fc.assert(fc.property(outside, ([base, changes]) => {
    const path = changes.reduce<string>((text, change) => change(text), base);
    const call = { tool: "Edit", input: { path } };
    assert.notEqual(evaluate(policy, call).action, "allow", JSON.stringify(call));
  }));
});

test("a spelling of a protected file is a safety check", () => {
  const policy = policyOf([{ pattern: "Edit", action: "allow" }]);
  fc.assert(
    fc.property(
      tuple(constantFrom(...WRITES.slice(0, 2)), array(disguise, { minLength: 1, maxLength: 2 })),
      ([[tool, input], changes]) => {
        const path = changes.reduce<string>(
          (text, change) => change(text),
          ".git/hooks/pre-commit",
        );
        const call = { tool, input: input(path) };
        const { decision } = decideInMode(policy, evaluateCall(policy, call), defaultMode);
        assert.equal(decision, "ask", JSON.stringify(call));
      },
    ),
  );
});
