// Needs --allow-read: docs/cli.md has every variable that the program reads.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { REPO } from "../support/spec_run.ts";

test("docs/cli.md has every variable of caliban", () => {
  const files = readdirSync(join(REPO, "lib"), { recursive: true, encoding: "utf8" });
  const texts = files.filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(REPO, "lib", name), "utf8"));
  const names = new Set(
    texts.flatMap((text) => [...text.matchAll(/"(CALIBAN_[A-Z_]+)"/g)].map(([, name]) => name!)),
  );
  const page = readFileSync(join(REPO, "docs/cli.md"), "utf8");
  assert.ok(names.size > 5);
  assert.deepEqual([...names].filter((name) => !page.includes(`\`${name}\``)).sort(), []);
});
