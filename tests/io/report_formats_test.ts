import assert from "node:assert/strict";
import { test } from "node:test";
import * as formats from "../../lib/report/formats.ts";

for (const [name, registry] of Object.entries(formats)) {
  test(`${name} begins with text, names each format once, and loads a renderer for each`, async () => {
    const names = registry.map((format) => format.name);
    assert.equal(names[0], "text");
    assert.ok(names.includes("json"));
    assert.equal(new Set(names).size, names.length);
    for (const format of registry) assert.equal(typeof await format.load(), "function");
  });
}
