import assert from "node:assert/strict";
import { test } from "node:test";
import { hooksOfSources } from "../../../../lib/gate/hooks/hooks_of_sources.ts";
import { decodePolicy } from "../../../../lib/policy/decode/decode_policy.ts";
import type { SourceEntry } from "../../../../lib/model/rule.ts";

function entry(kind: SourceEntry["kind"], more: Partial<SourceEntry> = {}): SourceEntry {
  const text = `[[hooks.Stop]]\nhooks = [{ command = "${kind}" }]\n`;
  return {
    kind,
    path: `${kind}.toml`,
    state: "read",
    text,
    file: decodePolicy(text),
    trusted: true,
    ...more,
  };
}

test("hooks of all sources add up; those of a workspace need trust", () => {
  const { hooks, untrusted, problems } = hooksOfSources([
    entry("managed"),
    entry("local", { trusted: false }),
    entry("project"),
    { kind: "user", path: "user.toml", state: "absent", trusted: true },
    { kind: "builtin", path: "defaults", state: "read", rules: [], trusted: true },
  ]);
  const places = (all: typeof hooks) =>
    all.map(({ command, source }) =>
      `${command.value} ${source.path}:${source.line}:${source.column}`
    );
  assert.deepEqual(places(hooks), ["managed managed.toml:2:22", "project project.toml:2:22"]);
  assert.deepEqual(places(untrusted), ["local local.toml:2:22"]);
  assert.deepEqual(problems, []);
});

test("a file with an error has no hooks", () => {
  const text = '[hooks]\nStopp = []\n[[hooks.Stop]]\nhooks = [{ command = "x" }]\n';
  const broken = entry("user", { text, file: decodePolicy(text) });
  assert.deepEqual(hooksOfSources([broken]).hooks, []);
});
