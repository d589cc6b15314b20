import assert from "node:assert/strict";
import { test } from "node:test";
import { formatNamed } from "../../../support/agents.ts";
import hostile from "../../../cases/formats/hostile.json" with { type: "json" };
import kept from "../../../cases/formats/kept.json" with { type: "json" };
import cases from "../../../cases/formats/readings.json" with { type: "json" };

interface Case {
  readonly format: string;
  readonly text: string;
  readonly rules?: readonly string[];
  readonly losses?: readonly string[];
  readonly lossKinds?: readonly string[];
  readonly problems?: readonly string[];
  readonly mode?: string;
  readonly why?: string;
}

for (
  const { format, text, rules, losses, lossKinds, problems, mode, why } of [
    ...cases,
    ...hostile,
    ...kept,
  ] as readonly Case[]
) {
  test(`${format} reads ${why ?? text.replaceAll("\n", " ")}`, () => {
    const read = formatNamed(format)!.read!(text, "x");
    const found = read.problems.map(({ span }) => `${span.line}:${span.column}`);
    assert.deepEqual(found, problems ?? []);
    if (problems) return;
    assert.deepEqual(read.rules.map(({ action, pattern }) => `${action} ${pattern}`), rules);
    const said = read.losses.map(({ kind, action, subject }) =>
      [kind, action, subject].filter(Boolean).join(" ")
    );
    if (losses) assert.deepEqual(said, losses);
    if (lossKinds) assert.deepEqual(read.losses.map(({ kind }) => kind), lossKinds);
    assert.equal(read.defaultMode, mode);
  });
}

test("a path that begins with a slash is one in the project in a project's settings only", () => {
  const text = JSON.stringify({ permissions: { allow: ["Edit(/src/**)"], deny: ["Read(/a)"] } });
  const read = formatNamed("claude")!.read!;
  assert.deepEqual(read(text, "/p/.claude/settings.json").losses, []);
  for (
    const path of ["/home/u/.claude/settings.json", "/etc/claude-code/managed-settings.json"]
  ) {
    const { rules, losses } = read(text, path);
    assert.deepEqual(rules.map(({ action }) => action), ["deny"]);
    assert.deepEqual(losses.map(({ kind }) => kind), ["widened", "dropped"], path);
  }
});
