import assert from "node:assert/strict";
import { test } from "node:test";
import agents from "../../../defaults/agents.json" with { type: "json" };
import protectedPlaces from "../../../defaults/protected.json" with { type: "json" };
import { namedParts } from "../../../scripts/bundle/named_parts.ts";
import { scriptsForNode } from "../../../scripts/bundle/node_scripts.ts";
import { latePackage } from "../../../scripts/bundle/late_package.ts";
import { moduleOf } from "../../../scripts/bundle/parse_tables.ts";
import { HEAD, scriptOf } from "../../../scripts/bundle/script_of.ts";
import { textLines } from "../../../scripts/bundle/text_lines.ts";
import { valuesOf } from "../../../scripts/stage_source.ts";

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
  const { text, mark, lines } = textLines([["a", "x y"], ["b", ""], ["*c", "z"]]);
  assert.match(mark, /^[0-9a-f]{16}$/);
  const found = lines.trim().split("\n").map((line) => {
    const [name, start, length] = line.split(" ");
    return [name, text.slice(Number(start), Number(start) + Number(length))];
  });
  assert.deepEqual(found, [
    ["a", `\n${mark} a x y\n`],
    ["b", `\n${mark} b \n`],
    ["*c", `\n${mark} *c z\n`],
  ]);
  assert.notEqual(textLines([["a", "x z"]]).mark, textLines([["a", "x y"]]).mark);
});

test("each part of a text has a line of its own, and the text says where", () => {
  const { text, mark, lines } = textLines([["a", "x"], ["git", "own\tadd,stage one 1\tmv two"]]);
  const lineAt = (start: string, length: string) =>
    text.slice(Number(start), Number(start) + Number(length));
  const [, start, length] = lines.trim().split("\n")[1]!.split(" ");
  const line = lineAt(start!, length!);
  const places = /^\n\w{16} git own\tadd,stage (\d+) (\d+)\tmv (\d+) (\d+)\n$/.exec(line);
  assert.ok(places !== null, line);
  assert.equal(lineAt(places[1]!, places[2]!), `\n${mark} add one 1\n`);
  assert.equal(lineAt(places[3]!, places[4]!), `\n${mark} mv two\n`);
});

test("a text that is no line is not bundled", () => {
  for (const [name, text] of [["a", "x\ny"], ["a b", "x"], ["a", "\u00e9"]] as const) {
    assert.throws(() => textLines([[name, text]]), /Cannot bundle the text/);
  }
});

test("the script of a module has its body, and puts its exports where the bundle looks for them", () => {
  const body = "const a=1;function $b(){return __here}";
  type All = { readonly a: number; readonly c: () => string };
  const link: { here: string; hot?: Partial<All> & { readonly $all: () => All } } = {
    here: "file:///x",
  };
  const globals = { [Symbol.for("caliban.bundle")]: link };
  new Function("globalThis", scriptOf(`${HEAD}${body}export{a,$b as c};\n`, ["c"]))(globals);
  assert.deepEqual(Object.keys(link.hot ?? {}), ["c", "$all"]);
  assert.equal(link.hot?.$all().a, 1);
  assert.equal(link.hot.$all().c(), "file:///x");
  assert.equal(link.hot.c?.(), "file:///x");
  assert.throws(() => scriptOf(`${body}export{a};\n`), /Cannot bundle hot\.js/);
  assert.throws(() => scriptOf(`${HEAD}${body}`), /Cannot bundle hot\.js/);
});

test("the scripts for Node load each other, and no module before hot.js", () => {
  const { main, start } = scriptsForNode({
    main: '#!/usr/bin/env deno\nimport("./start.js").then(f);import("./start.js").then(g);',
    start: 'var v=a(import.meta.url);var{b:start0,c:start1}=await v((()=>import("./hot.js")));' +
      "export{start0,start1};\n",
  });
  assert.equal(
    main,
    '#!/usr/bin/env node\n"use strict";require("./start.cjs").then(f);require("./start.cjs").then(g);',
  );
  assert.equal(
    start,
    '"use strict";var v=a(require("node:url").pathToFileURL(__filename).href);' +
      'module.exports=v((()=>import("./hot.js"))).then(({b:start0,c:start1})=>({start0,start1}));\n',
  );
});

test("files that have what only a module has become no scripts", () => {
  const main = 'import("./start.js")';
  const last = 'var{b:start0}=await v(()=>import("./hot.js"));export{start0};';
  assert.throws(() => scriptsForNode({ main: "", start: last }), /caliban\.js or start\.js/);
  assert.throws(() => scriptsForNode({ main, start: "export{a};" }), /caliban\.js or start\.js/);
  const other = `${main};import.meta.dirname`;
  assert.throws(() => scriptsForNode({ main: other, start: last }), /caliban\.js or start\.js/);
  const start = `import.meta.dirname;${last}`;
  assert.throws(() => scriptsForNode({ main, start }), /what only a module has/);
});

test("a package on demand runs once, when its first function is called", () => {
  const late = latePackage(
    "made.push(1);\nfunction f(a) { return a + made.length }\nexport {\n  f as g,\n  f\n};\n",
  );
  const made: number[] = [];
  const body = late.replaceAll("export function", "function");
  const { f, g } = new Function("made", `${body}return { f, g };`)(made);
  assert.equal(made.length, 0);
  assert.deepEqual([f(1), g(2), made.length], [2, 3, 1]);
  assert.throws(() => latePackage('import a from "a";\nexport { a };\n'), /stands alone/);
  assert.throws(() => latePackage("var a;"), /stands alone/);
});

/** The bundler's output: parts, and chunks of what several of them need. */
const BUILT: Readonly<Record<string, string>> = {
  "cli.js": 'import("./hot-1.js");',
  "cli-1.js": 'var t=1;import("./setting-1.js");export{t,$a};\n',
  "hot-1.js": 'import{t}from"./cli-1.js";export{t as start0};\n',
  "cli-2.js": 'import{t}from"./cli-1.js";var b=t;export{b,c};\n',
  "setting-1.js":
    'import{b}from"./cli-2.js";import{$a}from"./cli-1.js";export{$a as hot,b as setting0};\n',
  "rest-1.js":
    'import{t}from"./cli-1.js";import{b}from"./cli-2.js";import{$a}from"./cli-1.js";export{b as rest0};\n',
};

test("each part of the bundle has its name, and the part for settings exports what it is asked for", () => {
  assert.deepEqual(Object.fromEntries(namedParts(new Map(Object.entries(BUILT)))), {
    "caliban.js": 'import("./start.js");',
    "hot.js": 'var t=1;import("./setting.js");export{t,$a};\n',
    "start.js": 'import{t}from"./hot.js";export{t as start0};\n',
    "setting.js": 'import{t}from"./hot.js";var b=t;export{b,c,b as setting0};\n',
    "rest.js":
      'import{t}from"./hot.js";import{b}from"./setting.js";import{$a}from"./hot.js";export{b as rest0};\n',
  });
});

const SETTING = BUILT["setting-1.js"]!;
for (
  const [about, changed, message] of [
    ["a chunk more", { "cli-3.js": "" }, /Cannot name "cli-3\.js"/],
    ["a part twice", { "hot-2.js": BUILT["hot-1.js"]! }, /another start\.js/],
    [
      "a part that does more than name",
      { "hot-1.js": 'import{t}from"./cli-1.js";t()' },
      /something else/,
    ],
    [
      "a start of two chunks",
      { "hot-1.js": `import{b}from"./cli-2.js";${BUILT["hot-1.js"]}` },
      /something else/,
    ],
    [
      "settings without a chunk",
      { "setting-1.js": 'import{t}from"./cli-1.js";export{t};' },
      /something else/,
    ],
    ["settings of another chunk", {
      "setting-1.js": SETTING.replace("};\n", ",$a as setting1};\n"),
    }, /Cannot name "\$a as setting1"/],
    [
      "settings with a name of their own",
      { "setting-1.js": SETTING.replace("{b}", "{x as b}") },
      /Cannot name "b as setting0"/,
    ],
    ["settings that export nothing", { "cli-2.js": "var b=1;" }, /exports nothing/],
  ] as const
) {
  test(`no bundle is made of ${about}`, () => {
    const files = new Map<string, string>(Object.entries({ ...BUILT, ...changed }));
    assert.throws(() => namedParts(files), message);
  });
}

test("names from one chunk may be imported in two steps", () => {
  const twice = SETTING.replace("import{b}", 'import{c}from"./cli-2.js";import{b}')
    .replace("};\n", ",c as setting1};\n");
  const parts = namedParts(new Map(Object.entries({ ...BUILT, "setting-1.js": twice })));
  assert.match(parts.get("setting.js")!, /export\{b,c,b as setting0,c as setting1\};\n$/);
});

test("no bundle is made of a part less", () => {
  for (const name of Object.keys(BUILT)) {
    const { [name]: _, ...fewer } = BUILT;
    assert.throws(() => namedParts(new Map(Object.entries(fewer))), /something else|Cannot name/);
  }
});

test("the values of a module are all that it exports, without its types", () => {
  const text = [
    "export type T = 1;",
    "export interface I {}",
    "export const a = 1;",
    "export function b() {}",
    "export async function c() {}",
    "export function* d() {}",
    "export class E {}",
    "export abstract class F {}",
    "const g = 1, h = 2;",
    "export { g, h as i, type T as U };",
    "export {",
    "  l,",
    "  type V,",
    "};",
    'export { j } from "./j.ts";',
    'export type { K } from "./k.ts";',
  ].join("\n");
  const names = ["a", "b", "c", "d", "E", "F", "g", "i", "l", "j"];
  assert.equal(valuesOf("m", text), `{ ${names.map((each) => `${each}: m.${each}`).join(", ")} }`);
});

for (
  const line of [
    "export let a = 1;",
    "export var a = 1;",
    "export default 1;",
    'export * from "./a.ts";',
    "export const { a } = b;",
    "export enum A { B }",
  ]
) {
  test(`a module is not bundled by its values with: ${line}`, () => {
    assert.throws(() => valuesOf("m", `export const z = 1;\n${line}\n`), /no name that stays/);
  });
}
