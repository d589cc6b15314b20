import assert from "node:assert/strict";
import { test } from "node:test";
import { policyOf } from "../../support/policy.ts";

const policy = policyOf([{ pattern: "Bash(git:*)", action: "allow" }]);

function lineOf(command: string) {
  return policy.request({ tool: "Bash", input: { command } }).line;
}

test("a line that comes again is read twice and then kept, and reads the same", () => {
  const [first, second, third] = [1, 2, 3].map(() => lineOf("git log | head -3"));
  assert.notEqual(first, second);
  assert.equal(second, third);
  assert.deepEqual(first!.effects.map(({ text }) => text), third!.effects.map(({ text }) => text));
});

test("policies with the default programs share the line that was read last, each with its own rules", () => {
  const other = policyOf([{ pattern: "Bash(git:*)", action: "deny" }]);
  const wrapped = policyOf([{ pattern: "Bash(git:*)", action: "deny" }], { wrappers: ["log"] });
  const call = { tool: "Bash", input: { command: "log git push 1 | tee x" } };
  const lines = [policy, other, wrapped, policy].map((each) => each.request(call).line!);
  assert.equal(lines[0], lines[1]);
  assert.equal(lines[0]!.isKept, undefined);
  assert.notEqual(lines[2], lines[0]);
  assert.notDeepEqual(lines[2]!.effects, lines[0]!.effects);
  // The policy's own second sight: a copy, with which it keeps what it finds.
  assert.equal(lines[3]!.isKept, true);
  assert.notEqual(lines[3], lines[0]);
  assert.equal(other.request({ ...call, input: { command: "git push" } }).line!.isKept, undefined);
});

test("a line whose wildcards name plain files is kept beside its other reading", () => {
  let name = "a.ts";
  const listing = policyOf([{ pattern: "Bash(git:*)", action: "allow" }], {
    context: {
      listFolder: (path) =>
        path === "/home/u/ws"
          ? [{ name, kind: "other" }]
          : ["home", "u", "ws"].map((each) => ({ name: each, kind: "folder" })),
    },
  });
  const read = () =>
    listing.request({ tool: "Bash", input: { command: "for f in *.ts; do git show $f; done" } })
      .line;
  const lines = [read(), read(), read(), read()];
  assert.equal(lines[2], lines[3]);
  name = "-x.ts";
  assert.notEqual(read(), lines[3]);
  name = "a.ts";
  assert.equal(read(), lines[3]);
});

test("a long line is never kept", () => {
  const long = `git log ${"a".repeat(600)}`;
  const [first, second, third] = [1, 2, 3].map(() => lineOf(long));
  assert.notEqual(first, second);
  assert.notEqual(second, third);
});

test("of the lines of a day that come again nearly all are kept", () => {
  const lines = Array.from({ length: 700 }, (_, at) => `git diff HEAD~${at} docs/${at}.md`);
  for (let times = 0; times < 2; times++) lines.forEach(lineOf);
  const before = lines.map(lineOf);
  const kept = lines.map(lineOf).filter((line, at) => line === before[at]).length;
  assert.ok(kept > 650, `${kept}`);
});

test("of many lines that come again a bounded number is kept", () => {
  const lines = Array.from({ length: 3_000 }, (_, at) => `git show HEAD~${at}`);
  const kept = () => {
    const before = lines.map(lineOf);
    return lines.map(lineOf).filter((line, at) => line === before[at]).length;
  };
  kept();
  assert.ok(kept() <= 1_024, `${kept()}`);
});

test("the rules for the commands of a line that is kept are found once, and are those of a new line", () => {
  const rules = Array.from({ length: 40 }, (_, at) => ({
    pattern: at % 2 === 0 ? `Bash(tool${at}:*)` : `Bash:git log -${at} *`,
    action: at % 3 === 0 ? "deny" : "allow",
  } as const));
  const many = policyOf(rules);
  const command = "tool6 x | git log -7 a";
  const found = Array.from({ length: 4 }, () => {
    const request = many.request({ tool: "Bash", input: { command } });
    const line = request.line!;
    return line.effects.map((effect) => many.candidates(request.of({ effect, line })));
  });
  const [first, , third, fourth] = found;
  assert.ok(first!.flat().length > 0);
  assert.deepEqual(first, third);
  third!.forEach((candidates, at) => assert.equal(candidates, fourth![at]));
});
