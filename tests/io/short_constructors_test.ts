import assert from "node:assert/strict";
import { test } from "node:test";
import { withShortConstructors } from "../../scripts/bundle/short_constructors.ts";

/** A statement that makes a body long. */
const LONG = `f("${"x".repeat(150)}");`;

const MOVED: readonly (readonly [why: string, text: string, expected: string])[] = [
  [
    "its parameters stay with the body",
    `class A implements B { #a = 1; constructor(a: C, { b = a }: D = {}) { ${LONG} this.#a = b; } }`,
    "class A implements B { #a = 1; constructor(of0, of1) { this.__A_constructor(of0, of1); } " +
    `__A_constructor(a: C, { b = a }: D = {}) { ${LONG} this.#a = b; } }`,
  ],
  [
    "no parameter",
    `class A { constructor() { ${LONG} } }`,
    `class A { constructor() { this.__A_constructor(); } __A_constructor() { ${LONG} } }`,
  ],
  [
    "it ends early",
    `class A { constructor(a) { if (a) return; ${LONG} } }`,
    "class A { constructor(of0) { this.__A_constructor(of0); } " +
    `__A_constructor(a) { if (a) return; ${LONG} } }`,
  ],
  [
    "two classes, one in the other",
    `class A { constructor() { class B { constructor() { ${LONG} } } } }`,
    "class A { constructor() { this.__A_constructor(); } __A_constructor() { " +
    "class B { constructor() { this.__B_constructor(); } " +
    `__B_constructor() { ${LONG} } } } }`,
  ],
];

for (const [why, text, expected] of MOVED) {
  test(`short constructors: ${why}`, () => assert.equal(withShortConstructors(text), expected));
}

const KEPT: readonly (readonly [why: string, text: string])[] = [
  ["a short one", "class A { constructor(a) { this.a = a; } }"],
  ["one of a class that extends", `class A extends B { constructor() { super(); ${LONG} } }`],
  ["one of a class without a name", `f(class { constructor() { ${LONG} } });`],
  ["one that returns a value", `class A { constructor(a) { ${LONG} if (a) return a; } }`],
  ["one that asks for its target", `class A { constructor() { ${LONG} f(() => new.target); } }`],
  ["one with its arguments", `class A { constructor() { ${LONG} f(() => arguments); } }`],
  ["one with the arguments in a default", `class A { constructor(a = arguments) { ${LONG} } }`],
  ["one with any number of parameters", `class A { constructor(...a) { ${LONG} } }`],
  ["one whose parameter is a property", `class A { constructor(private a: B) { ${LONG} } }`],
  ["one of several forms", `class A { constructor(a: B); constructor(a: C) { ${LONG} } }`],
];

for (const [why, text] of KEPT) {
  test(`short constructors: not ${why}`, () => assert.equal(withShortConstructors(text), text));
}

test("short constructors: an object is made as before", () => {
  const source = "class A { x = 1; #y = log.push('fields'); " +
    "constructor(a = log.push('parameters'), { b } = { b: 2 }) " +
    `{ log.push('body'); if (a > 5) return; this.y = [a, b, this.#y, "${"x".repeat(150)}"]; } }` +
    "return [new A(), new A(undefined, { b: 3 }), new A(9), new A(0).constructor === A];";
  const short = withShortConstructors(source);
  assert.notEqual(short, source);
  const [before, after] = [source, short].map((each) => {
    const log: string[] = [];
    return { made: new Function("f", "log", each)(() => {}, log), log };
  });
  assert.deepEqual(after!.log, before!.log);
  assert.equal(JSON.stringify(after!.made), JSON.stringify(before!.made));
});

test("short constructors: a name that is taken is an error", () => {
  const text = `class A { constructor() { ${LONG} } __A_constructor() {} }`;
  assert.throws(() => withShortConstructors(text), /"__A_constructor" is taken/);
});
