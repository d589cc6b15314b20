import assert from "node:assert/strict";
import { test } from "node:test";
import { withOpenMethods } from "../../scripts/bundle/open_methods.ts";

const CASES: readonly (readonly [why: string, text: string, expected: string])[] = [
  [
    "a method, beside a field",
    "class A { #a = 1; #m() {} async n() { await this.#m(); return this.#a; } }",
    "class A { #a = 1; __A_m() {} async n() { await this.__A_m(); return this.#a; } }",
  ],
  [
    "classes with a method of the same name",
    "class A { #m() {} n() { this.#m(); } } class B { #m() {} n() { this.#m(); } }",
    "class A { __A_m() {} n() { this.__A_m(); } } class B { __B_m() {} n() { this.__B_m(); } }",
  ],
  [
    "a class in a class",
    "class A { #m() { return class B { #m = 1; n() { return this.#m; } }; } }",
    "class A { __A_m() { return class B { #m = 1; n() { return this.#m; } }; } }",
  ],
  ["a text that looks like one", 'f("#m()"); // #m()', 'f("#m()"); // #m()'],
];

for (const [why, text, expected] of CASES) {
  test(`open methods: ${why}`, () => assert.equal(withOpenMethods(text), expected));
}

test("open methods: a name that is taken is an error", () => {
  assert.throws(() => withOpenMethods("class A { #m() {} __A_m() {} }"), /"__A_m" is taken/);
});
