import assert from "node:assert/strict";
import { test } from "node:test";
import { ProgramCatalog } from "../../../lib/shell/programs/program_catalog.ts";
import { readTable } from "../../../lib/shell/programs/whole_table.ts";

/** The characters of JSON that are parsed while something runs. */
function parsedBy(run: () => void): number {
  const { parse } = JSON;
  let count = 0;
  JSON.parse = (text, reviver) => {
    count += text.length;
    return parse(text, reviver);
  };
  try {
    run();
  } finally {
    JSON.parse = parse;
  }
  return count;
}

test("a sub-command of a program is found by each of its names, and others are not read for it", () => {
  const text = '{"sub":{},"abbreviate":true}\tadd,stage {`also`:[`stage`],`flags`:[`-A`]}\tmv {}';
  const { sub = {} } = readTable(text);
  assert.equal(sub["stage"], sub["add"]);
  assert.deepEqual(Object.keys(sub), ["add", "mv"]);
  assert.deepEqual({ ...sub }, { add: { also: ["stage"], flags: ["-A"] }, mv: {} });
});

test("a sub-command has no other names than those of the list", () => {
  const text = '{"sub":{}}\tadd,stage {`flags`:[`-a,mv x`,`,rm`]}\tmv {}\tls-files,l {}';
  const { sub = {} } = readTable(text);
  for (const name of ["", "mv x", "x", "rm", "ad", "tage", "add,stage", "files", "constructor"]) {
    assert.ok(!Object.hasOwn(sub, name), name);
    assert.ok(!(name in sub), name);
    assert.equal(sub[name], undefined, name);
  }
  assert.deepEqual([sub["mv"], sub["l"]], [{}, {}]);
  assert.deepEqual(Object.keys(sub), ["add", "mv", "ls-files"]);
  assert.deepEqual(sub["stage"], { flags: ["-a,mv x", ",rm"] });
});

test("a line that names a sub-command of git does not parse those that it does not name", () => {
  for (const name of ["status", "stage"]) {
    const count = parsedBy(() => {
      const program = new ProgramCatalog().program("git")?.sub(name);
      assert.ok(program !== undefined);
    });
    assert.ok(count < 5_000, `${count} characters for git ${name}`);
  }
});
