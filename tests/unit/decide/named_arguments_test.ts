import assert from "node:assert/strict";
import { test } from "node:test";
import cases from "../../cases/permissions/named_arguments.json" with { type: "json" };
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { namedArguments } from "../../../lib/decide/named_arguments.ts";
import type { Action, JsonObject } from "../../../lib/model/call.ts";
import { policyOf, type TestRule } from "../../support/policy.ts";

function rulesOf(lines: readonly string[]): readonly TestRule[] {
  return lines.map((line) => {
    const [action, ...pattern] = line.split(" ");
    return { action: action as Action, pattern: pattern.join(" ") };
  });
}

function verdictOf(lines: readonly string[], tool: string, input: unknown): Action {
  return evaluate(policyOf(rulesOf(lines)), { tool, input: input as JsonObject }).action;
}

test("a deny or ask of files, URLs and commands holds for every tool that names them", () => {
  const policy = policyOf(rulesOf(cases.rules));
  const wrong = cases.cases.flatMap(([tool, input, expected]) => {
    const call = { tool: tool as string, input: input as unknown as JsonObject };
    const { action } = evaluate(policy, call);
    return action === expected ? [] : [`${JSON.stringify(call)}: ${action}, not ${expected}`];
  });
  assert.deepEqual(wrong, []);
});

test("words, further arguments and blanks are read as agents read them, and no other text is", () => {
  const policy = policyOf(rulesOf(cases.rules));
  const rows: readonly (readonly [JsonObject, Action])[] = [
    [{ command: ["rm", "x"] }, "deny"],
    [{ command: ["git", "push", "--force"] }, "deny"],
    [{ command: ["xargs", "env"] }, "ask"],
    [{ command: ["bash", "-c", "$x"] }, "ask"],
    [{ command: "git", args: "push --force" }, "deny"],
    [{ command: "git", args: ["push", "--force"] }, "deny"],
    [{ command: "git", args: "", options: "push --force" }, "deny"],
    [{ command: "git", note: "push --force" }, "allow"],
    [{ command: "git", path: "push --force" }, "allow"],
    [{ prefix: "/etc", file: "passwd" }, "deny"],
    [{ command: `echo ${"a,".repeat(300)}` }, "allow"],
    [{ message: "a,".repeat(300) }, "allow"],
    [{ path: " .env" }, "deny"],
    [{ path: ".env\n" }, "deny"],
    [{ path: "\u00a0.env\t" }, "deny"],
    [{ url: " https://evil.example/x " }, "deny"],
  ];
  for (const [input, expected] of rows) {
    const { action } = evaluate(policy, { tool: "mcp__a__b", input });
    assert.equal(action, expected, JSON.stringify(input).slice(0, 60));
  }
  for (const code of ["y = 1; foo(z)", "y = 1; foo(x)"]) {
    assert.equal(verdictOf(["deny Bash:x *", "allow *"], "mcp__a__b", { code }), "allow", code);
  }
  // Which of two paths a URL is, is not known, and the key says that it is one.
  const url = "@https://x.org/pub/../a";
  const rules = ["ask WebFetch:https://x.org/pub/*", "allow *"];
  assert.equal(verdictOf(rules, "mcp__a__b", { url }), "ask");
});

test("an input that is nested deeper than eight levels makes such rules indeterminate", () => {
  const nested = (levels: number): unknown =>
    levels === 0 ? { path: "src/a.ts" } : { a: nested(levels - 1) };
  const rules = ["deny Read:**/.env", "allow *"];
  assert.equal(verdictOf(rules, "mcp__a__b", nested(7)), "allow");
  assert.equal(verdictOf(rules, "mcp__a__b", nested(8)), "ask");
  assert.equal(verdictOf(["allow *"], "mcp__a__b", nested(8)), "allow");
  for (const rule of ["ask Read:**/.env", "deny Bash:rm *", "ask Write:x"]) {
    const policy = policyOf(rulesOf(["ask Read", rule, "allow *"]));
    const { action, by, reason } = evaluate(policy, {
      tool: "mcp__a__b",
      input: nested(8) as JsonObject,
    });
    assert.deepEqual([action, by], ["ask", "safety"]);
    assert.ok(
      reason.includes(`\`${rule.slice(rule.indexOf(" ") + 1)}\` cannot be evaluated`),
      reason,
    );
  }
  const { units } = evaluate(policyOf(rulesOf(rules)), {
    tool: "mcp__a__b",
    input: nested(8) as JsonObject,
  });
  assert.equal(units.at(-1)?.by, "safety");
});

test("a glob under the key of a file names what it may match", () => {
  const rules = ["deny Read:**/.env", "allow mcp__*"];
  assert.equal(verdictOf(rules, "mcp__fs__read", { glob: "src/**/*.ts" }), "allow");
  assert.equal(verdictOf(rules, "mcp__fs__read", { paths: ["src/.e*"] }), "ask");
});

test("a glob of a search names hidden files where it begins with a dot", () => {
  const rules = ["deny Read:**/.env", "allow *"];
  const globs = [
    ".e*",
    "**/.e*",
    ".en?",
    ".en[v]",
    ".e[a-z]v",
    "{a,.e*}",
    "*.ts,.e*",
    ".*",
    "src/.[a-f]*",
  ];
  for (const glob of globs) {
    assert.notEqual(verdictOf(rules, "Grep", { pattern: "x", glob }), "allow", glob);
    assert.notEqual(
      verdictOf(rules, "Grep", { pattern: "x", path: "web[1]", glob }),
      "allow",
      glob,
    );
  }
  for (const glob of ["*.ts", "**/*", ".g*", "!.e*", ".github/**/*.yml", ".storybook/*"]) {
    assert.equal(verdictOf(rules, "Grep", { pattern: "x", glob }), "allow", glob);
  }
  const written = ["deny Write:**/.env", "deny Bash:rm *", "allow *"];
  assert.equal(verdictOf(written, "Grep", { glob: ".e*" }), "allow");
});

test("a rule without a specifier is about its tool", () => {
  const url = { url: "https://x.org" };
  assert.equal(verdictOf(["deny WebFetch", "allow mcp__*"], "mcp__web__get", url), "deny");
  assert.equal(verdictOf(["deny WebFetch", "allow mcp__web__get"], "mcp__web__get", url), "allow");
  assert.equal(verdictOf(["ask WebFetch", "allow mcp__*"], "mcp__web__get", url), "allow");
  assert.equal(verdictOf(["allow mcp__*", "ask *"], "mcp__web__get", url), "allow");
  assert.equal(
    verdictOf(["deny WebFetch:domain:x.org", "allow mcp__web__get"], "mcp__web__get", url),
    "deny",
  );
});

test("a rule that does not count for what a call names shields none that does", () => {
  const env = { path: ".env" };
  const code = { code: "x = 1; y(curl)" };
  const rows: readonly (readonly [readonly string[], string, JsonObject, string])[] = [
    [["ask Read:path!=src/**", "deny *"], "Glob", { glob: "~u/a" }, "ask safety"],
    [["ask Read", "deny Read:**/.env", "allow mcp__*"], "mcp__fs__x", env, "deny rule"],
    [["deny Read", "ask Read:**/.env", "allow mcp__fs__x"], "mcp__fs__x", env, "ask rule"],
    [
      ["ask Write", "deny Write:**/.env", "allow *"],
      "mcp__fs__x",
      { to: ["a", ".env"] },
      "deny rule",
    ],
    [["ask Bash", "deny Bash:rm *", "allow *"], "mcp__a__b", { command: "ls; rm x" }, "deny rule"],
    [["deny Bash:rm *", "deny Bash:curl *", "allow *"], "mcp__a__b", code, "ask safety"],
    [["deny Bash:rm *", "deny Bash:wget *", "allow *"], "mcp__a__b", code, "allow rule"],
    [
      ["ask Read", "allow Read:.env", "deny Read:**/.env", "allow *"],
      "mcp__a__b",
      env,
      "allow rule",
    ],
    [["deny Read", "allow mcp__fs__x"], "mcp__fs__x", env, "allow rule"],
  ];
  for (const [rules, tool, input, expected] of rows) {
    const { action, by } = evaluate(policyOf(rulesOf(rules)), { tool, input });
    assert.equal(`${action} ${by}`, expected, rules.join("; "));
  }
});

test("the unit of a named file says which argument it is, and why another rule does not match", () => {
  const policy = policyOf(rulesOf(["deny Read:**/x.key", "deny Read:**/.env", "allow *"]));
  const patch = "*** Begin Patch\n*** Delete File: .env\n*** End Patch";
  const rows: readonly (readonly [JsonObject, string])[] = [
    [{ to: ".env" }, "to"],
    [{ edits: [{ patch }] }, "edits.0.patch"],
  ];
  for (const [input, at] of rows) {
    const { units } = evaluate(policy, { tool: "mcp__a__b", input }, { trace: "full" });
    const { via, action, steps } = units.find(({ kind }) => kind === "read")!;
    assert.deepEqual([via, action], [`the argument "${at}"`, "deny"]);
    assert.equal(steps[0]?.why, "the path is `./.env`");
  }
});

test("an allow of files, URLs or commands allows no other tool, and is an exception to a deny below", () => {
  assert.equal(verdictOf(["allow Read:**"], "mcp__fs__read", { path: "a" }), "ask");
  const rules = ["allow Read:.env.example", "deny Read:**/.env*", "allow mcp__*"];
  assert.equal(verdictOf(rules, "mcp__fs__read", { path: ".env.example" }), "allow");
  assert.equal(verdictOf(rules, "mcp__fs__read", { path: ".env.local" }), "deny");
});

test("a tool that a policy describes is not judged by that argument's key", () => {
  const rules = rulesOf(["deny Bash:rm *", "allow *"]);
  const tools = { mcp__py__run: { firstArg: "code", kind: "text" } } as const;
  const call = { tool: "mcp__py__run", input: { code: "rm x" } };
  assert.equal(evaluate(policyOf(rules), call).action, "deny");
  assert.equal(evaluate(policyOf(rules, { tools }), call).action, "allow");
});

test("a rule that speaks of the call's own tool is not tried on its first argument again", () => {
  const tools = { mcp__sh__run: { firstArg: "line", kind: "command" } } as const;
  const action = (lines: readonly string[]) =>
    evaluate(policyOf(rulesOf(lines), { tools }), {
      tool: "mcp__sh__run",
      input: { line: "rm x" },
    }).action;
  assert.equal(action(["allow mcp__sh__run:rm x", "deny *:rm *"]), "allow");
  assert.equal(action(["allow mcp__sh__run:rm x", "deny Bash:rm *"]), "deny");
});

test("the rules of a tool hold for its other names", () => {
  const tools = { run: { aliasOf: "Bash" }, put: { aliasOf: "Write" } } as const;
  const policy = policyOf(
    rulesOf([
      "deny Bash:rm *",
      "deny run:ls *",
      "allow Bash:git *",
      "deny Edit:a",
      "allow Write:src/**",
    ]),
    { tools },
  );
  const action = (tool: string, input: JsonObject) => evaluate(policy, { tool, input }).action;
  assert.equal(action("run", { command: "x; rm y" }), "deny");
  assert.equal(action("run", { command: "ls -l" }), "deny");
  assert.equal(action("Bash", { command: "ls -l" }), "ask");
  assert.equal(action("run", { command: "git status" }), "allow");
  assert.equal(action("put", { path: "a" }), "deny");
  assert.equal(action("put", { path: "src/b" }), "allow");
});

test("a workspace that is not trusted describes no tool away", () => {
  const rules = rulesOf(["deny Read:**/.env", "deny Bash:rm *", "allow mcp__*"]);
  const described = [
    { firstArg: "path", kind: "text" },
    { firstArg: "command", kind: "text" },
    { firstArg: "path", kind: "path", class: "edit" },
    { aliasOf: "Write" },
    { aliasOf: "Grep" },
  ] as const;
  for (const table of described) {
    const policy = policyOf(rules, { tools: { mcp__a__b: { ...table, isUntrusted: true } } });
    for (const input of [{ path: ".env" }, { command: "rm x" }]) {
      assert.equal(evaluate(policy, { tool: "mcp__a__b", input }).action, "deny");
    }
  }
});

test("what is passed over at a glance names nothing when it is read in full", () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`n${at}`, 0]));
  const patch = "*** Begin Patch\n*** Add File: .env\n+x\n*** End Patch";
  const texts = ["plain", "", ".env", '{"path":".env"}', ' ["rm"]', "{", "\n"];
  const values = [...texts, patch, `\n ${patch}`, `<<EOF\n${patch}\nEOF`, 1, true, null];
  for (const key of ["query", "text", "content", "path", "cmd", "dir", "args", ".env", "a.ts"]) {
    for (const value of values) {
      for (const name of ["mcp__a__b", "Read", "Grep"]) {
        const profile = policyOf([]).profiles.get(name);
        const read = namedArguments({ ...many, [key]: value }, profile);
        assert.deepEqual(namedArguments({ [key]: value }, profile), read, `${key}: ${value}`);
      }
    }
  }
});
