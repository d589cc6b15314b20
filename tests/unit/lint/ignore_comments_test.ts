import assert from "node:assert/strict";
import { test } from "node:test";
import { lintText } from "./lint_text.ts";

const OTHER = '[[permissions.rules]]\npattern = "Bash:npm*"\naction = "allow"\n';
const RULE = '[[permissions.rules]]\npattern = "Bash:git*"\naction = "allow"\n';

test("a comment holds for the rule below it, through other comments, and for no other", () => {
  const ignoring = "# caliban-ignore: leaky-prefix it is meant\n";
  assert.deepEqual(idsOf(`${ignoring}${RULE}`), []);
  assert.deepEqual(idsOf(`${ignoring}# more\n${RULE}`), []);
  assert.deepEqual(idsOf(`# more\n${ignoring}${RULE}`), []);
  assert.deepEqual(idsOf(`${ignoring}\n${RULE}`), ["ignore-comment", "leaky-prefix"]);
  assert.deepEqual(idsOf(`${ignoring}${RULE}\n${OTHER}`, "leaky-prefix"), ["leaky-prefix"]);
  assert.deepEqual(idsOf(`${RULE}${ignoring}`, "leaky-prefix"), ["leaky-prefix"]);
});

test("a comment in an inline array holds for the line below it", () => {
  const rule = '  { pattern = "Bash:git*", action = "allow" },\n';
  const ignoring = "  # caliban-ignore: leaky-prefix it is meant\n";
  const text = `[permissions]\nrules = [\n${ignoring}${rule}${rule.replace("git", "npm")}]\n`;
  assert.deepEqual(idsOf(text, "leaky-prefix"), ["leaky-prefix"]);
});

test("what stands in a string is no comment", () => {
  const text = `[[permissions.rules]]\ncomment = """\n# caliban-ignore: leaky-prefix x\n"""\n` +
    'pattern = "Bash:git*"\naction = "allow"\n';
  assert.deepEqual(idsOf(text), ["leaky-prefix"]);
});

test("a comment without a why ignores nothing", () => {
  const text = `# caliban-ignore: leaky-prefix\n${RULE}`;
  assert.deepEqual(idsOf(text), ["ignore-comment", "leaky-prefix"]);
});

test("several ids are separated by commas, and each finding needs its own", () => {
  const text = `# caliban-ignore: leaky-prefix,duplicate both are meant\n${RULE}`;
  assert.deepEqual(idsOf(text), []);
  for (const ids of ["leaky-prefix, duplicate", "duplicate, leaky-prefix", "leaky-prefix,"]) {
    assert.deepEqual(idsOf(`# caliban-ignore: ${ids} on purpose\n${RULE}`), [], ids);
  }
  assert.deepEqual(idsOf(`# caliban-ignore: leaky-prefix, duplicate\n${RULE}`), [
    "ignore-comment",
    "leaky-prefix",
  ]);
  assert.deepEqual(idsOf(`# caliban-ignore: duplicate x\n${RULE}`), [
    "ignore-comment",
    "leaky-prefix",
  ]);
});

test("a comment at the head of the file is about the whole file", () => {
  const secret = "secret-readable";
  const text = (comment: string) => `#:schema ./x.json\n${comment}\n${RULE}`;
  const { findings } = lintText(text("# caliban-ignore: secret-readable a sandbox\n"), {
    select: [secret],
  });
  assert.deepEqual(findings, []);
  assert.equal(lintText(text("# nothing"), { select: [secret] }).findings.length, 1);
});

test("neither what does not load nor a bad comment can be ignored", () => {
  const broken = "# caliban-ignore: schema x\nrulez = 1\n";
  const { findings } = lintText(broken, { select: ["schema"] });
  assert.deepEqual(findings.map(({ id }) => id), ["schema"]);
  const odd = `# caliban-ignore: ignore-comment x\n# caliban-ignore\n${RULE}`;
  assert.ok(idsOf(odd).filter((id) => id === "ignore-comment").length >= 1);
});

test("a comment about findings that nobody looked for is not judged", () => {
  const text =
    `# caliban-ignore: leaky-prefix x\n[[permissions.rules]]\npattern = "Read:**"\naction = "deny"\n`;
  assert.deepEqual(lintText(text, { ignore: ["leaky-prefix"] }).findings.map(({ id }) => id), []);
});

function idsOf(text: string, only?: string): readonly string[] {
  const ignore = ["secret-readable", "redundant", "shadowed", "duplicate"];
  const { findings } = lintText(
    text,
    only === undefined ? { ignore: ignore.slice(0, 3) } : { select: [only] },
  );
  return findings.map(({ id }) => id);
}
