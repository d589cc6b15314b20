import { spawnSync } from "node:child_process";
import process from "node:process";

/** Runs git in a folder, as nobody in particular; throws Error where it fails. */
export function git(folder: string, args: readonly string[]): string {
  const { PATH = "" } = process.env;
  const names = ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "A"],
    [`GIT_${who}_EMAIL`, "a@example.com"],
  ]);
  const env = { PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", ...Object.fromEntries(names) };
  const ran = spawnSync("git", ["-c", "init.defaultBranch=main", ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  if (ran.status === 0) return ran.stdout.trim();
  throw new Error(`Cannot run git ${args.join(" ")}: ${ran.error?.message ?? ran.stderr}`);
}

/** Commits everything in a folder, which becomes a repository when it is none; answers the commit's hash. */
export function commitAll(folder: string): string {
  git(folder, ["init", "--quiet"]);
  git(folder, ["add", "--all", "--force"]);
  git(folder, ["commit", "--quiet", "--allow-empty", "--message", "a"]);
  return git(folder, ["rev-parse", "HEAD"]);
}
