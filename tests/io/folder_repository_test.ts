import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { folderRepository } from "../../lib/io/git/folder_repository.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { commitAll, git } from "../support/git_repo.ts";
import { withTempDir } from "../support/temp_dir.ts";

/** Folders of a workspace, and the repository that git uses in each. */
const FOLDERS = {
  ".": "here",
  sub: "above",
  "sub/deep": "above",
  nowhere: "above",
  ".git": "above",
  ".git/hooks": "above",
  "vendor/clone": "here",
  "vendor/module": "here",
  "vendor/invalid": "above",
  "vendor/bare": "foreign",
  "vendor/bare/deep": "foreign",
  "vendor/bare/objects": "foreign",
  "vendor/nested": "foreign",
  "vendor/nested/deep": "foreign",
  "vendor/included": "foreign",
  "vendor/file": "foreign",
  "vendor/emptied": "foreign",
  "vendor/common": "foreign",
  "vendor/hooked": "foreign",
  "vendor/pathclone": "foreign",
  link: "foreign",
  "link/deep": "foreign",
} as const;

/** Makes the folders; in each foreign one but the last four git runs the payload at `git status`. */
function makeFolders(workspace: string, payload: string): void {
  const at = (...names: readonly string[]) => join(workspace, ...names);
  const write = (path: string, text: string) => writeFileSync(at(path), text);
  const runs =
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ../\n\tfsmonitor = ${payload}\n`;
  for (const each of ["sub/deep", "vendor"]) mkdirSync(at(each), { recursive: true });
  write("sub/a", "a\n");
  commitAll(workspace);
  git(workspace, ["init", "--quiet", "--bare", "vendor/bare"]);
  rmSync(at("vendor/bare/hooks"), { recursive: true, force: true });
  write("vendor/bare/config", runs);
  mkdirSync(at("vendor/bare/deep"));
  for (const each of ["nested", "included", "module", "hooked"]) {
    git(workspace, ["init", "--quiet", `vendor/${each}`]);
    mkdirSync(at("vendor", each, "deep"));
    rmSync(at("vendor", each, ".git/hooks"), { recursive: true, force: true });
  }
  git(at("vendor/nested"), ["config", "core.fsmonitor", payload]);
  write("vendor/included/more", `[core]\n\tfsmonitor = ${payload}\n`);
  git(at("vendor/included"), ["config", "include.path", "../more"]);
  mkdirSync(at("vendor/hooked/.git/hooks"));
  write("vendor/hooked/.git/hooks/pre-commit", "#!/bin/sh\n");
  mkdirSync(at(".git/modules"));
  cpSync(at("vendor/module/.git"), at(".git/modules/module"), { recursive: true });
  rmSync(at("vendor/module/.git"), { recursive: true });
  write("vendor/module/.git", "gitdir: ../../.git/modules/module\n");
  git(at(".git/modules/module"), ["config", "core.worktree", "../../../vendor/module"]);
  mkdirSync(at("vendor/file"));
  write("vendor/file/.git", "gitdir: ../bare\n");
  cpSync(at("vendor/bare"), at("vendor/emptied"), { recursive: true });
  mkdirSync(at("vendor/emptied/.git"));
  mkdirSync(at("vendor/invalid/.git"), { recursive: true });
  mkdirSync(at("vendor/common"));
  write("vendor/common/HEAD", "ref: refs/heads/main\n");
  write("vendor/common/commondir", "../bare\n");
  for (const each of ["clone", "pathclone"]) {
    git(workspace, ["clone", "--quiet", ".", `vendor/${each}`]);
    rmSync(at("vendor", each, ".git/hooks"), { recursive: true, force: true });
  }
  git(at("vendor/clone"), ["remote", "set-url", "origin", "https://example.com/x"]);
  symlinkSync("vendor/bare", at("link"));
}

test(
  "where git runs what a repository names, that repository is foreign, and the workspace's own is not",
  () =>
    withTempDir(async (folder) => {
      const runtime = await chooseRuntime();
      const real = runtime.realPath(folder)!;
      const workspace = join(real, "ws");
      const payload = join(real, "payload");
      const proof = join(real, "PROOF");
      mkdirSync(workspace);
      writeFileSync(payload, `#!/bin/sh\ntouch '${proof}'\n`);
      chmodSync(payload, 0o755);
      makeFolders(workspace, payload);
      const location = { workspace, workspaceReal: workspace };
      const found: Record<string, string> = {};
      let ran = 0;
      for (const name of Object.keys(FOLDERS)) {
        const path = join(workspace, name);
        const kind = (each: string) => folderRepository(runtime, { folder: each, location });
        const kinds = [kind(path), kind(runtime.realPath(path)!)];
        found[name] = kinds.includes("foreign") ? "foreign" : kinds[1]!;
        rmSync(proof, { force: true });
        const { PATH = "" } = process.env;
        if (existsSync(path)) {
          const env = { PATH, HOME: real, GIT_CONFIG_NOSYSTEM: "1" };
          spawnSync("git", ["status"], { cwd: path, env, stdio: "ignore" });
        }
        if (existsSync(proof)) {
          ran++;
          assert.equal(found[name], "foreign", name);
        }
      }
      assert.deepEqual(found, FOLDERS);
      assert.ok(ran >= 9, `the payload ran in ${ran} folders`);
    }),
);
