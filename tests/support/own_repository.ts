import { ownGit } from "./own_git.ts";

/** The repository of /work as git's commands see it, with a hook; that of vendor is another's, and sub is a submodule. */
export function ownRepository(folder: string, files: readonly string[] = []) {
  const own = files.filter((file) => !file.includes("->") && file !== ".env");
  return {
    ...ownGit(own, ["pre-commit"]),
    ...(folder.startsWith("/work/vendor") ? { why: "it is another repository" } : {}),
    isModule: folder.startsWith("/work/sub"),
  };
}
