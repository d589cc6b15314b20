/** The repository of /work as git's commands see it; that of vendor is another's, and sub is a submodule. */
export function ownRepository(folder: string, files: readonly string[] = []) {
  const own = files.filter((file) => !file.includes("->"));
  return {
    root: "/work",
    ...(folder.startsWith("/work/vendor") ? { why: "it is another repository" } : {}),
    isModule: folder.startsWith("/work/sub"),
    hooks: ["pre-commit"],
    mayHoldSecrets: false,
    hasName: (name: string) => ["main", "feature/x", "v1.0"].includes(name),
    files: () => own.filter((file) => file !== ".env"),
  };
}
