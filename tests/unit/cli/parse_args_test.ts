import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import { RULE_FLAGS, SOURCE_FLAGS } from "../../../lib/cli/args/flags.ts";
import { UsageError } from "../../../lib/cli/errors/errors.ts";
import { parseArgs } from "../../../lib/cli/args/parse_args.ts";
import {
  flagValue,
  flagValues,
  hasFlag,
  ruleFlags,
  type Verb,
} from "../../../lib/cli/args/verb.ts";

const CHECK: Verb = {
  path: ["perms", "check"],
  summary: "Decide one call",
  operands: [
    { name: "tool", summary: "The tool" },
    { name: "input", summary: "Its input", optional: true, freeText: true },
  ],
  flags: [...SOURCE_FLAGS, ...RULE_FLAGS, { name: "json", summary: "Print JSON" }],
  examples: [],
  permissions: [],
  load: () => Promise.reject(new Error("not loaded")),
};

function parse(...args: readonly string[]) {
  return parseArgs(CHECK, args);
}

/** The error that a line ends in. */
function refused(...args: readonly string[]): UsageError {
  try {
    parse(...args);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error;
  }
  return assert.fail(`${args.join(" ")} is accepted`);
}

test("flags stand before, between and behind operands, with = or without", () => {
  const invocation = parse("--json", "Bash", "--workspace=/w", "ls", "--rules", "r.toml");
  assert.deepEqual(invocation.operands, ["Bash", "ls"]);
  assert.ok(hasFlag(invocation, "json"));
  assert.equal(flagValue(invocation, "workspace"), "/w");
  assert.deepEqual(flagValues(invocation, "rules"), ["r.toml"]);
  assert.equal(flagValue(invocation, "color"), undefined);
  assert.equal(hasFlag(invocation, "no-user"), false);
});

test("rule flags keep the order of the line", () => {
  const invocation = parse("--allow", "a", "Bash", "--deny=b=c", "--ask", "c", "--allow", "d");
  assert.deepEqual(ruleFlags(invocation), [
    { action: "allow", pattern: "a" },
    { action: "deny", pattern: "b=c" },
    { action: "ask", pattern: "c" },
    { action: "allow", pattern: "d" },
  ]);
});

test("a lone - is an operand and a value, and behind -- nothing is a flag", () => {
  assert.deepEqual(parse("Bash", "-").operands, ["Bash", "-"]);
  assert.deepEqual(flagValues(parse("Bash", "--rules", "-"), "rules"), ["-"]);
  assert.deepEqual(parse("Bash", "--", "--json").operands, ["Bash", "--json"]);
  assert.deepEqual(parse("--", "--", "--").operands, ["--", "--"]);
});

test("the empty operand is one", () => assert.deepEqual(parse("Bash", "").operands, ["Bash", ""]));

test("a value that looks like a flag is taken with = only", () => {
  assert.equal(refused("Bash", "--allow", "--json").help.command, "--allow=--json");
  assert.deepEqual(flagValues(parse("Bash", "--allow=--json"), "allow"), ["--json"]);
});

test("names of Object.prototype are no flags", () => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    assert.match(refused("Bash", `--${name}`).message, /Unknown flag/);
  }
});

test("a command that nobody quoted is shown quoted", () => {
  assert.equal(
    refused("Bash", "git", "push").help.command,
    "caliban perms check Bash 'git push'",
  );
  assert.equal(
    refused("Bash", "git", "-C", "it's", "status").help.command,
    "caliban perms check Bash 'git -C it'\\''s status'",
  );
  assert.equal(refused("Bash", "git push", "--jsn").help.hint, undefined);
  assert.deepEqual(refused("Bash", "git push", "--jsn").help.unknown?.word, "--jsn");
});

test("what is missing is named", () => assert.match(refused().message, /needs <tool>/));

test("a line is read whole or refused, and nothing of it is lost", () => {
  const words = fc.constantFrom(
    "Bash",
    "ls",
    "-",
    "--",
    "--json",
    "--allow",
    "--deny=x",
    "--no-user",
    "-x",
  );
  fc.assert(fc.property(fc.array(words, { maxLength: 8 }), (args) => {
    let invocation;
    try {
      invocation = parse(...args);
    } catch (error) {
      assert.ok(error instanceof UsageError);
      return;
    }
    const end = args.includes("--") ? 1 : 0;
    const given = invocation.flags.reduce(
      (count, { name, value }) => count + (value === undefined || name === "deny" ? 1 : 2),
      0,
    );
    assert.equal(invocation.operands.length + given + end, args.length);
  }));
});
