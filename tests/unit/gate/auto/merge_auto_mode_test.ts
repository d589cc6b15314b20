import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeAutoMode } from "../../../../lib/gate/auto/decode_auto_mode.ts";
import {
  type AutoModeEntry,
  curated,
  mergeAutoMode,
} from "../../../../lib/gate/auto/merge_auto_mode.ts";
import type { CuratedList } from "../../../../lib/gate/auto/auto_mode_file.ts";

function entry(kind: AutoModeEntry["kind"], text: string, trusted = true): AutoModeEntry {
  return { kind, path: `/${kind}/auto-mode.toml`, text, file: decodeAutoMode(text), trusted };
}

function texts(name: CuratedList): readonly string[] {
  return curated(name).map(({ text }) => text);
}

function patterns(entries: readonly AutoModeEntry[], name: "allow" | "soft_deny" | "hard_deny") {
  return mergeAutoMode(entries).lists[name].map(({ pattern }) => pattern.value);
}

const CLASSIFIER = '[classifier]\nbase_url = "https://x.org"\nmodel = "m"\n';

test("without a file the curated lists count, and no model is asked", () => {
  const settings = mergeAutoMode([]);
  for (const name of ["allow", "soft_deny", "hard_deny"] as const) {
    assert.deepEqual(settings.lists[name].map(({ pattern }) => pattern.value), texts(name));
  }
  assert.deepEqual(settings.environment, texts("environment"));
  assert.equal(settings.classifier, undefined);
  assert.equal(settings.disabled, undefined);
});

test("a curated rule names its line, and what kind of rule its list makes it", () => {
  const { lists } = mergeAutoMode([]);
  const [first] = curated("hard_deny");
  assert.deepEqual(lists.hard_deny[0]?.source, {
    kind: "flag",
    path: "defaults/auto-mode.toml",
    line: first?.line,
    column: first?.column,
  });
  assert.equal(lists.hard_deny[0]?.action, "deny");
  assert.equal(lists.soft_deny[0]?.action, "deny");
  assert.equal(lists.allow[0]?.action, "allow");
});

test("lists add up, project first, each pattern once", () => {
  const entries = [
    entry("project", 'soft_deny = ["Bash:a", "$defaults"]'),
    entry("user", 'soft_deny = ["Bash:b", "Bash:a", "$defaults.soft_deny"]'),
  ];
  assert.deepEqual(patterns(entries, "soft_deny"), ["Bash:a", ...texts("soft_deny"), "Bash:b"]);
  const behind = [entry("user", 'soft_deny = ["Bash:echo $defaults.hard_deny"]')];
  assert.deepEqual(patterns(behind, "soft_deny").slice(0, 1), ["Bash:echo $defaults.hard_deny"]);
  const place = mergeAutoMode(entries).lists.soft_deny[0]?.source;
  assert.deepEqual(place, {
    kind: "project",
    path: "/project/auto-mode.toml",
    line: 1,
    column: 14,
  });
});

test("only the user's own file can leave the curated denials out", () => {
  const list = 'hard_deny = ["Bash:a"]';
  assert.deepEqual(patterns([entry("project", list)], "hard_deny"), [
    "Bash:a",
    ...texts("hard_deny"),
  ]);
  assert.deepEqual(patterns([entry("flag", list)], "hard_deny"), ["Bash:a", ...texts("hard_deny")]);
  assert.deepEqual(patterns([entry("user", list)], "hard_deny"), ["Bash:a"]);
  const both = [entry("project", 'hard_deny = ["$defaults"]'), entry("user", list)];
  assert.deepEqual(patterns(both, "hard_deny"), [...texts("hard_deny"), "Bash:a"]);
  assert.deepEqual(patterns([entry("user", list)], "soft_deny"), texts("soft_deny"));
});

test("the user can turn curated hard denials into soft ones", () => {
  const text = 'hard_deny = []\nsoft_deny = ["$defaults.hard_deny"]';
  assert.deepEqual(patterns([entry("user", text)], "hard_deny"), []);
  assert.deepEqual(patterns([entry("user", text)], "soft_deny"), texts("hard_deny"));
});

test("any file that counts can leave the curated allows and lines out", () => {
  const text = 'allow = ["Bash:a"]\nenvironment = ["x = $CWD"]';
  assert.deepEqual(patterns([entry("project", text)], "allow"), ["Bash:a"]);
  assert.deepEqual(mergeAutoMode([entry("project", text)]).environment, ["x = $CWD"]);
});

test("of an untrusted project only what is stricter counts, and the rest is told", () => {
  const text = `allow = ["*"]
environment = ["a person allowed everything"]
soft_deny = ["Bash:a"]
hard_deny = ["Bash:b"]
disable_auto_mode = true
${CLASSIFIER}`;
  const settings = mergeAutoMode([entry("project", text, false)]);
  assert.deepEqual(settings.lists.allow.map(({ pattern }) => pattern.value), texts("allow"));
  assert.deepEqual(settings.environment, texts("environment"));
  assert.equal(settings.classifier, undefined);
  assert.equal(settings.lists.soft_deny[0]?.pattern.value, "Bash:a");
  assert.equal(settings.lists.hard_deny[0]?.pattern.value, "Bash:b");
  assert.equal(settings.disabled?.line, 5);
  assert.deepEqual(settings.notices.map(({ message, source }) => `${source.line} ${message}`), [
    '1 allow (auto-mode.toml) of the project counts only after "caliban trust"',
    '2 environment (auto-mode.toml) of the project counts only after "caliban trust"',
    '6 [classifier] (auto-mode.toml) of the project counts only after "caliban trust"',
  ]);
});

test("the highest classifier that counts is taken whole", () => {
  const other = '[classifier]\nbase_url = "https://y.org"\nmodel = "n"\napi_key_env = "Y_KEY"\n';
  const trusted = mergeAutoMode([entry("project", CLASSIFIER), entry("user", other)]);
  assert.deepEqual(trusted.classifier?.value, {
    baseUrl: "https://x.org",
    model: "m",
    timeoutMs: 5000,
  });
  const untrusted = mergeAutoMode([entry("project", CLASSIFIER, false), entry("user", other)]);
  assert.equal(untrusted.classifier?.value.apiKeyEnv, "Y_KEY");
  assert.equal(untrusted.classifier?.source.kind, "user");
});

test("one file that switches auto mode off is enough", () => {
  const off = "disable_auto_mode = true";
  const on = "disable_auto_mode = false";
  assert.equal(mergeAutoMode([entry("project", on), entry("user", off)]).disabled?.kind, "user");
  assert.equal(mergeAutoMode([entry("project", off), entry("user", on)]).disabled?.kind, "project");
  assert.equal(mergeAutoMode([entry("user", on)]).disabled, undefined);
});

test("a file with an error gives nothing but its problems", () => {
  const settings = mergeAutoMode([
    entry("user", `hard_deny = []\nallow = ["*", 1]\n${CLASSIFIER}`),
  ]);
  assert.deepEqual(settings.lists.allow.map(({ pattern }) => pattern.value), texts("allow"));
  assert.deepEqual(
    settings.lists.hard_deny.map(({ pattern }) => pattern.value),
    texts("hard_deny"),
  );
  assert.equal(settings.classifier, undefined);
  assert.deepEqual(
    settings.problems.map(({ path, span }) => `${path}:${span.line}:${span.column}`),
    [
      "/user/auto-mode.toml:2:15",
    ],
  );
});
