import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { mayLift } from "../../../lib/gate/keep_in_file.ts";
import type { ToolCall } from "../../../lib/model/call.ts";
import { policyOf, type PolicyOptions } from "../../support/policy.ts";
import { bash, write } from "./scene.ts";

/** The pattern of the user's deny that a new allow in the project's file may lift; undefined if it lifts none. */
function liftedBy(pattern: string, deny: string, options: PolicyOptions = {}): string | undefined {
  const denies = { pattern: deny, action: "deny", kind: "user" } as const;
  const before = policyOf([denies], options);
  const after = policyOf([{ pattern, action: "allow", kind: "project" }, denies], options);
  return mayLift(before, { after, pattern, path: "project.toml" })?.pattern;
}

const ALLOWS = [
  "Bash",
  "*",
  "Bash(git push:*)",
  "Bash:git push",
  "Bash:git *",
  "Bash:git*",
  "Bash:sudo apt *",
  "Bash:sudo -n apt update",
  "Bash:/usr/bin/git push *",
  "Bash:git -C web push *",
  'Bash:git "push" *',
  "Bash:CI=1 git push *",
  "Bash:cat *",
  "Bash(sh:*)",
  "Bash:curl *",
  "Bash:npm test",
  "Bash:~git",
  "Bash:a=1 *",
  "Write",
  "Write:./src/**",
  "Write:./src/a.ts",
  "Edit:src/*.ts",
  "Write:/tmp/**",
  "WebFetch:domain:x.org",
  "WebFetch:https://docs.x.org/*",
];

const DENIES = [
  "Bash:* --force*",
  "Bash:~--force",
  "Bash:g?t push -f*",
  "Bash:git push --force *",
  "Bash:git push *",
  "Bash:GIT *",
  "Bash:apt *",
  "Bash:apt*",
  "Bash:curl * | sh*",
  "Bash:rm *",
  "Bash:time *",
  "Bash:LC_*",
  "Bash:npm *",
  "Write:**/secrets/**",
  "Edit:*.ts",
  "Write:/tmp/x/**",
  "Write:~/.npmrc",
  "MultiEdit:./src",
  "Read:**/.env",
  "WebFetch:domain:docs.x.org",
  "WebFetch:https://docs.x.org/private/*",
  "*(* --force *)",
];

const CALLS: readonly ToolCall[] = [
  ...[
    "git push --force origin",
    "git push -f",
    "git push",
    "/usr/bin/git push --force x",
    "git -C web push --force x",
    'git "push" --force x',
    "CI=1 git push --force x",
    "git push origin main",
    "sudo apt update",
    "sudo -n apt update",
    "curl x | sh",
    "cat .env",
    "rm x",
    "time npm test",
    "time git push",
    "LC_ALL=C npm test",
    "a=1 npm test",
    "git status > /tmp/x/y",
    "cat a > src/secrets/x.ts",
  ].map(bash),
  ...["src/a.ts", "src/secrets/x", "src/b/c.ts", "/tmp/x/y", "/tmp/z", "~/.npmrc"].map(write),
  ...["https://docs.x.org/private/a", "https://x.org/", "https://a.docs.x.org/"]
    .map((url): ToolCall => ({ tool: "WebFetch", input: { url } })),
];

test("no allow that beats a deny for some call is told apart from it", () => {
  const missed: string[] = [];
  let beaten = 0;
  for (const pattern of ALLOWS) {
    for (const deny of DENIES) {
      const denies = { pattern: deny, action: "deny", kind: "user" } as const;
      const before = policyOf([denies]);
      const after = policyOf([{ pattern, action: "allow", kind: "project" }, denies]);
      const lifts = CALLS.some((call) =>
        evaluate(before, call).action === "deny" && evaluate(after, call).action === "allow"
      );
      if (lifts) beaten++;
      if (lifts && liftedBy(pattern, deny) !== deny) missed.push(`${pattern} over ${deny}`);
    }
  }
  assert.deepEqual(missed, []);
  assert.ok(beaten > 40, `${beaten}`);
});

test("what surely fits other calls is told apart", () => {
  const pairs = [
    ["Bash(git push:*)", "Bash:rm *"],
    ["Bash(git push:*)", "Bash:git reset *"],
    ["Bash(git status:*)", "Bash:git push --force *"],
    ["Bash:git push", "Bash:git push --force *"],
    ["Bash(npm run test:*)", "Bash:npm publish*"],
    ["Bash(git push:*)", "Write:**/.env"],
    ["Write:./src/a.ts", "Write:**/.env"],
    ["Write:./src/**", "Write:/etc/**"],
    ["Write:./src/**", "Write:~/.ssh/**"],
    ["Write:./src/**", "Read:**/.env"],
    ["Read:./src/**", "Write:**/.env"],
    ["WebFetch:domain:x.org", "WebFetch:domain:evil.com"],
    ["WebFetch:domain:x.org", "WebFetch:https://evil.com/*"],
    ["TodoWrite", "Bash:rm *"],
  ] as const;
  assert.deepEqual(pairs.filter(([allow, deny]) => liftedBy(allow, deny) !== undefined), []);
});

test("a rule that stood there before lifts nothing now, and a deny above is not beaten", () => {
  const allow = { pattern: "Bash:git *", action: "allow", kind: "project" } as const;
  const deny = { pattern: "Bash:git push *", action: "deny", kind: "user" } as const;
  const about = { pattern: allow.pattern, path: "project.toml" };
  const stood = policyOf([allow, deny]);
  assert.equal(mayLift(stood, { after: stood, ...about }), undefined);
  assert.equal(mayLift(policyOf([deny]), { after: policyOf([deny, allow]), ...about }), undefined);
});

test("folders are compared with links followed", () => {
  const realPath = (path: string) => path.replace(/^\/(?=tmp(?:\/|$))/, "/private/");
  const context = { workspace: ["/tmp/ws", "/private/tmp/ws"], realPath };
  const deny = "Write:/private/tmp/**";
  assert.equal(liftedBy("Write:./src/**", deny, { context }), deny);
  assert.equal(liftedBy("Write:/tmp/**", deny, { context }), deny);
  assert.equal(liftedBy("Write:/var/**", deny, { context }), undefined);
});
