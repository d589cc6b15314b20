import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { REPO } from "../support/spec_run.ts";

/** Sentences that a review found to be riddles. None comes back, in no file that a person reads. */
const PHRASES = [
  "who adds nothing and takes nothing away",
  "What is odd in its files",
  "What is asked of a hook",
  "Whether it needs no allow rule",
  'leaves out only entries that match "no"',
  "is the only one of which that is said",
  "of which nobody knows whether its agent",
  "for one that is none",
  "where that is no answer at all",
  "what nobody but a person need be asked",
  "of which a deny alone is known to be heeded",
  "as soon as nothing is left to be done",
  "nobody is to be told",
  "where there mostly is none",
  "Take the blank away",
  "Move it away to start anew",
  "it begins as JSON and is none",
  "which tools are called with, has no such value",
  "count in full, as they are now",
  "one that must not be stopped, and what is no event",
  "A log that is not kept is a warning",
  "ever decides was not found out",
  "% of the rules, and not ",
  "hung or broke may have meant",
  "comes about in",
];

/** Forms of such sentences, in text that a person meets. */
const RIDDLES = [
  /\b[Ww]hat is (?:no|none|odd|not)\b/,
  /(?<!there )\b(?:is|are|was|were) none\b(?! of)/,
  /\bWh(?:oever|atever)\b/,
  /\bheed(?:s|ed)?\b/,
  /\bcomes? about\b/,
  /\bone's own\b/,
  /\banew\b/,
  /\b(?:is|are) told\b/,
  /\b(?:of|by|about) which (?:nobody|nothing|that)\b/,
  /\b(?:is|are|has|have) to be (?:told|said|kept)\b/,
  /\bit is no (?!longer|more)\w+/,
  /\bmatch(?:es)? whatever\b/,
  /\bfits\b/,
];

/** Of pages too: the word is `specifier`. */
const OF_PAGES = [...RIDDLES, /\bspec\b(?! file)/];

test("no phrase of the review comes back", () => {
  const files = [...below("lib"), ...below("docs"), ...below("tests/specs"), ...PAGES];
  assert.ok(files.length > 1_000, `${files.length} files`);
  const found = files.flatMap((path) => {
    const text = readFileSync(join(REPO, path), "utf8");
    return PHRASES.filter((phrase) => text.includes(phrase)).map((phrase) => `${path}: ${phrase}`);
  });
  assert.deepEqual(found, []);
});

test("no page has a riddle", () => {
  const pages = [...below("docs").filter((path) => path.endsWith(".md")), ...PAGES];
  assert.ok(pages.length > 20, `${pages.length} pages`);
  assert.deepEqual(
    pages.flatMap((path) => riddles(path, { lines: proseOf(readText(path)), forms: OF_PAGES })),
    [],
  );
});

test("no text of the program has a riddle", () => {
  const modules = below("lib").filter((path) => path.endsWith(".ts"));
  assert.ok(modules.length > 500, `${modules.length} modules`);
  assert.deepEqual(
    modules.flatMap((path) => riddles(path, { lines: literalsOf(readText(path)), forms: RIDDLES })),
    [],
  );
});

test("a riddle is found where a person would meet it", () => {
  const code = [
    "/** What is no event is dropped. */",
    "// It is none.",
    'const a = "the value is none";',
    "const b = `what is no JSON stops ${it}`;",
    'const c = "heed", d = isNone ? "none" : "";',
  ];
  assert.deepEqual(riddles("a.ts", { lines: literalsOf(code), forms: RIDDLES }), [
    "a.ts:3: is none",
    "a.ts:4: what is no",
  ]);
  const page = [
    "What is not known asks.",
    "```sh",
    "echo what is no command",
    "```",
    '| a row | `tests/io/x_test.ts` "what is no UTF-8" |',
    "Nobody writes the spec of it, or `what is no code`.",
  ];
  assert.deepEqual(riddles("a.md", { lines: proseOf(page), forms: OF_PAGES }), [
    "a.md:1: What is not",
    "a.md:6: spec",
  ]);
});

const PAGES = ["README.md", "SECURITY.md", "lib/README.md"];

/** The files below a folder, by their paths from the repository. */
function below(folder: string): readonly string[] {
  return readdirSync(join(REPO, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    return statSync(join(REPO, path)).isDirectory() ? below(path) : [path];
  });
}

function readText(path: string): readonly string[] {
  return readFileSync(join(REPO, path), "utf8").split("\n");
}

/** The lines of a page without code and without titles of tests; the others are empty. */
function proseOf(lines: readonly string[]): readonly string[] {
  let isCode = false;
  return lines.map((line) => {
    const isFence = line.trimStart().startsWith("```");
    if (isFence) isCode = !isCode;
    if (isFence || isCode) return "";
    return line.replaceAll(/`tests\/[^`]+`(?:,? ?"[^"]+")*/g, "").replaceAll(/`[^`]*`/g, "``");
  });
}

/** The texts of three words or more in each line of a module; comments are left out. */
function literalsOf(lines: readonly string[]): readonly string[] {
  const code = lines.join("\n")
    .replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ""))
    .replaceAll(/^[ \t]*\/\/.*$/gm, "");
  return code.split("\n").map((line) => {
    const literals = line.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`?/g) ?? [];
    return literals.filter((text) => text.split(" ").length > 2).join("\n");
  });
}

function riddles(
  path: string,
  { lines, forms }: { lines: readonly string[]; forms: readonly RegExp[] },
): readonly string[] {
  return lines.flatMap((line, index) =>
    forms.flatMap((riddle) => {
      const [found] = riddle.exec(line) ?? [];
      return found === undefined ? [] : [`${path}:${index + 1}: ${found}`];
    })
  );
}
