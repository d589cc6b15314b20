import type { CommandClass } from "./call.ts";

/** A class of commands in words. */
export interface ClassPhrase {
  /** The end of “it …”, where nothing is named. */
  readonly does: string;
  /** The same in front of the files or URLs that the command names. */
  readonly to?: string;
  /** The accesses that it names. */
  readonly names?: "read" | "write" | "url";
  /** Commands of the class, for people. */
  readonly examples: readonly string[];
}

/** The classes that a person may be offered a rule for. */
export const OFFERED_CLASSES: readonly CommandClass[] = [
  "read",
  "edit",
  "repository",
  "project",
  "service-read",
];

/** The classes of commands in words. */
export const CLASS_PHRASES: Readonly<Record<CommandClass, ClassPhrase>> = {
  "read": {
    does: "only reads",
    to: "reads files:",
    names: "read",
    examples: [
      "cat README.md",
      "ls -la",
      "grep -n TODO README.md",
      "wc -l README.md",
      "head -5 README.md",
      "pwd",
    ],
  },
  "edit": {
    does: "changes files",
    to: "changes files:",
    names: "write",
    examples: [
      "mkdir -p build",
      "touch notes.txt",
      "cp a.txt b.txt",
      "mv a.txt b.txt",
      "tee out.txt",
    ],
  },
  "repository": {
    does: "changes the repository",
    examples: [
      "git add -A",
      "git commit -m done",
      "git switch -c topic",
      "git stash",
      "git tag v1",
    ],
  },
  "project": {
    does: "runs the project's own code",
    examples: ["npm test", "npm run lint", "make test", "cargo fmt", "pytest"],
  },
  "fetch": {
    does: "fetches a URL",
    to: "fetches",
    names: "url",
    examples: ["curl -s https://example.com", "wget -q -O - https://example.com"],
  },
  "service-read": {
    does: "reads from a service",
    examples: ["gh pr view 1", "kubectl get pods", "docker ps", "npm view react", "gh issue list"],
  },
  "delete": {
    does: "removes files or uncommitted work",
    to: "removes files:",
    names: "write",
    examples: ["rm -r build", "rmdir build", "git reset --hard", "git branch -D topic"],
  },
  "install": {
    does: "installs packages or tools",
    examples: ["npm install", "pip install requests", "cargo install ripgrep"],
  },
  "process": {
    does: "starts or stops processes",
    examples: ["kill 1234", "pkill node", "systemctl restart nginx"],
  },
  "code": {
    does: "runs other code",
    examples: ["npm run deploy", "python3 -c 'print(1)'", "node tool.js"],
  },
  "service": {
    does: "changes a service or reaches a host",
    examples: ["git push", "npm publish", "gh pr merge 1"],
  },
  "secret": {
    does: "shows the environment or secrets",
    examples: ["printenv", "git config --list"],
  },
  "system": {
    does: "changes the system",
    examples: ["shutdown now", "mount /dev/sdb1 /mnt", "useradd ada"],
  },
  "unknown": { does: "is unknown", examples: ["frob"] },
};
