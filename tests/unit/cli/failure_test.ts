import assert from "node:assert/strict";
import { test } from "node:test";
import { InputError, UsageError, WriteError } from "../../../lib/cli/errors/errors.ts";
import { failureOf } from "../../../lib/cli/errors/failure.ts";
import { VERBS } from "../../../lib/cli/registry.ts";
import { FileError, type FileFault, LoadError } from "../../../lib/io/runtime/runtime.ts";
import { PolicyError } from "../../../lib/policy/decode/policy_error.ts";
import { PLAIN } from "../../../lib/report/color.ts";
import { SourceError } from "../../../lib/policy/sources/source.ts";

function fileError(fault: FileFault): FileError {
  return new FileError(`Cannot read "x": ${fault}`, { path: "x", fault });
}

function failure(error: unknown, detail: "message" | "stack" = "message") {
  return failureOf(error, { argv: ["schema"], verbs: VERBS, color: PLAIN, detail });
}

const STATUSES: readonly (readonly [string, unknown, number])[] = [
  ["wrong usage", new UsageError("x"), 64],
  ["no home", new SourceError("x"), 64],
  ["bad input", new InputError("x"), 65],
  ["a file that is not there", fileError("not-found"), 66],
  ["a missing flag", fileError("missing-flag"), 64],
  ["a file that is not UTF-8", fileError("not-utf8"), 65],
  ["a folder in place of a file", fileError("not-a-file"), 65],
  ["a file that may not be read", fileError("permission"), 65],
  ["two that are not there", new LoadError([fileError("not-found"), fileError("not-found")]), 66],
  ["one of two not there", new LoadError([fileError("not-found"), fileError("loop")]), 65],
  ["a flag missing for one", new LoadError([fileError("loop"), fileError("missing-flag")]), 64],
  ["what cannot be written", new WriteError("x", { cause: fileError("permission") }), 73],
  ["a folder that is not there", new WriteError("x", { cause: fileError("not-found") }), 73],
  ["no flag to write", new WriteError("x", { cause: fileError("missing-flag") }), 64],
  ["a TypeError", new TypeError("x is undefined"), 70],
  ["a thrown text", "x", 70],
  ["a thrown undefined", undefined, 70],
];

for (const [name, error, status] of STATUSES) {
  test(`${name}: ${status}`, () => {
    const { status: actual, text } = failure(error);
    assert.equal(actual, status);
    assert.match(text, /^error: [^\n]+\n(?:.+\n)*$/);
  });
}

test("a near word stands in place of the hint", () => {
  const known = ["permissions", "decision"];
  const near = new UsageError("x", { hint: "h", unknown: { word: "permission", known } });
  assert.match(failure(near).text, /hint: Did you mean "permissions"\?\n$/);
  const far = new UsageError("x", { hint: "h", unknown: { word: "zzz", known } });
  assert.match(failure(far).text, /hint: h\n$/);
  assert.match(failure(new UsageError("x")).text, /hint: "caliban schema --help" shows/);
});

test("a command stands behind its hint, or below it where it is too long", () => {
  const short = new UsageError("x", { hint: "Quote it:", command: "caliban check Bash 'a b'" });
  assert.equal(failure(short).text, "error: x\nhint: Quote it: caliban check Bash 'a b'\n");
  const command = `caliban check Bash '${"a ".repeat(40)}'`;
  const long = new InputError("x", { hint: "Quote it:", command });
  assert.equal(failure(long).text, `error: x\nhint: Quote it:\n  ${command}\n`);
});

test("a file that cannot be used has a hint for each way in which it cannot", () => {
  const faults = ["permission", "not-a-file", "not-utf8", "loop", "too-large", "other"] as const;
  const hints = faults.flatMap((fault) => {
    const cause = new FileError("x", { path: "/a/b", fault });
    return [cause, new WriteError("x", { cause })].map((error) =>
      /^hint: (.+)$/m.exec(failure(error).text)?.[1] ?? ""
    );
  });
  assert.ok(hints.every((hint) => hint.length > 10), hints.join("\n"));
  const flag = new FileError("x", { path: "/a/b", fault: "missing-flag" });
  assert.equal(failure(flag).text, "error: x\n");
});

test("a file that is not there was named on the line or in a variable", () => {
  const error = new FileError("x", { path: "/w/a.toml", fault: "not-found" });
  const said = (...argv: string[]) =>
    failureOf(error, { argv, verbs: VERBS, color: PLAIN, detail: "message" }).text;
  assert.match(said("check", "--rules", "./a.toml"), /hint: Correct the path/);
  assert.match(said("check", "--rules=../w/a.toml"), /hint: Correct the path/);
  assert.match(said("check", "Bash", "ls"), /hint: CALIBAN_RULES or CALIBAN_MANAGED_FILE names it/);
});

test("every file of a LoadError has its line", () => {
  const { text } = failure(new LoadError([fileError("loop"), fileError("not-utf8")]));
  assert.equal(text, 'error: Cannot read "x": loop\nerror: Cannot read "x": not-utf8\n');
});

test("a bug tells its stack only when asked", () => {
  const bug = new TypeError("x is undefined");
  assert.doesNotMatch(failure(bug).text, /failure_test/);
  assert.match(failure(bug, "stack").text, /failure_test/);
  assert.match(failure(bug).text, /^error: caliban has a bug: TypeError: x is undefined\n/);
});

test("nothing is printed raw", () => {
  assert.match(failure(new UsageError("\x1b[2J")).text, /^error: \\u\{1b\}\[2J\n/);
  assert.match(failure("\u202e").text, /\\u\{202e\}/);
});

test("problems are shown one by one, and of too many the number", () => {
  const span = { start: 0, end: 1, line: 1, column: 1 };
  const problem = { id: "unknown-key", severity: "error", message: "m", span } as const;
  const problems = Array.from({ length: 60 }, () => ({ ...problem, path: "p", text: "a" }));
  const { status, text } = failure(new PolicyError(problems));
  assert.equal(status, 65);
  assert.equal(text.match(/^p:1:1: error: m$/gm)?.length, 50);
  assert.match(text, /\nand 10 more problems\n$/);
  assert.equal(
    failure(new PolicyError([{ ...problem, path: "p", text: "a" }])).text.includes("more"),
    false,
  );
});

for (const [name, error, status] of STATUSES) {
  test(`${name} as JSON: one line with the status ${status}`, () => {
    const options = { argv: ["schema"], verbs: VERBS, color: PLAIN, detail: "message" } as const;
    const failure = failureOf(error, { ...options, format: "json" });
    assert.match(failure.text, /^[^\n]+\n$/);
    const told = JSON.parse(failure.text);
    assert.equal(told.status, status);
    assert.equal(failure.status, status);
    assert.equal(typeof told.error, "string");
    assert.ok(told.error !== "" && told.decision === undefined);
  });
}

test("as JSON every file and every problem is told", () => {
  const options = {
    argv: [],
    verbs: VERBS,
    color: PLAIN,
    detail: "message",
    format: "json",
  } as const;
  const files = new LoadError([fileError("loop"), fileError("not-utf8")]);
  const told = JSON.parse(failureOf(files, options).text);
  assert.equal(told.error, 'Cannot read "x": loop');
  assert.deepEqual(told.others, [{ message: 'Cannot read "x": not-utf8' }]);
  const span = { start: 0, end: 1, line: 3, column: 2 };
  const problem = { id: "unknown-key", severity: "error", message: "m", span } as const;
  const policy = new PolicyError([1, 2].map(() => ({ ...problem, path: "p", text: "a" })));
  const { error, problems } = JSON.parse(failureOf(policy, options).text);
  assert.equal(error, "p:3:2: m (and 1 more)");
  assert.deepEqual(problems.map(({ line, column }: typeof span) => [line, column]), [[3, 2], [
    3,
    2,
  ]]);
});
