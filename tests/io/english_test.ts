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

test("no comment, no heading and no first line of a page or spec begins with a question word", () => {
  const files = [".", ".ci"].flatMap(filesIn).concat(FOLDERS.flatMap(below));
  const read = files.map((path) => [path, startsOf(path)] as const);
  for (const [ending, least] of Object.entries(LEAST_STARTS)) {
    const starts = read.flatMap(([path, each]) => path.endsWith(ending) ? each : []);
    assert.ok(starts.length >= least, `${starts.length} in ${ending}`);
  }
  assert.deepEqual(
    read.flatMap(([path, starts]) => starts.flatMap((start) => questions(path, start))),
    [],
  );
});

test("a question word is found at the beginning of a comment, not in a wrapped line", () => {
  const found = (path: string, lines: readonly string[]) =>
    startsIn(path, lines).flatMap((start) => questions(path, start));
  const code = [
    "/** What it is. */",
    "/**",
    " * Whether it is there,",
    " * whatever it is.",
    " *",
    " * Where it is.",
    " */",
    "const a = 1;\t// how much",
    "// A folder,",
    "// where it is.",
    "const b = [",
    "// Whoever asks.",
    "  'What is it?',",
    "];",
  ];
  assert.deepEqual(found("a.ts", code), [
    "a.ts:1: What",
    "a.ts:3: Whether",
    "a.ts:6: Where",
    "a.ts:8: how",
    "a.ts:12: Whoever",
  ]);
  const table = ["# Which it is,", "# what it is.", "", "#   What it does", "a = 1 # Who did it"];
  assert.deepEqual(found("a.toml", table), ["a.toml:4: What", "a.toml:5: Who"]);
  const spec = ["# untrusted", "# Whoever asks,", "# how often.", "--- stdin", "# What"];
  assert.deepEqual(found("a.spec.txt", spec), ["a.spec.txt:2: Whoever"]);
  const page = [
    "How it began.",
    "",
    "## Whatever",
    "",
    "What is not found.",
    "```",
    "# What",
    "```",
  ];
  assert.deepEqual(found("a.md", page), ["a.md:1: How", "a.md:3: Whatever"]);
});

const PAGES = ["README.md", "SECURITY.md", "lib/README.md"];

/** The least number of comments, headings and first lines that are read, by the end of the path. */
const LEAST_STARTS = {
  ".ts": 5_000,
  ".toml": 300,
  ".spec.txt": 100,
  ".md": 100,
  ".sh": 1,
  ".ci/run": 5,
};

/** The folders with files of our own. */
const FOLDERS = ["bench", "defaults", "docs", "examples", "lib", "scripts", "tests"];

/** The files below a folder, by their paths from the repository; installed packages are left out. */
function below(folder: string): readonly string[] {
  const folders = readdirSync(join(REPO, folder)).map((name) => `${folder}/${name}`)
    .filter((path) => !path.endsWith("/node_modules") && isFolder(path));
  return [...filesIn(folder), ...folders.flatMap(below)];
}

/** The files in a folder itself. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(join(REPO, folder)).map((name) => `${folder}/${name}`)
    .filter((path) => !isFolder(path));
}

function isFolder(path: string): boolean {
  return statSync(join(REPO, path)).isDirectory();
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

/** The beginning of a paragraph, and its line, from 1. */
interface Start {
  readonly text: string;
  readonly line: number;
}

const QUESTION = /^(?:what|whether|how|where|who|whoever|whatever)\b/i;

function questions(path: string, { text, line }: Start): readonly string[] {
  const [found] = QUESTION.exec(text) ?? [];
  return found === undefined ? [] : [`${path}:${line}: ${found}`];
}

/** A comment that has its line to itself, and one behind code; the group is its text. */
interface Comments {
  readonly own: RegExp;
  readonly behind: RegExp;
}

const SLASHES: Comments = {
  own: /^\s*(?:\/\*\*?|\/\/|\*(?=\s|\/|$))\s*(.*)$/,
  behind: /\S\s+\/\/\s+(.*)$/,
};
const HASHES: Comments = { own: /^\s*#+\s*(.*)$/, behind: /\S\s+#\s+(.*)$/ };

function startsOf(path: string): readonly Start[] {
  return /(?:\.(?:ts|toml|sh|md|spec\.txt)|\.ci\/run)$/.test(path)
    ? startsIn(path, readText(path))
    : [];
}

/** The beginnings of paragraphs: of comments, or of a page its headings and its first line. */
function startsIn(path: string, lines: readonly string[]): readonly Start[] {
  if (path.endsWith(".ts")) return commentStarts(lines, SLASHES);
  if (path.endsWith(".md")) return headingsIn(proseOf(lines));
  if (!path.endsWith(".spec.txt")) return commentStarts(lines, HASHES);
  const head = lines.slice(0, lines.findIndex((line) => line.startsWith("--- ")));
  return commentStarts(head.map((line) => line === "# untrusted" ? "" : line), HASHES);
}

/** The first line of each paragraph of comments. A line that goes on with the one above is left out. */
function commentStarts(lines: readonly string[], { own, behind }: Comments): readonly Start[] {
  return lines.flatMap((line, index) => {
    const text = own.exec(line)?.[1];
    const above = own.exec(lines[index - 1] ?? "")?.[1] ?? "";
    const goesOn = above !== "" && !above.endsWith("*/") && !/^\s*\/\*/.test(line);
    if (text !== undefined) return goesOn || text === "" ? [] : [{ text, line: index + 1 }];
    const [, last] = behind.exec(line) ?? [];
    return last === undefined ? [] : [{ text: last, line: index + 1 }];
  });
}

/** The headings of a page, and its first line. */
function headingsIn(lines: readonly string[]): readonly Start[] {
  const first = lines.findIndex((line) => line !== "");
  return lines.flatMap((line, index) =>
    index === first || /^#+\s/.test(line)
      ? [{ text: line.replace(/^#+\s+/, ""), line: index + 1 }]
      : []
  );
}
