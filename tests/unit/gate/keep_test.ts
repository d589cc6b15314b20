import assert from "node:assert/strict";
import { test } from "node:test";
import { addToText } from "../../../lib/policy/edit/add_to_text.ts";
import type { FileScope, RuleFiles } from "../../../lib/gate/gate_parts.ts";
import type { AskAnswer } from "../../../lib/model/verdict.ts";
import { decodePolicy } from "../../../lib/policy/decode/decode_policy.ts";
import type { SourceEntry } from "../../../lib/model/rule.ts";
import type { CompiledPolicy } from "../../../lib/policy/compile/compiled_policy.ts";
import { recompiled } from "../../../lib/suggest/policy_with_rules.ts";
import { bash, ended, gateOf, person, policyWith, write } from "./scene.ts";

/** Files by their scope: their text, and whether they are trusted. */
type Texts = Readonly<Partial<Record<FileScope, string>>>;

/** The rules as a file has them, `allow Bash:git *` one a line. */
function toml(...rules: readonly string[]): string {
  return rules.map((rule) => {
    const [action, ...pattern] = rule.split(" ");
    return `[[permissions.rules]]\npattern = '${pattern.join(" ")}'\naction = "${action}"\n`;
  }).join("\n");
}

/** The rules of a text, one a line. */
function rulesIn(text: string): readonly string[] {
  return decodePolicy(text).rules.map(({ action, pattern }) => `${action} ${pattern.value}`);
}

function policyOf(texts: Texts, trusted = true): CompiledPolicy {
  const base = policyWith();
  const kinds = ["local", "project", "user"] as const;
  const entries = kinds.map((kind): SourceEntry => {
    const text = texts[kind];
    const about = { kind, path: `/files/${kind}.toml`, trusted: kind === "user" || trusted };
    return text === undefined
      ? { ...about, state: "absent" }
      : { ...about, state: "read", text, file: decodePolicy(text) };
  });
  const builtin = base.sources.entries.filter(({ kind }) => kind === "builtin");
  const policy = recompiled(base, [...entries, ...builtin]);
  assert.ok(policy);
  return policy;
}

/** Files in memory. */
interface TestFiles extends RuleFiles {
  /** Their texts now. */
  readonly texts: Partial<Record<FileScope, string>>;
}

function filesOf(texts: Texts): TestFiles {
  const now = { ...texts };
  return {
    texts: now,
    add: addToText,
    edit({ scope, path }, edit) {
      assert.equal(path, `/files/${scope}.toml`);
      const text = edit(now[scope] ?? "");
      if (text !== undefined) now[scope] = text;
      return Promise.resolve(undefined);
    },
  };
}

async function answered(
  texts: Texts,
  { answer, call = bash("git push"), trusted = true }: {
    readonly answer: Partial<AskAnswer>;
    readonly call?: ReturnType<typeof bash>;
    readonly trusted?: boolean;
  },
) {
  const files = filesOf(texts);
  const ask = person({ kind: "allow-always", scope: "project", ...answer });
  const gate = gateOf(policyOf(texts, trusted), { ask, files });
  const decision = await gate.decide(call);
  return { ask, gate, decision, texts: files.texts };
}

test("the files of a loaded policy are offered, the session first", async () => {
  const { ask } = await answered({}, { answer: { kind: "deny-once" } });
  assert.deepEqual(ask.questions[0]?.scopes, ["session", "project", "user", "local"]);
});

test("where a built-in rule asks, an allow goes to the end of the file", async () => {
  const before = toml("allow Bash:ls", "deny Bash:rm *");
  const { texts, decision, gate } = await answered({ project: before }, { answer: {} });
  assert.equal(ended(decision), "allow ask");
  assert.deepEqual(decision.warnings, []);
  assert.deepEqual(rulesIn(texts.project!), [
    "allow Bash:ls",
    "deny Bash:rm *",
    "allow Bash(git push:*)",
  ]);
  assert.ok(texts.project!.startsWith(before));
  assert.deepEqual(gate.sessionRules, [{ pattern: "Bash(git push:*)", action: "allow" }]);
});

test("a file that is not there yet is made with its schema line", async () => {
  const { texts } = await answered({}, { answer: { scope: "user" } });
  assert.ok(texts.user!.startsWith("#:schema ./permissions.schema.json\n"));
  assert.deepEqual(rulesIn(texts.user!), ["allow Bash(git push:*)"]);
});

test("an allow goes directly above the rule that asks", async () => {
  const project = toml("deny Bash:git push --force *", "ask Bash:git push *", "ask Bash:git *");
  const { texts, decision } = await answered({ project }, { answer: { comment: "ours" } });
  assert.deepEqual(decision.warnings, []);
  assert.deepEqual(rulesIn(texts.project!), [
    "deny Bash:git push --force *",
    "allow Bash(git push:*)",
    "ask Bash:git push *",
    "ask Bash:git *",
  ]);
  assert.match(texts.project!, /comment = "ours"/);
});

test("each rule of a compound line goes above the one that asks about its unit", async () => {
  const project = toml("ask Bash:npm *", "deny Bash:git push --force *", "ask Bash:git push *");
  const call = bash("npm test && git push");
  const { texts, decision } = await answered({ project }, { answer: {}, call });
  assert.deepEqual(decision.warnings, []);
  assert.deepEqual(rulesIn(texts.project!), [
    "allow Bash:npm test",
    "ask Bash:npm *",
    "deny Bash:git push --force *",
    "allow Bash(git push:*)",
    "ask Bash:git push *",
  ]);
});

test("a deny goes above the first rule that would beat it, and tells the model why", async () => {
  const project = toml("allow Bash:ls", "allow Bash:git push --tags", "ask Bash:git *");
  const answer = { kind: "deny-always", comment: "we review first" } as const;
  const { texts, decision } = await answered({ project }, { answer });
  assert.equal(ended(decision), "deny ask");
  assert.deepEqual(rulesIn(texts.project!), [
    "allow Bash:ls",
    "deny Bash(git push:*)",
    "allow Bash:git push --tags",
    "ask Bash:git *",
  ]);
  assert.match(texts.project!, /reason = "we review first"/);
});

test("where a higher source would still decide, the rule stays in the session", async () => {
  const texts = { local: toml("ask Bash:git push *"), project: "" };
  const found = await answered(texts, { answer: {} });
  assert.equal(found.texts.project, "");
  assert.deepEqual(found.decision.warnings, [
    "The answer is kept for this session only: `ask Bash:git push *` (/files/local.toml:1) would still decide this call",
  ]);
  assert.equal(ended(await found.gate.decide(bash("git push"))), "allow rule");
  const denied = await answered({ local: toml("allow Bash:git push --tags", "ask Bash") }, {
    answer: { kind: "deny-always", scope: "user" },
  });
  assert.equal(denied.texts.user, undefined);
  assert.match(denied.decision.warnings.join(), /`ask Bash` .* would still decide this call$/);
});

test("where it would lift a deny, the rule stays in the session", async () => {
  const user = toml("deny Bash:git push --force *");
  const { texts, decision, gate } = await answered({ user }, { answer: {} });
  assert.equal(texts.project, undefined);
  assert.deepEqual(decision.warnings, [
    "The answer is kept for this session only: there it would allow calls that `deny Bash:git push --force *` (/files/user.toml:1) denies",
  ]);
  assert.equal(ended(await gate.decide(bash("git push --force x"))), "deny rule");
  assert.equal(ended(await gate.decide(bash("git push x"))), "allow rule");
  const same = await answered({ user }, { answer: { scope: "user" } });
  assert.deepEqual(rulesIn(same.texts.user!), [
    "deny Bash:git push --force *",
    "allow Bash(git push:*)",
  ]);
});

test("a project that is not trusted keeps no allow, unless the user's file asks for no trust", async () => {
  const { texts, decision } = await answered({ project: "" }, { answer: {}, trusted: false });
  assert.equal(texts.project, "");
  assert.match(decision.warnings.join(), /^The answer is kept for this session only: /);
  const user = "[permissions]\nrequire_trust = false\n";
  const plain = await answered({ user, project: "" }, { answer: {}, trusted: false });
  assert.notEqual(plain.texts.project, "");
});

test("a pattern that answers two rules is not put above a deny between them", async () => {
  const project = toml(
    "ask Bash:git push *",
    "deny Bash:git push --force *",
    "ask Bash:git pull *",
  );
  const { texts, decision } = await answered({ project }, {
    answer: { pattern: "Bash(git:*)" },
    call: bash("git push && git pull"),
  });
  assert.equal(texts.project, project);
  assert.deepEqual(decision.warnings, [
    "The answer is kept for this session only: `ask Bash:git push *` (/files/project.toml:1) would still decide this call",
  ]);
});

test("a trusted project keeps the answer, and there is nothing to say", async () => {
  const { texts, decision } = await answered({ project: "" }, { answer: {} });
  assert.notEqual(texts.project, "");
  assert.deepEqual(decision.warnings, []);
});

test("a file that cannot be edited is told, and the rule stays in the session", async () => {
  const project = '[permissions]\nask = ["Bash:git push *"]\n';
  const older = await answered({ project }, { answer: {} });
  assert.equal(older.texts.project, project);
  assert.match(older.decision.warnings.join(), /^The answer is kept for this session only: /);
  const ask = person({ kind: "allow-always", scope: "project" });
  const files = { ...filesOf({}), edit: () => Promise.reject(new Error("read-only")) };
  const gate = gateOf(policyOf({}), { ask, files });
  const decision = await gate.decide(bash("git push"));
  assert.equal(ended(decision), "allow ask");
  assert.deepEqual(decision.warnings, ["The answer is kept for this session only: read-only"]);
  assert.equal(gate.sessionRules.length, 1);
});

test("what another process wrote meanwhile stays, and a rule that stands is not written twice", async () => {
  const texts = { project: toml("ask Bash:git push *") };
  const files = filesOf({ project: toml("allow Bash(git push:*)", "ask Bash:git push *") });
  const ask = person({ kind: "allow-always", scope: "project" });
  await gateOf(policyOf(texts), { ask, files }).decide(bash("git push"));
  assert.deepEqual(rulesIn(files.texts.project!), [
    "allow Bash(git push:*)",
    "ask Bash:git push *",
  ]);
});

test("the answer to a safety check is never written to a file", async () => {
  const project = toml("allow Write");
  const { ask, texts, decision } = await answered({ project }, {
    answer: {},
    call: write(".git/config"),
  });
  assert.deepEqual(ask.questions[0]?.scopes, ["session"]);
  assert.equal(texts.project, project);
  assert.match(decision.warnings.join(), /cannot be kept in "project"/);
});

test("an allow that a file's place would put above a deny it may beat stays in the session", async () => {
  for (const deny of ["Bash:* --force*", "Bash:~--force", "*(* --force *)"]) {
    const { texts, gate, decision } = await answered({ user: toml(`deny ${deny}`) }, {
      answer: {},
    });
    assert.equal(ended(decision), "allow ask");
    assert.equal(texts.project, undefined, deny);
    assert.deepEqual(decision.warnings, [
      `The answer is kept for this session only: there it could allow calls that \`deny ${deny}\` ` +
      "(/files/user.toml:1) denies",
    ]);
    assert.equal((await gate.decide(bash("git push --force x"))).decision, "deny");
    const own = await answered({ user: toml(`deny ${deny}`) }, { answer: { scope: "user" } });
    assert.deepEqual(rulesIn(own.texts.user!), [`deny ${deny}`, "allow Bash(git push:*)"]);
  }
});
