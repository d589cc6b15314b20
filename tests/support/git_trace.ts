/** A scratch repository for traces of git's commands, and the words that fit them. */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { ProgramTable } from "../../lib/shell/programs/program_table.ts";

/** The words behind a command of git where its table does not say them: names that are there. */
const WORDS: Readonly<Record<string, string>> = {
  "git add": "new.txt",
  "git stage": "new.txt",
  "git blame": "f.txt",
  "git annotate": "f.txt",
  "git branch": "",
  "git cat-file": "HEAD:f.txt",
  "git check-ref-format": "refs/heads/x",
  "git checkout": "other",
  "git cherry": "other",
  "git cherry-pick": "other",
  "git clean": "-f",
  "git commit": "-a -m x",
  "git config": "user.name",
  "git diff": "",
  "git diff-files": "",
  "git diff-index": "HEAD",
  "git grep": "a",
  "git help": "-a",
  "git log": "",
  "git ls-files": "",
  "git ls-tree": "HEAD",
  "git merge": "other",
  "git merge-base": "HEAD other",
  "git mv": "f.txt moved.txt",
  "git range-diff": "HEAD other main",
  "git rebase": "other",
  "git remote": "",
  "git remote get-url": "origin",
  "git remote show": "-n origin",
  "git reset": "",
  "git restore": "f.txt",
  "git revert": "--no-edit HEAD",
  "git rm": "--cached f.txt",
  "git shortlog": "HEAD",
  "git stash": "",
  "git stash apply": "",
  "git stash branch": "stashed",
  "git stash drop": "",
  "git stash pop": "",
  "git stash save": "x",
  "git stash show": "",
  "git status": "",
  "git submodule status": "",
  "git switch": "other",
  "git symbolic-ref": "HEAD",
  "git tag": "",
  "git verify-pack": ".git/objects/pack/x.idx",
  "git worktree remove": "../tree",
};

/** The words behind a command of git. */
export function gitWords(words: string, { operands = [] }: ProgramTable): string {
  return WORDS[words] ?? operands.map(() => "HEAD").join(" ");
}

/** Every hook that git runs beside ordinary commands. Source: githooks(5). */
const HOOKS = [
  ...[
    "applypatch-msg",
    "pre-applypatch",
    "post-applypatch",
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
  ],
  ...[
    "commit-msg",
    "post-commit",
    "pre-rebase",
    "post-checkout",
    "post-merge",
    "pre-push",
    "reference-transaction",
  ],
  ...[
    "pre-auto-gc",
    "post-rewrite",
    "post-index-change",
    "fsmonitor-watchman",
    "sendemail-validate",
  ],
];

function git(cwd: string, line: string): void {
  const { status, stderr } = spawnSync("bash", ["-ec", line], {
    cwd,
    encoding: "utf8",
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: join(cwd, "../home"),
      GIT_CONFIG_NOSYSTEM: "1",
    },
  });
  if (status !== 0) throw new Error(`${line}: ${stderr}`);
}

/** A folder with work, origin.git and home, made once and copied for each trace. */
let template: string | undefined;

function templateOf(cwd: string): string {
  if (template !== undefined) return template;
  const top = mkdtempSync(join(tmpdir(), "caliban-git-"));
  process.on("exit", () => rmSync(top, { recursive: true, force: true }));
  cpSync(cwd, join(top, "work"), { recursive: true });
  mkdirSync(join(top, "home"));
  git(
    join(top, "work"),
    "git config --global user.name a; git config --global user.email a@example.com; " +
      "git init -q -b main .; git add .; git commit -qm a; git tag v1; git branch other; " +
      "git init -q --bare ../origin.git; git remote add origin ../origin.git; " +
      "git checkout -q other; echo b > other.txt; git add other.txt; git commit -qm b; git checkout -q main; " +
      "echo x >> g.txt; git stash push -q; echo c >> sub/h.txt; echo d > new.txt; touch -d '1 hour ago' f.txt",
  );
  return template = top;
}

/**
 * Makes a folder of files a repository with a branch, a tag, a stash, a change and a remote beside it. `hostile`: files of the work
 * tree name drivers, filters and submodules, and each hook but those that the command may run is a canary.
 */
export function makeRepository(
  cwd: string,
  { hostile, hooks = [] }: {
    readonly hostile: boolean;
    readonly hooks?: readonly string[] | undefined;
  },
): void {
  const top = templateOf(cwd);
  spawnSync("cp", ["-a", `${top}/.`, join(cwd, "..")]);
  if (!hostile) return;
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  write(
    ".gitattributes",
    "* diff=evil filter=evil merge=evil text=auto ident\n*.txt textconv=evil\n",
  );
  write(
    ".gitmodules",
    '[submodule "x"]\n\tpath = sub/x\n\turl = ext::canary\n\tupdate = !canary\n',
  );
  write(".lfsconfig", "[lfs]\n\turl = http://127.0.0.1:1/\n");
  write(".mailmap", "x <x@example.com>\n");
  write("config", "[core]\n\tfsmonitor = canary\n\tpager = canary\n[alias]\n\tlog = !canary\n");
  write("HEAD", "ref: refs/heads/main\n");
  mkdirSync(join(cwd, "sub/x"), { recursive: true });
  for (const name of HOOKS) {
    if (hooks.includes("*") || hooks.includes(name)) continue;
    const path = join(cwd, ".git/hooks", name);
    writeFileSync(path, `#!/bin/sh\nexec ${join(cwd, "../bin/canary")} ${name}\n`);
    chmodSync(path, 0o755);
  }
}
