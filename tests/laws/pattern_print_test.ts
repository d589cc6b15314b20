import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMAND_CLASSES, type JsonObject, type ToolProfile } from "../../lib/model/call.ts";
import { type Glob, parseGlob } from "../../lib/pattern/glob.ts";
import {
  parsePathPattern,
  type PathPattern,
  printPathPattern,
} from "../../lib/pattern/path/path_pattern.ts";
import {
  type FieldTest,
  parsePattern,
  type Specifier,
  type ValueTest,
} from "../../lib/pattern/parse_pattern.ts";
import { parseSpecifier } from "../../lib/pattern/parse_specifier.ts";
import { patternOf, printPattern } from "../../lib/pattern/print_pattern.ts";
import { urlParts } from "../../lib/pattern/url/url_pattern.ts";
import { ruleMatcher } from "../../lib/policy/compile/rule_matcher.ts";
import { toolProfiles } from "../../lib/policy/compile/profiles.ts";
import { cases, enough } from "../support/cases.ts";
import { CONTEXT, policyOf } from "../support/policy.ts";
import { type Random, randomFrom } from "../support/random.ts";

const PROFILES = toolProfiles(new Map([["Query", { firstArg: "sql", kind: "text" }]]));
const TOOLS = ["Bash", "Read", "WebFetch", "Query", "Grep", "mcp__x__y"];
const COMMON = [
  "a",
  "b",
  "😀",
  " ",
  ",",
  "=",
  "!",
  "~",
  ":",
  "(",
  ")",
  "\\",
  "/",
  ".",
  "-",
  "a=",
  "b.c!=",
];
const GLOBS = [
  "*",
  "?",
  "**",
  "domain:",
  "://",
  "/",
  "./",
  "~/",
  "[",
  "]",
  "{",
  "}",
  "[a-c]",
  "{a,b}",
];
const KEYS = ["path", "file_path", "command", "url", "sql", "timeout", "a.b-c", "_x"];

function literal(random: Random): string {
  return random.text(COMMON, 4);
}

/** A glob in its canonical shape: no two neighbouring texts or runs. */
function glob(random: Random): Glob {
  const text = Array.from(
    { length: random.below(4) },
    () => random.pick([literal(random).replace(/[\\*?]/g, "\\$&"), "*", "?"]),
  ).join("");
  const parsed = parseGlob(text);
  assert.ok(parsed.ok);
  return parsed.value;
}

function pathPattern(random: Random): PathPattern {
  for (;;) {
    const pattern = parsePathPattern(random.text([...COMMON, ...GLOBS, "\\,", "C:/", "é"], 6));
    if (pattern.ok) return pattern.value;
  }
}

function urlGlob(random: Random): Glob {
  for (;;) {
    const text = random.pick(["https", "http*", "*", "a?", ""]) +
      random.pick(["://", "://", ""]) + random.pick(["x.org", "*.x.org", "x.*", "münchen.de", ""]) +
      random.pick(["", ":*", ":80"]) + random.text(["/", "a", "*", "?", ",", "a=", "~", "\\*"], 4);
    const parsed = parseGlob(text);
    if (parsed.ok && text !== "" && urlParts(text).ok) return parsed.value;
  }
}

function valueTest(random: Random, profile: ToolProfile): ValueTest {
  switch (profile.kind) {
    case "path":
      return { kind: "path", pattern: pathPattern(random) };
    case "url":
      return random.below(4) === 0
        ? { kind: "domain", host: random.pick(["x.org", "[::1]", "127.0.0.1"]) }
        : { kind: "url", glob: urlGlob(random) };
    case "command":
      return {
        kind: "command",
        anchor: random.pick(["whole", "prefix", "contains"]),
        glob: glob(random),
      };
    case "text":
      return { kind: "text", glob: glob(random) };
  }
}

function fieldTest(random: Random, profile: ToolProfile): FieldTest {
  const key = random.pick(KEYS);
  const first = profile.firstArg?.includes(key) ?? false;
  const kind = first ? profile.kind : random.pick(["text", "text", "path", "url"] as const);
  const test = valueTest(random, { ...profile, kind });
  const whole: ValueTest = test.kind === "command" ? { ...test, anchor: "whole" } : test;
  return { key, negated: random.below(2) === 0, isArgument: first, test: whole };
}

function spec(random: Random, profile: ToolProfile): Specifier {
  switch (random.below(6)) {
    case 5:
      return profile.kind === "command"
        ? { kind: "class", name: random.pick(COMMAND_CLASSES) }
        : { kind: "any" };
    case 0:
      return { kind: "any" };
    case 1:
    case 2:
      return { kind: "argument", test: valueTest(random, profile) };
    default:
      return {
        kind: "fields",
        fields: Array.from({ length: 1 + random.below(3) }, () => fieldTest(random, profile)),
      };
  }
}

/** True if the grammar can say the tree. A tree with an empty test, or that means the same as another, has no text. */
function isCanonical(tree: Specifier, profile: ToolProfile): boolean {
  if (tree.kind === "any" || tree.kind === "class") return true;
  if (tree.kind === "fields") return tree.fields.every(isCanonicalField) && isField(tree, profile);
  const { test } = tree;
  if (test.kind === "path") return printPathPattern(test.pattern) !== "";
  if (test.kind === "domain") return true;
  const everything = test.glob.length === 1 && test.glob[0]!.kind === "star";
  return test.glob.length > 0 &&
    (!everything || test.kind === "command" && test.anchor === "prefix");
}

/** A known key comes first, where the tool has a first argument. */
function isField(tree: Extract<Specifier, { kind: "fields" }>, profile: ToolProfile): boolean {
  const { key } = tree.fields[0]!;
  if (profile.firstArg === undefined || profile.firstArg.length === 0) return true;
  return profile.firstArg.includes(key) || profile.fields.includes(key);
}

/** In a field that is not the first argument a path has a base and a URL a scheme; brackets cannot hold a further key. */
function isCanonicalField({ test, isArgument: first }: FieldTest): boolean {
  switch (test.kind) {
    case "path":
      return (first || test.pattern.base !== "plain") &&
        !test.pattern.glob.some((node) => node.kind === "set" && node.text.includes(","));
    case "url":
      return first || test.glob[0]?.kind === "text" && /^[a-z]+:\/\//.test(test.glob[0].text);
    case "domain":
      return false;
    case "text":
    case "command":
      return true;
  }
}

function reread(tree: Specifier, profile: ToolProfile): { text: string; spec: Specifier } {
  const text = printPattern(patternOf([{ kind: "text", text: profile.name }], tree));
  const pattern = parsePattern(text);
  assert.ok(pattern.ok, `${JSON.stringify(text)} is a pattern`);
  const read = parseSpecifier(pattern.value, profile);
  assert.ok(read.ok, `${JSON.stringify(text)} has a spec`);
  return { text, spec: read.value };
}

for (const [seed, tool] of TOOLS.entries()) {
  test(`a spec about ${tool} is read back from its text as the same tree`, () => {
    const random = randomFrom(100 + seed);
    const profile = PROFILES.get(tool);
    let tried = 0;
    for (let round = 0; round < cases(8_000); round++) {
      const tree = spec(random, profile);
      if (!isCanonical(tree, profile)) continue;
      tried++;
      const { text, spec: read } = reread(tree, profile);
      assert.deepEqual(read, tree, text);
    }
    assert.ok(tried > enough(2_000), `only ${tried} trees`);
  });
}

function callFor(random: Random): JsonObject {
  const value = random.text([...COMMON, "/home/u/ws/a", "https://x.org/a", "b/a"], 4);
  return Object.fromEntries(KEYS.map((key) => [key, random.pick([value, "a", "/a", "b"])]));
}

for (const [seed, tool] of TOOLS.entries()) {
  test(`any pattern about ${tool} keeps its tree and meaning when printed, and its text from then on`, () => {
    const random = randomFrom(200 + seed);
    const profile = PROFILES.get(tool);
    const policy = policyOf([]);
    let tried = 0;
    for (let round = 0; round < cases(8_000); round++) {
      const inner = random.text([...COMMON, ...GLOBS, ...KEYS.map((key) => `${key}=`)], 6);
      const pattern = parsePattern(random.pick([`${tool}:${inner}`, `${tool}(${inner})`]));
      if (!pattern.ok) continue;
      const again = parsePattern(printPattern(pattern.value));
      assert.deepEqual(again, pattern);
      const tree = parseSpecifier(pattern.value, profile);
      if (!tree.ok) continue;
      tried++;
      const { text, spec: read } = reread(tree.value, profile);
      assert.deepEqual(read, tree.value, JSON.stringify({ inner, text }));
      assert.equal(reread(read, profile).text, text);
      const action = random.pick(["allow", "deny"] as const);
      const options = { action, profile, shell: "parsed" as const, context: CONTEXT };
      const request = policy.request({ tool, input: callFor(random) });
      assert.equal(
        ruleMatcher(read, options)(request),
        ruleMatcher(tree.value, options)(request),
        text,
      );
    }
    assert.ok(tried > enough(1_000), `only ${tried} patterns`);
  });
}
