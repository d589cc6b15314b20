import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { modulesBelow } from "../support/modules.ts";
import { REPO } from "../support/spec_run.ts";

/** The most names that a newcomer should have to look through at `.`. */
const MOST_NAMES = 45;

/** Words that gave way to the field's own, or to one word for one thing; see the glossary in lib/README.md. */
const RETIRED = new Set([
  ..."facts walk walked walks judge judged judging judgement odd opaque quiet trade companion"
    .split(" "),
  ..."transparent spec specs reach guard guards guarded knowledge said saying say told tell"
    .split(" "),
  ..."wire latch chip crossing extent need needs remedy candidate item data info manager helper util"
    .split(" "),
]);

/** Names that keep a retired word for a reason: JSON that is public, or the word's other meaning. */
const KEPT: ReadonlySet<string> = new Set([]);

/** The names that a module exports, by its text. */
function exportsOf(text: string): readonly string[] {
  const declared = text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type) (\w+)/gm,
  );
  const lists = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return [
    ...[...declared].map(([, name]) => name!),
    ...[...lists].flatMap(([, list]) =>
      list!.split(",").map((each) => each.trim().replace(/^type /, "").replace(/^.* as /, ""))
        .filter((name) => name !== "")
    ),
  ];
}

function wordsOf(name: string): readonly string[] {
  return name.split(/_|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
}

test("the public API at . is small enough to be read", () => {
  const names = exportsOf(readFileSync(join(REPO, "mod.ts"), "utf8"));
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.length > 20 && names.length <= MOST_NAMES, `${names.length} names: ${names}`);
});

test("the library needs no command line", () => {
  const text = readFileSync(join(REPO, "mod.ts"), "utf8");
  assert.ok(!text.includes("lib/cli/"));
});

test("every entry point of the package is in both manifests", () => {
  const [deno, npm] = ["deno.json", "package.json"].map((name) =>
    JSON.parse(readFileSync(join(REPO, name), "utf8")).exports
  );
  assert.deepEqual(deno, npm);
  assert.deepEqual(Object.keys(deno), [".", "./core", "./patterns", "./adapters", "./cli"]);
});

test("no exported name of lib has a retired word in it", () => {
  const found = modulesBelow(REPO, "lib").flatMap(({ path, lines }) =>
    exportsOf(lines.join("\n")).filter((name) =>
      !KEPT.has(name) && wordsOf(name).some((word) => RETIRED.has(word))
    )
      .map((name) => `${path}: ${name}`)
  );
  assert.deepEqual(found, []);
});
