import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { decide } from "../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../lib/decide/evaluate.ts";
import { defaultMode } from "../../../lib/decide/modes.ts";
import { COMMAND_CLASSES } from "../../../lib/model/call.ts";
import { CLASS_PHRASES } from "../../../lib/model/class_phrases.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import { classLines } from "../../../lib/report/class_text.ts";
import { ownRepository } from "../../support/own_repository.ts";

/** A line of one command, and its classes in words. */
const WORDS: readonly (readonly [string, ...string[]])[] = [
  ["cat a b", "@read: reads files: a, b"],
  ["pwd", "@read: only reads"],
  ["rg -n x", "@read: reads files: ./**"],
  ["rm -rf build/ 'a\u001bb'", "@delete: removes files: build/, a\\u{1b}b"],
  ["cp a b", "@edit: changes files: b", "@read: reads files: a"],
  ["tee a b c d e", "@edit: changes files: a, b, c and 2 more"],
  ["echo $TOKEN", "@secret: shows the environment or secrets"],
  ["ls --zork", "@unknown: the option `--zork` of `ls` is not in its table"],
  ["ls -l$x", "@unknown: the option `-l$x` of `ls` is not in its table"],
  ["LD_PRELOAD=x ls", "@unknown: a variable before the command may change what it does"],
  ["bin/ls", "@code: runs other code"],
  ["/opt/x/ls", "@unknown: the program is named by a path outside the folders of the system"],
  ["frob", "@unknown: no table describes the program"],
  ["evil a", "@unknown: no table describes the program"],
];

function policyOf(isSystemProgram = () => true) {
  return policyFromToml("", {
    workspace: "/work",
    isSystemProgram,
    gitRepository: () => "here",
    textOf: () => null,
    gitState: (folder) => ownRepository(folder),
  });
}

function bash(command: string) {
  return { tool: "Bash", input: { command }, cwd: "/work" };
}

test("the classes of a command in words name its files, or say why they are unknown", () => {
  for (const [line, ...expected] of WORDS) {
    const { verdict, commandOf } = evaluateCall(policyOf(), bash(line));
    const command = commandOf(verdict.units[0]!);
    assert.ok(command, line);
    assert.deepEqual(classLines(command), expected, line);
  }
  const { verdict, commandOf } = evaluateCall(policyOf(() => false), bash("ls"));
  assert.deepEqual(classLines(commandOf(verdict.units[0]!)!), [
    "@unknown: PATH leads `ls` to no program of the system",
  ]);
});

test("every class has words of its own", () => {
  assert.deepEqual(Object.keys(CLASS_PHRASES), [...COMMAND_CLASSES]);
  const phrases = Object.values(CLASS_PHRASES).map(({ does }) => does);
  assert.equal(new Set(phrases).size, phrases.length);
});

/** Classes with commands of git that may run a hook. */
const HOOKED: ReadonlySet<string> = new Set(["repository", "delete", "service", "code"]);

test("each example of a class has that class alone, or a program without one", () => {
  for (const [name, { examples }] of Object.entries(CLASS_PHRASES)) {
    for (const line of examples) {
      const { verdict, commandOf } = evaluateCall(policyOf(), bash(line));
      const classes = verdict.units.flatMap((unit) => commandOf(unit)?.classes ?? []);
      const others = classes.filter((each) => each !== name && each !== "unknown");
      // A hook of git may run with a change of the repository.
      const allowed = HOOKED.has(name)
        ? ["project"]
        : name === "install"
        ? ["code", "project"]
        : [];
      assert.deepEqual(others.filter((each) => !allowed.includes(each)), [], line);
    }
  }
  for (const name of ["read", "edit"] as const) {
    for (const line of CLASS_PHRASES[name].examples) {
      assert.deepEqual(
        evaluateCall(policyOf(), bash(line)).verdict.units[0]!.classes,
        [name],
        line,
      );
    }
  }
});

test("each unit of a decision has its classes, in a copy too, and they cost nothing until they are read", () => {
  let asked = 0;
  const policy = policyOf(() => ++asked > 0);
  const evaluation = evaluateCall(policy, bash('cat a > b; sudo rm c; "$x"; frob'));
  const { units } = decide(policy, evaluation, { mode: defaultMode });
  assert.equal(asked, 0);
  const classes = units.map(({ text, classes }) => [text, classes.join(" ")]);
  assert.deepEqual(classes, [
    ["cat a > b", "read"],
    ["b", "edit"],
    ["sudo rm c", "unknown"],
    ["rm c", "delete"],
    ['"$x"', "unknown"],
    ["frob", "unknown"],
  ]);
  assert.ok(asked > 0);
  assert.deepEqual(
    structuredClone(units).map(({ classes }) => classes),
    units.map((unit) => unit.classes),
  );
});

test("a call of another tool has no classes, and a line that is not taken apart may do anything", () => {
  const unitOf = (toml: string, tool: string, input: Record<string, string>) =>
    evaluateCall(policyFromToml(toml), { tool, input }).verdict.units[0]!;
  assert.deepEqual(unitOf("", "Read", { path: "a" }).classes, []);
  assert.deepEqual(
    unitOf('[permissions]\nshell = "literal"\n', "Bash", { command: "ls" }).classes,
    ["unknown"],
  );
});
