import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { candidates, chosen } from "../../scripts/mutants/candidates.ts";
import { names, unmatched } from "../../scripts/mutants/equivalents.ts";
import { instrumented } from "../../scripts/mutants/instrument.ts";
import { filesOf, ROOMS } from "../../scripts/mutants/rooms.ts";
import { modulesBelow } from "../support/modules.ts";
import { REPO } from "../support/spec_run.ts";

const SOURCE = `
export type Kind = "a" | "b";
export function of(value: number, words: readonly string[]): string {
  if (value < 0) return "deny";
  const list = [
    "one",
    "two",
  ];
  switch (words[0]) {
    case "x":
      return "allow";
  }
  const isLate = value > 10 && words.length === 2;
  words.forEach((word) => {
    list.push(word);
  });
  if (value > 5) list.push("many");
  else list.push(String(value));
  return /^a$/i.test(words[1] ?? "") ? list.filter((each) => each !== "").join() : \`\${isLate}\`;
}
`;

/** The result of each call with one change of the source switched on. */
function results(id: number): readonly string[] {
  const mutants = candidates("x.ts", SOURCE, 1).map((mutant, at) => ({ ...mutant, id: at + 1 }));
  const body = instrumented(SOURCE, { mutants, probe: 1, from: "switch" })
    .replace(/^import [^;]*;/, "")
    .replace(/^export type.*$/m, "")
    .replace(/: (?:number|string|readonly string\[\])(?=[,)]| \{)/g, "")
    .replace("export function", "return function");
  const of = new Function("$m", "$p", body)((each: number) => each === id, () => {});
  const calls: readonly (readonly [number, readonly string[]])[] = [
    [-1, []],
    [0, ["x"]],
    [1, ["y", "A", ""]],
    [5, ["y", "a"]],
    [6, ["y", "a"]],
    [1, ["y", "ba"]],
    [1, ["y", "ab"]],
    [10, ["y", "b"]],
    [11, ["y", "b"]],
    [11, ["y", "b", "c"]],
  ];
  return calls.map(([value, words]) => String(of(value, words)));
}

test("a file that holds every mutant does what the file does, and with one switched on something else", () => {
  const mutants = candidates("x.ts", SOURCE, 1);
  const plain = results(0);
  assert.deepEqual(plain, [
    "deny",
    "allow",
    "one,two,y,A,1",
    "one,two,y,a,5",
    "one,two,y,a,many",
    "false",
    "false",
    "false",
    "true",
    "false",
  ]);
  assert.ok(mutants.length > 20);
  const operators = new Set<string>();
  for (const [at, { operator, change }] of mutants.entries()) {
    const changed = results(at + 1);
    // Words that are missing match nothing, and an empty word nothing either.
    if (change.startsWith("words[1] ??")) continue;
    assert.notDeepEqual(changed, plain, `${operator}: ${change}`);
    operators.add(operator);
  }
  assert.deepEqual([...operators].toSorted(), [
    "drop anchor",
    "drop call",
    "drop case",
    "drop early exit",
    "drop element",
    "drop flag",
    "drop left side",
    "drop method",
    "drop right side",
    "empty string",
    "negate condition",
    "off by one",
    "swap action",
    "swap comparison",
  ]);
});

test("at most one mutant a line is chosen, the same ones whatever stands around them", () => {
  const codes = (text: string) =>
    chosen(candidates("x.ts", text, 1), 8).map(({ code, change }) => `${code} ${change}`);
  const mutants = chosen(candidates("x.ts", SOURCE, 1), 8);
  assert.equal(mutants.length, 8);
  assert.equal(new Set(mutants.map(({ line }) => line)).size, 8);
  assert.deepEqual(codes(`// Further down.\n\n${SOURCE}`), codes(SOURCE));
  assert.notDeepEqual(
    chosen(candidates("x.ts", SOURCE, 2), 8).map(({ line, change }) => [line, change]),
    mutants.map(({ line, change }) => [line, change]),
  );
});

test("every room has files, none is in two, and every listed mutant is one of a room", () => {
  const files = modulesBelow(REPO, "lib").map(({ path }) => path);
  const all = ROOMS.flatMap((room) => filesOf(room, files));
  for (const room of ROOMS) assert.notEqual(filesOf(room, files).length, 0, room.name);
  assert.equal(new Set(all).size, all.length);
  const mutants = all.flatMap((file) =>
    candidates(file, readFileSync(join(REPO, file), "utf8"), 14)
  );
  assert.deepEqual(unmatched(mutants), []);
  const [one, other] = mutants;
  assert.ok(
    names({ ...one!, reason: "as a test" }, one!) && !names({ ...one!, reason: "" }, other!),
  );
});
