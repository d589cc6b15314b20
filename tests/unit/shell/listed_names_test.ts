import assert from "node:assert/strict";
import { test } from "node:test";
import { foundNames } from "../../../lib/shell/effects/listed_names.ts";
import { fixedWord } from "../../../lib/shell/parse/tree.ts";
import { ANY_CHAR, ANY_NAME, DEEP } from "../../../lib/pattern/path/shell_glob.ts";

function globsOf(line: string): readonly string[] | undefined {
  return foundNames(line.split(" ").map(fixedWord))?.globs;
}

test("the names that find prints are those that its tests choose", () => {
  for (
    const [line, globs] of [
      ["find . -name *.ts", [`./${DEEP}${ANY_NAME}.ts`]],
      ["find src/ lib -name a?.*", [
        `src/${DEEP}a${ANY_CHAR}.${ANY_NAME}`,
        `lib/${DEEP}a${ANY_CHAR}.${ANY_NAME}`,
      ]],
      ["find . -name a**b", [`./${DEEP}a${ANY_NAME}b`]],
      ["find . -name a\\*b", [`./${DEEP}a\\*b`]],
      ["find . -name [ab].ts", [`./${DEEP}${ANY_NAME}`]],
      ["find / -type f", [`/${DEEP}${ANY_NAME}`]],
      ["find . -name a -o -name b", [`./${DEEP}${ANY_NAME}`]],
      ["find . ! -name a", [`./${DEEP}${ANY_NAME}`]],
    ] as const
  ) assert.deepEqual(globsOf(line), globs, line);
});

test("an expression of find with a word that is not known may print anything", () => {
  for (const line of ["find . -x-o", "find . -name a -not!", "find . -other", "find . -orx a"]) {
    assert.equal(globsOf(line), undefined, line);
  }
});
