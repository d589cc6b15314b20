/** A scene in which each verb has something to say, and command lines that say it. */

/** The files of the scene by path: of the workspace, or behind `~/` of the home folder. */
export const SCENE: Readonly<Record<string, string>> = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".caliban/permissions.toml": `[permissions]
default_mode = "acceptEdits"

# Nobody rewrites shared history.
[[permissions.rules]]
pattern = "Bash(git push --force:*)"
action = "deny"
reason = "push without --force"
match = ["git push --force"]

[[permissions.rules]]
pattern = "Bash(@read)"
action = "allow"

[[permissions.rules]]
pattern = "Bash:git*"
action = "allow"

[[permissions.rules]]
pattern = "Read(**/.env{,.*})"
action = "deny"

[[hooks.PreToolUse]]
matcher = "Bash"
command = "exit 3"
`,
  "a.perms.toml": `[[tests]]
call = "Bash:git push --force"
expect = "deny"

[[tests]]
call = "Bash:rm -rf /"
expect = "allow"
why = "wrong"
`,
  "old.toml": '[[permissions.rules]]\npattern = "Bash(git:*)"\naction = "ask"\n',
  "broken.toml": '[[permissions.rules]\npattern = "Bash(git"\n',
  "calls.jsonl": ["git status", "npm test", "npm test -- a", "cat .env"].map((command) =>
    `${JSON.stringify({ tool: "Bash", input: { command }, expect: "allow" })}\n`
  ).join(""),
  "claude.json": '{"permissions":{"allow":["Bash(npm test:*)"],"deny":["Read(./.env)"]}}\n',
  "~/.config/caliban/permissions.toml":
    '[[permissions.rules]]\npattern = "WebFetch(domain:example.com)"\naction = "allow"\n',
  "~/.local/state/caliban/audit.jsonl":
    '{"v":1,"time":"2026-11-20T08:00:00Z","cwd":"/w","tool":"Bash","input":{"command":"git status"},"verdict":"allow","decision":"allow","mode":"default","decidedBy":"rule","rule":null,"reason":"no rule matches","units":[]}\n',
};

/** A command line, and its standard input. */
export interface VerbLine {
  readonly words: readonly string[];
  readonly input?: string;
}

const EVENT = JSON.stringify({
  session_id: "s",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "git push --force" },
});

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}\n';

/** Lines of every verb, and some that fail. */
export const LINES: readonly VerbLine[] = [
  ...[
    [],
    ["--help"],
    ["--version"],
    ["nonsense"],
    ["check", "Bash", "git status"],
    [
      "check",
      "Bash",
      "cd src && rm -rf \"$x\" | sed -n 's/a/b/w f' > ../\u26a0; sudo ls",
      "--json",
    ],
    ["check", "Read", ".env", "--color", "always"],
    ["check", "Bash", "make all", "--headless"],
    ["check", "Bash", "ls", "--rules", "broken.toml"],
    ["check", "--permission-mode", "bypassPermissions", "Bash", "ls"],
    ["explain", "Bash", "git push --force", "--trust"],
    ["explain", "Bash", "git push", "--format", "mermaid"],
    ["list"],
    ["add", "Bash(npm test:*)", "allow"],
    ["add", "Bash(npm test", "allow"],
    ["remove", "Bash(@read)"],
    ["import", "claude", "claude.json"],
    ["export", "--format", "codex"],
    ["export", "--format", "json"],
    ["lint"],
    ["lint", "--format", "sarif"],
    ["lint", "--fix", "--diff"],
    ["lint", "--explain", "leaky-prefix"],
    ["fmt", "--check"],
    ["fmt", "old.toml"],
    ["test"],
    ["test", "--format", "junit"],
    ["diff", "old.toml", "."],
    ["replay", "calls.jsonl"],
    ["suggest", "calls.jsonl"],
    ["audit"],
    ["init", "--scope", "local"],
    ["trust"],
    ["trust", "--yes"],
    ["auto", "eval", "calls.jsonl"],
    ["hook", "install", "claude", "--dry-run"],
    ["hook", "update"],
    ["hook", "uninstall", "claude"],
    ["hook", "try", "PreToolUse", "Bash", "ls"],
    ["mcp", "trust"],
    ["doctor"],
    ["schema", "permissions"],
    ["completions", "zsh"],
  ].map((words) => ({ words })),
  { words: ["check", "--stdin"], input: '{"tool":"Bash","input":{"command":"ls"}}\nnonsense\n' },
  { words: ["check", "Bash", "-"], input: "git push" },
  { words: ["hook", "claude"], input: EVENT },
  { words: ["hook", "claude"], input: "{" },
  { words: ["mcp", "--server", "demo", "--", "cat"], input: CALL },
];
