import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolCall } from "../../../../lib/model/call.ts";
import type { SourceEntry } from "../../../../lib/model/rule.ts";
import { decideInMode } from "../../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../../lib/decide/evaluate.ts";
import { defaultMode } from "../../../../lib/decide/modes.ts";
import { builtinEntry, fileEntry, loaded } from "../../../laws/random_sources.ts";
import { policyOf, type PolicyOptions, type TestRule } from "../../../support/policy.ts";

const ALL: TestRule = { pattern: "*", action: "allow", kind: "user" };

function decided(call: ToolCall, rules: readonly TestRule[], options: PolicyOptions = {}) {
  const policy = policyOf(rules, options);
  return decideInMode(policy, evaluateCall(policy, call), defaultMode);
}

function write(path: string, tool = "Write"): ToolCall {
  return { tool, input: { path } };
}

function bash(command: string): ToolCall {
  return { tool: "Bash", input: { command } };
}

/** The outcome of a call under these rules: the part that asks (`safety` for a safety check), or the decision. */
function outcome(call: ToolCall, rules: readonly TestRule[], options: PolicyOptions = {}): string {
  const { decision, decidedBy } = decided(call, rules, options);
  return decision === "ask" ? decidedBy : decision;
}

test("an edit tool asks about a protected file, whatever spelling of its path names it", () => {
  for (const tool of ["Write", "Edit", "MultiEdit", "NotebookEdit"]) {
    assert.equal(outcome(write(".git/config", tool), [ALL]), "safety");
    assert.equal(outcome(write("src/a.ts", tool), [ALL]), "allow");
  }
  const twice = { tool: "Write", input: { path: "src/a", file_path: ".git/config" } };
  assert.equal(outcome(twice, [ALL]), "safety");
  assert.equal(outcome({ tool: "Edit", input: { filePath: "~/.bashrc" } }, [ALL]), "safety");
  assert.equal(outcome(write("src/../.envrc\0.txt"), [ALL]), "safety");
  assert.equal(outcome(write(".git/config", "Read"), [ALL]), "allow");
  const tools = { Save: { firstArg: "to", kind: "path", class: "edit" } } as const;
  assert.equal(outcome({ tool: "Save", input: { to: ".mcp.json" } }, [ALL], { tools }), "safety");
});

test("the check is what is told, beside the rule that would have allowed it", () => {
  const { reason, units, verdict } = decided(write(".git/hooks/x"), [ALL]);
  const check =
    "it writes `.git/hooks/x`, and `.git` is protected: git runs the hooks, filters and aliases in it";
  assert.equal(reason, check);
  assert.equal(units[0]?.check, check);
  assert.deepEqual([verdict.action, verdict.rule?.pattern], ["allow", "*"]);
});

test("the check names the broadest thing that a line takes", () => {
  const table: readonly (readonly [line: string, said: string])[] = [
    ["rm -rf /", "removes `/`, the whole file system"],
    ["rm -rf /*", "may remove `/*`, the whole file system"],
    ["mv / x", "moves `/`, the whole file system"],
    ["chmod -R 777 /", "changes `/`, the whole file system"],
    ["rm -rf ~", "removes `~`, the home folder with everything in it"],
    ["rm -rf ../../u", "removes `../../u`, the home folder with everything in it"],
    ["rm -rf /home", "removes `/home`, which holds the home folder"],
    ["rm -rf .", "removes `.`, the workspace with everything in it"],
    ["rm -rf /etc", "removes `/etc`, a top-level folder"],
    [
      "rm -rf ~/.config/git",
      "removes `~/.config/git`, which is protected: git runs the aliases, filters and hooks that it names",
    ],
  ];
  for (const [line, said] of table) {
    const { units } = decided(bash(line), [ALL]);
    const check = units.find((unit) => unit.check !== undefined)?.check;
    assert.equal(check?.split(", and ")[0], `it ${said}`.split(", and ")[0], line);
  }
  const { units } = decided(bash("rm -rf ~/.config"), [ALL]);
  assert.match(units.find(({ check }) => check)?.check ?? "", /and \d+ more protected places$/);
});

test("a file of a line that no rule was asked about is a unit more, at the end", () => {
  const { units, verdict } = decided(bash("cp a .git/x && ls"), [ALL]);
  assert.deepEqual(
    units.slice(0, -1).map(({ text }) => text),
    verdict.units.map(({ text }) => text),
  );
  const { kind, text, via, tool, action, decision, decidedBy } = units.at(-1)!;
  assert.deepEqual(
    { kind, text, via, tool, action, decision, decidedBy },
    {
      kind: "write",
      text: ".git/x",
      via: "cp .git/x",
      tool: "Write",
      action: "allow",
      decision: "ask",
      decidedBy: "safety",
    },
  );
  const read = decided(bash("zip -rm x.zip .git"), [ALL]).units.at(-1)!;
  assert.deepEqual([read.kind, read.text, read.tool], ["read", ".git", "Read"]);
});

test("a deny stays a deny", () => {
  const deny: TestRule = { pattern: "Write:.git/**", action: "deny" };
  assert.equal(outcome(write(".git/x"), [deny, ALL]), "deny");
  assert.equal(outcome(bash("echo x > .git/x"), [deny, ALL]), "deny");
  assert.equal(
    outcome(bash("rm x; rm -rf .git"), [{ pattern: "Bash:rm x", action: "deny" }, ALL]),
    "deny",
  );
});

test("what the rules ask about is a safety check too, which no mode answers", () => {
  assert.equal(outcome(write(".git/x"), [{ pattern: "Write", action: "ask" }]), "safety");
  assert.equal(outcome(write("src/x"), [{ pattern: "Write", action: "ask" }]), "rule");
});

const NAMING: readonly (readonly [allow: string, call: ToolCall])[] = [
  ["Write:.git/hooks/**", write(".git/hooks/x")],
  ["Write:**/.git/config", write("web/.git/config")],
  ["Write:{.git,src}/**", write(".git/x")],
  ["Edit:path=.git/*", write(".git/x", "Edit")],
  ["Write:~/.ssh/config", write("/home/u/.ssh/config")],
  ["Write:/home/u/.bashrc", write("/home/u/.bashrc")],
  ["Write:.mcp.json", write("web/.mcp.json")],
  ["Bash(rm -rf .git)", bash("rm -rf .git")],
  ["Bash(rm -rf .git:*)", bash("rm -rf .git")],
  ["Bash(mv x .husky/*)", bash("mv x .husky/y")],
  ["Bash(echo x > .envrc)", bash("echo x > .envrc")],
  ["Write:.envrc", bash("echo x > .envrc")],
  ["Write:.git/hooks/*", bash("cp a .git/hooks/x")],
  ["Bash(cp a ~/.ssh/*)", bash("sudo cp a ~/.ssh/x")],
  ["Bash(rm -rf .)", bash("rm -rf .")],
  ["Bash(cp tpl/.envrc src)", bash("cp tpl/.envrc src")],
  ["Bash(caliban perms add:*)", bash("caliban perms add x allow")],
  ["Bash(caliban trust)", bash("sh -c 'caliban trust'")],
  ["Bash:cp a b && rm -rf .git", bash("cp a b && rm -rf .git")],
  ["Bash:git config core.pager *", bash("git config core.pager less")],
  ["Bash(git config:*)", bash("git config alias.x y")],
  ["Bash:d=.git; touch $d/x", bash("d=.git; touch $d/x")],
  ["Bash:find .git -name x -exec touch {} +", bash("find .git -name x -exec touch {} +")],
];

test("an allow rule that names the protected file or folder allows it", () => {
  for (const [pattern, call] of NAMING) {
    const rules: readonly TestRule[] = [{ pattern, action: "allow", kind: "user" }, ALL];
    assert.equal(outcome(call, rules), "allow", pattern);
    // Also where another rule decided, since one given for the session only answers questions.
    const session: TestRule = { pattern, action: "allow", kind: "session" };
    assert.equal(outcome(call, [session, ALL]), "allow", pattern);
    assert.equal(outcome(call, [ALL]), "safety", pattern);
  }
});

const NOT_NAMING: readonly (readonly [allow: string, call: ToolCall])[] = [
  ["Write:**", write(".git/x")],
  ["Write:.g*/**", write(".git/x")],
  ["Write:.git*/**", write(".git/x")],
  ["Write:.[g]it/**", write(".git/x")],
  ["*:https://x.org/**", write(".git/x")],
  ["Write:path!=.git/y", write(".git/x")],
  ["Write:content=.git,path=**", { tool: "Write", input: { path: ".git/x", content: ".git" } }],
  ["Write:link/**", write(".git/x")],
  ["Bash(rm -rf .g*)", bash("rm -rf .git")],
  ["Bash(rm:*)", bash("rm -rf .git")],
  ["Bash(cp .git/config *)", bash("cp .git/config .git/hooks/x")],
  ["Bash(mv x .husky/*)", bash("mv x .husky/../.git/hooks/y")],
  ["Bash(cp a .git/*)", bash("cp a .git/b .claude/c")],
  ["Bash(echo .git:*)", bash("echo .git > .git/x")],
  ["Bash(rm -rf:*)", bash("rm -rf .")],
  ["Bash(caliban:*)", bash("caliban trust")],
  ["Bash(caliban trust:*)", bash("caliban perms add x allow")],
  ["Bash(git:*)", bash("git config core.pager x")],
  ["Bash(git status:*)", bash("git config core.pager x")],
];

test("one that does not name it, or names it elsewhere, does not", () => {
  for (const [pattern, call] of NOT_NAMING) {
    assert.equal(
      outcome(call, [{ pattern, action: "allow", kind: "user" }, ALL]),
      "safety",
      pattern,
    );
  }
});

test("what caliban itself goes by is not for a rule that comes with the workspace", () => {
  const calls: readonly (readonly [string, ToolCall])[] = [
    ["Write:.caliban/**", write(".caliban/permissions.toml")],
    ["Bash(rm -rf .caliban)", bash("rm -rf .caliban")],
    ["Bash(caliban trust)", bash("caliban trust")],
    ["Bash(rm -rf .)", bash("rm -rf .")],
  ];
  for (const [pattern, call] of calls) {
    for (const kind of ["project", "local"] as const) {
      assert.equal(outcome(call, [{ pattern, action: "allow", kind }, ALL]), "safety", pattern);
    }
    for (const kind of ["user", "managed", "session", "cli"] as const) {
      assert.equal(outcome(call, [{ pattern, action: "allow", kind }, ALL]), "allow", pattern);
    }
  }
  const project: TestRule = { pattern: "Write:.git/**", action: "allow", kind: "project" };
  assert.equal(outcome(write(".git/x"), [project]), "allow");
});

test("an allow that ends some day names nothing", () => {
  const rule: TestRule = { pattern: "Write:.git/**", action: "allow", expiresAt: 100 };
  assert.equal(outcome(write(".git/x"), [rule, ALL]), "safety");
  assert.equal(
    outcome(write(".git/x"), [{ pattern: rule.pattern, action: "allow" }, ALL]),
    "allow",
  );
});

test("links are followed, to what is protected and from it", () => {
  const links: Readonly<Record<string, string>> = {
    "/home/u/ws/hooks": "/home/u/ws/.git/hooks",
    "/home/u/.bashrc": "/home/u/ws/dotfiles/bashrc",
  };
  const realPath = (path: string) => {
    for (const [from, to] of Object.entries(links)) {
      if (path === from || path.startsWith(`${from}/`)) return to + path.slice(from.length);
    }
    return path;
  };
  const context = { realPath };
  assert.equal(outcome(write("hooks/x"), [ALL], { context }), "safety");
  assert.equal(outcome(bash("cp a hooks/x"), [ALL], { context }), "safety");
  assert.equal(outcome(write("dotfiles/bashrc"), [ALL], { context }), "safety");
  assert.equal(outcome(write("dotfiles/vimrc"), [ALL], { context }), "allow");
  assert.equal(outcome(bash("rm -rf hook*"), [ALL], { context }), "allow");
  assert.equal(outcome(bash("rm hooks/pre*"), [ALL], { context }), "safety");
});

test("where links cannot be followed, the text alone says what is protected", () => {
  const context = { realPath: () => null };
  assert.equal(outcome(write(".git/x"), [ALL], { context }), "safety");
  assert.equal(outcome(write("/root/x"), [ALL], { context }), "allow");
});

test("case counts only where file names tell it apart", () => {
  assert.equal(outcome(write(".GIT/x"), [ALL]), "allow");
  const context = { ignoreCase: true, platform: "darwin" } as const;
  assert.equal(outcome(write(".GIT/x"), [ALL], { context }), "safety");
  assert.equal(outcome(bash("rm -rf ~/.SSH"), [ALL], { context }), "safety");
  assert.equal(outcome(bash("rm -rf .Gi*"), [ALL], { context }), "safety");
  const named: TestRule = { pattern: "Write:.Git/**", action: "allow", kind: "user" };
  assert.equal(outcome(write(".GIT/x"), [ALL, named], { context }), "safety");
});

test("on Windows the other names of a file are known", () => {
  const context = {
    platform: "windows",
    workspace: ["C:/ws"],
    home: ["C:/Users/ada"],
    ignoreCase: true,
  } as const;
  const paths = [
    ".git\\config",
    "C:\\ws\\.GIT\\config",
    "GIT~1\\config",
    ".git. \\config",
    ".git::$INDEX_ALLOCATION\\config",
    "\\\\?\\C:\\ws\\.git\\config",
    "C:\\Users\\ada\\.ssh\\config",
    "C:\\Users\\ada\\AppData\\Roaming\\caliban\\permissions.toml",
    "C:\\ProgramData\\caliban\\permissions.toml",
  ];
  for (const path of paths) assert.equal(outcome(write(path), [ALL], { context }), "safety", path);
  assert.equal(outcome(write("src\\a.ts"), [ALL], { context }), "allow");
});

test("without a home folder its names are protected anywhere", () => {
  const context = { home: [] };
  for (const path of ["~/.bashrc", "/home/x/.bashrc", ".ssh/config"]) {
    assert.equal(outcome(write(path), [ALL], { context }), "safety", path);
  }
  assert.equal(outcome(write("src/bashrc"), [ALL], { context }), "allow");
});

test("a folder whose name has wildcards is that folder", () => {
  const context = { home: ["/home/u[1]"] };
  assert.equal(outcome(bash("ln -s .ssh '/home/u[1]/s'"), [ALL], { context }), "safety");
  assert.equal(outcome(bash("ln -s .ssh '/home/u1/s'"), [ALL], { context }), "allow");
});

test("a policy file that is turned off is not protected, and one that may come is", () => {
  const text = '[[permissions.rules]]\npattern = "*"\naction = "allow"\n';
  const path = "/srv/rules.toml";
  const decisionWith = (state: "off" | "absent") => {
    const entries: readonly SourceEntry[] = [
      { kind: "managed", path, state, trusted: true },
      fileEntry("user", { text }),
      builtinEntry(),
    ];
    const policy = loaded(entries)!;
    return decideInMode(policy, evaluateCall(policy, write(path)), defaultMode).decision;
  };
  assert.equal(decisionWith("off"), "allow");
  assert.equal(decisionWith("absent"), "ask");
});

test("a workspace may itself stand in a folder that is protected elsewhere", () => {
  const context = { workspace: ["/home/u/app/.claude/worktrees/one"] };
  assert.equal(outcome(write("src/a.ts"), [ALL], { context }), "allow");
  assert.equal(outcome(write(".claude/settings.json"), [ALL], { context }), "safety");
  assert.equal(outcome(write("../../settings.json"), [ALL], { context }), "safety");
});

test("a line with more files than are looked at is a question", () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `f${index}`).join(" ");
  assert.equal(outcome(bash(`rm ${names}`), [ALL]), "safety");
  assert.match(decided(bash(`rm ${names}`), [ALL]).reason, /more than 2000 files/);
});

test("a shell that is not taken apart is asked about by its text", () => {
  const tools = { Pwsh: { firstArg: "line", kind: "command", shell: "other" } } as const;
  assert.equal(outcome({ tool: "Pwsh", input: { line: "rm .git" } }, [ALL], { tools }), "safety");
  assert.equal(outcome({ tool: "Pwsh", input: { line: "rm a" } }, [ALL], { tools }), "allow");
  assert.equal(outcome({ tool: "Bash", input: {} }, [ALL]), "allow");
});
