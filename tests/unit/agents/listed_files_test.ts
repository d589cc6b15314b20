import assert from "node:assert/strict";
import { test } from "node:test";
import { listed } from "../../../lib/agents/hook/listed_files.ts";

const TEXTS: Readonly<Record<string, string>> = {
  blanks: "docs secret",
  commas: "docs,secret",
  colons: "docs:secret",
  semicolons: "docs;secret",
  braces: "{docs,secret}",
  "a list of JSON": '["docs","secret"]',
  quotes: "'docs' \"secret\"",
};

for (const [name, text] of Object.entries(TEXTS)) {
  test(`a text of several paths is parted by ${name}, and stays whole too`, () => {
    const { paths } = listed({ paths: text }, ["paths"]);
    for (const path of [text, "docs", "secret"]) {
      assert.ok((paths as readonly string[]).includes(path), `${path}: ${JSON.stringify(paths)}`);
    }
  });
}

test("a plain path stays a text", () => {
  assert.deepEqual(listed({ paths: "src/a.ts" }, ["paths"]), { paths: "src/a.ts" });
});
