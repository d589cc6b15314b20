/** Files that hold secrets, as people name them; `~` is the home folder. */
export const SECRET_FILES: readonly string[] = [
  ".env",
  "~/.ssh/id_rsa",
  "~/.ssh/id_ed25519",
  "~/.aws/credentials",
  "~/.netrc",
  "~/.npmrc",
  "~/.docker/config.json",
  "~/.kube/config",
  "~/.config/gh/hosts.yml",
];

/** The pattern that protects a file from being read, in every folder or with its whole folder. */
export function patternAgainst(name: string): string {
  const folder = name.slice(0, Math.max(0, name.lastIndexOf("/")));
  if (folder === "") return `Read(**/${name})`;
  return folder === "~" ? `Read(${name})` : `Read(${folder}/**)`;
}

/** Files that configure this or another agent, as people name them. */
export const STEERING_FILES: readonly string[] = [
  ".caliban/permissions.toml",
  ".caliban/permissions.local.toml",
  "~/.config/caliban/permissions.toml",
  ".claude/settings.json",
  ".claude/settings.local.json",
  "~/.claude/settings.json",
  ".gemini/settings.json",
  "~/.gemini/settings.json",
  "~/.codex/config.toml",
  ".cursor/cli.json",
  ".mcp.json",
  "opencode.json",
  ".git/hooks/pre-commit",
  ".vscode/settings.json",
];

/** The path as a tool takes it. Without a known home folder, `~` stays. */
export function fileOf(name: string, home: string | undefined): string {
  return home !== undefined && name.startsWith("~/") ? home + name.slice(1) : name;
}
