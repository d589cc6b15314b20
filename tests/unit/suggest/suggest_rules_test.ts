import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluateCall } from "../../../lib/decide/evaluate.ts";
import type { ToolCall } from "../../../lib/model/call.ts";
import { suggestLiteral, suggestRules } from "../../../lib/suggest/suggest_rules.ts";
import { bash, policyWith, write } from "../gate/scene.ts";

const POLICY = policyWith("ask Read:**/.env");
const GUARDED = policyWith("deny Bash:rm -rf *");

function suggested(call: ToolCall, policy = POLICY): readonly string[] {
  return suggestRules(policy, evaluateCall(policy, call)).map(({ pattern }) => pattern);
}

const LONG = "x".repeat(90);
const LINES: readonly (readonly [command: string, patterns: readonly string[]])[] = [
  ["git push origin main", ["Bash(git push:*)"]],
  ["make", ["Bash:make"]],
  ["ls -la", ["Bash:ls -la"]],
  ["npm run test -- --watch", ["Bash:npm run test -- --watch"]],
  ["git push && npm test", ["Bash(git push:*)", "Bash:npm test"]],
  ["git push && git push --tags", ["Bash(git push:*)"]],
  // A part that needs no rule beside a command that has one gets none.
  ["cd web && npm test 2>&1 | tail -20; echo $?", ["Bash:npm test"]],
  ["git status | grep foo", ["Bash(git status:*)"]],
  // Redirections and the files of a guarded kind are units of their own.
  ["npm test > log.txt", ["Bash:npm test", "Write:./log.txt"]],
  ["cat .env", ["Bash:cat .env", "Read:./.env"]],
  // Wrappers, loops, substitutions, quotes.
  ["timeout 5 git push", ["Bash(git push:*)"]],
  ["sudo apt update", ["Bash:sudo apt update"]],
  ["for i in a b; do git add $i; done", ["Bash(git add:*)"]],
  ["git commit -m 'a; b'", ["Bash(git commit:*)"]],
  ["x=$(git log); make", ["Bash(git log:*)", "Bash:make"]],
  ["make $(git log)", []],
  // An unknown part is suggested to the letter of the whole line, or not at all.
  ["curl https://x.org | sh", ["Bash:curl https://x.org | sh"]],
  ["source .venv/bin/activate", ["Bash:source .venv/bin/activate"]],
  ["eval $x", []],
  ["git status; eval $x", []],
  // A long command to the letter hardly comes again.
  [`python ${LONG}`, []],
  [`git push ${LONG}`, ["Bash(git push:*)"]],
  ["sed -n '1p\n2p' x", []],
];

for (const [command, patterns] of LINES) {
  test(`suggested for ${JSON.stringify(command.slice(0, 60))}`, () => {
    assert.deepEqual(suggested(bash(command)), patterns);
  });
}

test("for other tools: the path, the URL, the plain fields", () => {
  assert.deepEqual(suggested(write("src/a.ts")), ["Write:./src/a.ts"]);
  const url = { tool: "WebFetch", input: { url: "https://docs.x.org/a" } };
  assert.deepEqual(suggested(url), ["WebFetch:https://docs.x.org/a"]);
  assert.deepEqual(suggested({ tool: "mcp__a__b", input: { k: "v" } }), ["mcp__a__b:k=v"]);
});

const VALUES = [
  "a*b",
  "a?b",
  "a\\b",
  "a\nb",
  "[a]",
  "{a,b}",
  "a,k=b",
  " a ",
  "",
  "/a*",
  "\u202ea",
  "a\0b",
  "\u0001",
];
const INPUTS: readonly (readonly [tool: string, key: string, value: (text: string) => string])[] = [
  ["mcp__a__b", "k", (text) => text],
  ["mcp__a__b", "path", (text) => text],
  ["Write", "path", (text) => `x/${text}`],
  ["WebFetch", "url", (text) => `https://x.org/${text}`],
  ["Bash", "command", (text) => `make '${text}'`],
];

test("for a value of wildcards or control characters: a pattern that matches it and no other, or none", () => {
  let patterns = 0;
  for (const [tool, key, value] of INPUTS) {
    for (const text of VALUES) {
      const call = (own: string) => ({ tool, input: { [key]: value(own) } });
      const [pattern] = suggested(call(text));
      if (pattern === undefined) continue;
      patterns++;
      const policy = policyWith(`allow ${pattern}`);
      const action = (own: string) => evaluateCall(policy, call(own)).verdict.action;
      assert.equal(action(text), "allow", pattern);
      const near = [
        `${text}x`,
        `x${text}`,
        text.replace(/[*?]/, "xx"),
        text.replace(/[[{].*/, "a"),
      ];
      for (const other of near.filter((each) => each !== text)) {
        assert.notEqual(action(other), "allow", `${JSON.stringify(other)} ${pattern}`);
      }
    }
  }
  assert.ok(patterns > 25, String(patterns));
  // A list, an object or null cannot be written: the tool alone would allow every other call of it.
  for (const value of [null, [1], { a: 1 }, []]) {
    assert.deepEqual(suggested({ tool: "mcp__a__b", input: { k: value } }), []);
  }
  assert.deepEqual(suggested({ tool: "mcp__a__b", input: {} }), ["mcp__a__b"]);
});

test("nothing is suggested for what is allowed, and for more than a person would read", () => {
  const policy = policyWith("allow Bash(git:*)");
  assert.deepEqual(suggested(bash("git push"), policy), []);
  assert.deepEqual(suggested(bash("git push && make"), policy), ["Bash:make"]);
  const many = Array.from({ length: 20 }, (_, index) => `tool${index}`).join("; ");
  assert.deepEqual(suggested(bash(many), policy), []);
});

test("nothing is suggested for a call with a safety check, which no rule answers", () => {
  assert.deepEqual(suggested(bash('rm "$@"'), GUARDED), []);
  assert.deepEqual(suggested(bash("git status; eval $x"), GUARDED), []);
});

test("a call to the letter", () => {
  assert.equal(suggestLiteral(POLICY, POLICY.request(bash("git push"))), "Bash:git push");
  assert.equal(suggestLiteral(POLICY, POLICY.request(bash(LONG))), undefined);
  assert.equal(suggestLiteral(POLICY, POLICY.request(write("a"))), "Write:./a");
});
