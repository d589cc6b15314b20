import assert from "node:assert/strict";
import { test } from "node:test";
import type { Key, KeyName } from "../../../lib/prompt/keys.ts";
import { fieldAfterKey, fieldOf, fieldText } from "../../../lib/prompt/text_field.ts";

const CASES:
  readonly (readonly [start: string, keys: readonly (KeyName | `+${string}`)[], end: string])[] = [
    ["ab", ["+c"], "ab|c".replace("|", "") + "|"],
    ["ab", ["left", "+x"], "ax|b"],
    ["ab", ["left", "left", "left", "backspace", "+x"], "x|ab"],
    ["ab", ["right", "backspace"], "a|"],
    ["ab", ["home", "delete"], "|b"],
    ["ab", ["delete"], "ab|"],
    ["a👍b", ["left", "backspace"], "a|b"],
    ["git push *", ["erase-word"], "git push |"],
    ["git push  ", ["erase-word"], "git |"],
    ["git push", ["erase-line", "+x"], "x|"],
    ["git push", ["home", "right", "erase-rest"], "g|"],
    ["a", ["home", "end", "+b"], "ab|"],
    ["a\nb\tc", ["up", "other", "enter"], "a b c|"],
    ["", ["+x\r\ny"], "x y|"],
  ];

function keyOf(text: KeyName | `+${string}`): Key {
  return text.startsWith("+") ? { kind: "paste", text: text.slice(1) } : { kind: text as KeyName };
}

for (const [start, keys, end] of CASES) {
  test(`${JSON.stringify(start)} after ${keys.join(", ")}`, () => {
    const line = keys.map(keyOf).reduce(fieldAfterKey, fieldOf(start));
    const shown = line.characters.toSpliced(line.cursor, 0, "|").join("");
    assert.equal(shown, end);
    assert.equal(fieldText(line), end.replace("|", ""));
  });
}
