import assert from "node:assert/strict";
import { test } from "node:test";
import { unitText } from "../../../lib/text/call_text.ts";

/** A way to a file, and its form for people. */
const WAYS: readonly (readonly [via: string, said: string])[] = [
  ["git --output --output=x", "git --output=x"],
  ["tar --directory --directory=a b", "tar --directory=a b"],
  ["sort -o -o=x", "sort -o=x"],
  ["git --out --output=x", "git --out --output=x"],
  ["sudo", "sudo"],
  ["> x", "> x"],
];

for (const [via, said] of WAYS) {
  test(`a unit through ${via} says it once`, () => {
    const unit = {
      kind: "write",
      tool: "Write",
      text: "x",
      via,
      depth: 0,
      action: "ask",
      by: "rule",
      rule: null,
      reason: "",
      steps: [],
      classes: [],
    } as const;
    assert.equal(unitText(unit), `Write x (through ${said})`);
  });
}
