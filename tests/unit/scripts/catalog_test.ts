import assert from "node:assert/strict";
import { test } from "node:test";
import { driftOf, tableOptions } from "../../../scripts/catalog/drift.ts";
import { helpOptions } from "../../../scripts/catalog/help_options.ts";
import { classList } from "../../../scripts/class_list.ts";
import { assertKinds } from "../../../scripts/shell_json.ts";

const HELP = `Usage: frob [OPTION]... FILE
  -a, --all              show all
      --color[=WHEN]     colour
  -n, --lines=NUM        the first NUM lines
  -q | --quiet           say less
      --[no-]check       look
      --help             this text
not --an-option here
                         --nor-this far behind
`;

test("the options of a help text are read in each of its usual forms", () => {
  assert.deepEqual(helpOptions(HELP), [
    ...["-a", "--all", "--color", "-n", "--lines", "-q", "--quiet", "--check", "--help"],
  ]);
  assert.deepEqual(helpOptions("  -\b-b\bb, -\b-\b-b\bb\n  \u001b[1m-x\u001b[0m  bold"), [
    "-b",
    "-x",
  ]);
  assert.deepEqual(helpOptions("no option\n-- none"), []);
});

test("a table and a help that differ say where", () => {
  const table = { flags: ["-a", "--all", "-z"], value: ["-n", "--lines="], class: "read" };
  assert.deepEqual([...tableOptions(table)], ["-a", "--all", "-z", "-n", "--lines"]);
  assert.deepEqual(driftOf(table, HELP), {
    missing: ["--color", "-q", "--quiet", "--check"],
    extra: ["-z"],
  });
  assert.equal(driftOf(table, "frob: unknown option"), undefined);
});

test("an option that is a flag and has a value is refused", () => {
  const flag = { flags: ["-a"], value: ["-a"] };
  assert.throws(
    () => assertKinds("frob", flag),
    /"-a" of "frob" is a flag and has a value in "value"/,
  );
  const sub = { sub: { x: { flags: ["-a"], read: ["-a"] } } };
  assert.throws(() => assertKinds("frob", sub), /"-a" of "frob x" is a flag .* "read"/);
  assertKinds("frob", { flags: ["--color"], value: ["--color="] });
});

test("an option in two kinds is refused", () => {
  const faults: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
    [{ value: ["-a"], read: ["-a"] }, /"-a" of "frob" is in two kinds, "value" and "read"/],
    [{ sub: { x: { value: ["-a"], archive: ["-a"] } } }, /"frob x" is in two .* "archive"/],
    [{ flags: ["-b", "-a", "-b"] }, /"-b" of "frob" is in "flags" twice/],
    [{ value: ["-a"], from: { value: ["-a"] } }, /two kinds, "value" and "value" of "from"/],
    [{ flags: ["-a"], from: { value: ["-a"] } }, /two kinds, "flags" and "value" of "from"/],
    [{ known: ["-a"], from: { value: ["-a"] } }, /two kinds, "known" and "value" of "from"/],
    [{ read: ["-a"], from: { input: ["-a"] } }, /two kinds, "read" and "input" of "from"/],
    [{ from: { input: ["-a"], operand: ["-a"] } }, /two kinds of "from", "input" and "operand"/],
    [{ listed: ["-a"] }, /"-a" of "frob" is in "listed" and not in "from"/],
  ];
  for (const [table, message] of faults) assert.throws(() => assertKinds("frob", table), message);
  assertKinds("frob", {
    flags: ["-x"],
    read: ["-T"],
    archive: ["-f"],
    listed: ["-T", "-@"],
    known: ["-x"],
    from: { value: ["-T"], archive: ["-x"], input: ["-@"], operand: ["**"] },
  });
});

test("the list of classes has programs, sub-commands and options", () => {
  const toml = `[frob]
class = "read"
classes = { delete = ["-D"] }
also = ["frab", "frub"]
unclassed = ["frub"]
[frob.sub.push]
class = ["edit", "service"]
[other]
`;
  const text = classList(toml);
  assert.match(text, /^1 programs and 1 of their sub-commands have a class\.\n/);
  assert.match(text, /### @read\n\n.*\n\n`frab`, `frob`\n/);
  assert.match(text, /### @delete\n\n.*\n\n- `frob`: `-D`\n/);
  assert.match(text, /### @service\n\n.*\n\n- `frob`: `push`\n/);
  assert.doesNotMatch(text, /other|frub/);
});
