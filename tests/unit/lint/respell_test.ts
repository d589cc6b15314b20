import assert from "node:assert/strict";
import { test } from "node:test";
import { respelled } from "../../../lib/lint/respell.ts";

/** A command, what stands for its operand, and spellings that must be among the others. */
const TABLE: readonly (readonly [string, string | undefined, readonly string[]])[] = [
  ["rm -rf", "x", [
    "rm -fr x",
    "rm -r -f x",
    "rm -f -r x",
    "rm --recursive --force x",
    "rm -Rf x",
    "rm x -rf",
    "rm -v -rf x",
  ]],
  ["rm -r -f", "x", ["rm -rf x", "rm -fr x"]],
  ["rm --recursive --force", "x", ["rm -rf x", "rm -fr x"]],
  ["git push --force", "x", [
    "git push -f x",
    "git push x --force",
    "git push --force-with-lease x",
  ]],
  ["git branch -D", "x", ["git branch -d -f x", "git branch --delete --force x"]],
  ["chmod 777", "x", ["chmod 0777 x", "chmod a+rwx x"]],
  ["curl -X POST", "x", ["curl --request POST x"]],
  ["npm install", "x", ["npm i x", "npm add x"]],
  ["rm -rf /", undefined, ["rm -fr /", "rm / -rf"]],
];

test("known programs are written otherwise", () => {
  for (const [command, operand, wanted] of TABLE) {
    const spellings = respelled(command.split(" "), operand);
    const missing = wanted.filter((each) => !spellings.includes(each));
    assert.deepEqual(missing, [], `${command}: ${spellings.join("; ")}`);
  }
});

test("no spelling is the command itself, and none stands twice", () => {
  for (const [command, operand] of TABLE) {
    const spellings = respelled(command.split(" "), operand);
    assert.ok(!spellings.includes([command, operand ?? []].flat().join(" ")));
    assert.equal(new Set(spellings).size, spellings.length);
  }
});

test("an option and its value stay together", () => {
  for (const spelling of respelled(["curl", "-X", "POST"], "x")) {
    assert.match(spelling, /(?:-X|--request) POST|-X$|^curl POST x -X$/);
  }
});

test("nothing is known of other programs", () => {
  assert.deepEqual(respelled(["frobnicate", "-rf"], "x"), []);
  assert.deepEqual(respelled([], "x"), []);
  assert.deepEqual(respelled(["constructor"], "x"), []);
});
