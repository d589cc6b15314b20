import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { readLine } from "../../../lib/shell/read_line.ts";

test("a bundle of letters without the values that it needs is read", () => {
  for (const line of ["tar kubectl", "tar ffx", "tar fffz a", "tar cbx"]) {
    const { effects } = readLine(line, { wantsClasses: true });
    assert.equal(effects[0]?.text, line);
    assert.ok(effects.every(({ traits }) => traits === undefined || traits().classes.length > 0));
  }
});
