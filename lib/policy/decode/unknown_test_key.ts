import type { Problem } from "../../model/problem.ts";
import { nearest } from "../../text/did_you_mean.ts";
import { errorAt, quoted } from "../../text/problems.ts";
import { TEST_KEYS } from "./test_keys.ts";
import type { TomlMember } from "../../text/toml_node.ts";

/** Where what people write in a test belongs. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["action", 'What is expected is "expect"'],
  ["pattern", 'The call is "call", the rule that is to decide "rule"'],
  ["tool", 'It belongs into the call: call = { tool = "Write", input = { path = "x" } }'],
  ["input", 'It belongs into the call: call = { tool = "Write", input = { path = "x" } }'],
  ["cwd", 'It belongs into the call: call = { tool = "Bash", input = {…}, cwd = "sub" }'],
  ["name", 'What a test is for is its "why"'],
  ["comment", 'What a test is for is its "why"'],
  ["reason", 'What a test is for is its "why"'],
]);

/** The problem of a key that a table of tests does not have. */
export function unknownTestKey({ name, key }: TomlMember, keys: readonly string[]): Problem {
  const near = nearest(name, keys);
  const hint = near !== undefined
    ? `Did you mean "${near}"?`
    : (keys === TEST_KEYS ? ELSEWHERE.get(name) : undefined) ??
      `The keys here are ${keys.join(", ")}`;
  return errorAt(key, {
    id: "unknown-key",
    message: `Cannot read key ${quoted(name)}: there is no such key here`,
    hint,
  });
}
