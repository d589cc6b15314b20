import type { CommandClass } from "./call.ts";

/**
 * Some everyday commands of each class, the plainest first. They show a rule about a class to people and prove answers about it;
 * a command is evaluated before anything is said about it.
 */
export const CLASS_EXAMPLES: Readonly<Record<CommandClass, readonly string[]>> = {
  read: ["ls", "cat a", "grep -rn a src", "head -5 a", "wc -l a", "pwd"],
  edit: ["touch a", "mkdir -p a", "cp a b", "mv a b"],
  repository: ["git add a", "git commit -m a", "git stash", "git branch a"],
  project: ["git status", "npm test", "make test", "cargo test", "go test ./..."],
  fetch: ["curl https://a.example/", "curl -s https://a.example/"],
  "service-read": ["gh pr view 1", "gh issue list", "docker ps", "kubectl get pods"],
  delete: ["rm a", "rmdir a", "git reset --hard", "git branch -D a"],
  install: ["npm ci", "pip install a", "apt-get install a", "cargo add a"],
  process: ["kill 1", "pkill a", "docker stop a", "systemctl restart a"],
  code: ["python3 -c 1", "node -e 1", "npm run a", "git config a.b c"],
  service: ["git push", "gh pr merge 1", "npm publish", "ssh a"],
  secret: ["printenv", "env", "gh auth token"],
  system: ["chown a b", "useradd a", "mount a b"],
  unknown: ["a", "a b", "ls --unknown-option"],
};
