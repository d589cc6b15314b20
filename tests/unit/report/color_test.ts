import assert from "node:assert/strict";
import { test } from "node:test";
import { ANSI, PLAIN } from "../../../lib/report/color.ts";

const STYLES = ["bold", "dim", "red", "green", "yellow", "cyan"] as const;

test("plain changes nothing", () => {
  for (const style of STYLES) assert.equal(PLAIN[style]("x"), "x");
});

test("every ANSI style is another, ends itself, and leaves nothing empty", () => {
  const shown = STYLES.map((style) => ANSI[style]("x"));
  assert.equal(new Set(shown).size, STYLES.length);
  // deno-lint-ignore no-control-regex
  for (const text of shown) assert.match(text, /^\x1b\[\d+mx\x1b\[\d+m$/);
  for (const style of STYLES) assert.equal(ANSI[style](""), "");
});

test("styles nest", () => {
  assert.equal(
    ANSI.bold(`a${ANSI.red("b")}c`),
    "\x1b[1ma\x1b[31mb\x1b[39mc\x1b[22m",
  );
});
