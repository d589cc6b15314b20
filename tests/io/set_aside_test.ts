import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { setAside } from "../../scripts/bundle/set_aside.ts";
import { withTempDir } from "../support/temp_dir.ts";

/** The functions of a module that ran: those between the marks «». */
function asided(source: string): string {
  const ran: { start: number; end: number }[] = [];
  const open: number[] = [];
  let text = "";
  for (const char of source) {
    if (char === "«") open.push(text.length);
    else if (char === "»") ran.push({ start: open.pop()!, end: text.length });
    else text += char;
  }
  return setAside(text, { typical: ran, common: ran });
}

const END = "export{main};";

const CASES: readonly (readonly [why: string, source: string, expected: string])[] = [
  [
    "a function that is called",
    "«function main(){return cold(1)}»function cold(a){return a}",
    "function main(){return ($k0||$l0())[0](1)}var $k0;" +
    "function $l0(){function cold(a){return a}return $k0=[cold]}",
  ],
  [
    "a function that is a value: its name stays",
    "«function main(){return [cold,{cold}]}»function cold(a){return a}",
    "function main(){return [cold,{cold}]}var $k0;" +
    "function $l0(){function cold(a){return a}return $k0=[cold]}" +
    "function cold(...of){return($k0||$l0())[0](...of)}",
  ],
  [
    "a constant and a class that only such functions use",
    "«function main(){return cold()}»var RE=/x/,HOT=f();class A{#a=RE}function cold(){return new A(HOT)}",
    "function main(){return ($k0||$l0())[2]()}var HOT=f();var $k0;" +
    "function $l0(){var RE=/x/;class A{#a=RE}function cold(){return new A(HOT)}" +
    "return $k0=[RE,A,cold]}",
  ],
];

for (const [why, source, expected] of CASES) {
  test(`set aside: ${why}`, () => assert.equal(asided(source + END), expected + END));
}

const KEPT: readonly (readonly [why: string, source: string])[] = [
  ["a function that ran in part", "function main(){a(«()=>1»)}"],
  ["a constant that a function uses which ran", "«function main(){return RE}»var RE=/x/;"],
  ["a function that has its caller's this", "«function main(){}»function cold(){return this}"],
  ["such a function as a constant", "«function main(){}»var cold=function(){return this}"],
  ["a function that is made", "«function main(){new cold}»function cold(){}"],
  ["a function that gets another value", "«function main(){cold=1}»function cold(){}"],
  ["a function whose name something inner has, too", "«function main(cold){}»function cold(){}"],
  ["a variable that gets another value", "«function main(){}»var state=0;«function f(){state++}»"],
  ["a constant that a call makes", "«function main(){}»var a=make();"],
];

for (const [why, source] of KEPT) {
  test(`set aside: not ${why}`, () => {
    const text = `${source.replaceAll(/[«»]/g, "")}${END}`;
    assert.equal(asided(source + END), text);
  });
}

test("set aside: what is moved does the same", async () => {
  const hot = "«function main(){return [twice(2),list.map(twice),`${name()}`,plus({a:1})]}»";
  const source = `${hot}var list=[1,2];` +
    "function twice(a){return plus({a,b:a})}var one=1;function plus({a,b=one}){return a+b}" +
    'function name(){return Deep.of("x")}class Deep{static of(a){return a+name2()}}' +
    `function name2(){return "${"y".repeat(13_000)}".length}`;
  const text = asided(source + END);
  assert.match(text, /\$l1\(\)/);
  const texts = [text, (source + END).replaceAll(/[«»]/g, "")];
  const both = await withTempDir((folder) =>
    Promise.all(texts.map(async (each, index) => {
      // In a data: URL Bun takes what is behind the last dot for the kind of the file.
      const path = join(folder, `${index}.mjs`);
      writeFileSync(path, each);
      const { main } = await import(pathToFileURL(path).href);
      return main();
    }))
  );
  assert.deepEqual(both[0], both[1]);
});

test("set aside: a name of a group that is taken is an error", () => {
  assert.throws(() => asided(`«function main(){}»var $k0=1;${END}`), /"\$k0" is taken/);
});
