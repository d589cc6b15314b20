import assert from "node:assert/strict";
import { test } from "node:test";
import agents from "../../../defaults/agents.json" with { type: "json" };
import protectedPlaces from "../../../defaults/protected.json" with { type: "json" };
import { moduleOf } from "../../../scripts/bundle/parse_tables.ts";
import { HEAD, scriptOf } from "../../../scripts/bundle/script_of.ts";
import { textLines } from "../../../scripts/bundle/text_lines.ts";

/** The default export of a module that imports nothing. */
function valueOf(module: string): unknown {
  return new Function(module.replace(/^export default /m, "return "))();
}

for (
  const [name, value] of Object.entries({
    agents,
    protectedPlaces,
    "a list": [1, { a: "b" }],
    "a text": "\"'`${x}\\\n\u2028",
    "odd names": { "": 1, "a b": null, "0": [], "constructor": "c", "\u{1f600}": '"' },
  })
) {
  test(`a table that is parsed part by part is the same: ${name}`, () => {
    const parsed = valueOf(moduleOf(value));
    assert.deepEqual(JSON.parse(JSON.stringify(parsed)), value);
    // And again, now that each part was parsed.
    assert.deepEqual(JSON.parse(JSON.stringify(parsed)), value);
  });
}

test("each text is found by its place, and its line has the mark", () => {
  const { text, mark, lines } = textLines([["a", "x y"], ["b", ""], ["*c", "z\tz"]]);
  assert.match(mark, /^[0-9a-f]{16}$/);
  const found = lines.trim().split("\n").map((line) => {
    const [name, start, length] = line.split(" ");
    return [name, text.slice(Number(start), Number(start) + Number(length))];
  });
  assert.deepEqual(found, [
    ["a", `\n${mark} a x y\n`],
    ["b", `\n${mark} b \n`],
    ["*c", `\n${mark} *c z\tz\n`],
  ]);
  assert.notEqual(textLines([["a", "x z"]]).mark, textLines([["a", "x y"]]).mark);
});

test("a text that is no line is not bundled", () => {
  for (const [name, text] of [["a", "x\ny"], ["a b", "x"], ["a", "\u00e9"]] as const) {
    assert.throws(() => textLines([[name, text]]), /Cannot bundle the text/);
  }
});

test("the script of a module has its body and its exports", () => {
  const body = "const a=1;function $b(){return __here}";
  assert.equal(
    scriptOf(`${HEAD}${body}export{a,$b as c};\n`),
    `(function(__load,__here){"use strict";${body}\nreturn{a,c:$b}})`,
  );
  assert.equal(scriptOf(`${body}export{a};\n`), undefined);
  assert.equal(scriptOf(`${HEAD}${body}`), undefined);
});
