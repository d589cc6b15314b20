/** A repository of one's own in /work, with a few branches and hooks, whose index names some files. */
export function ownGit(files: readonly string[] = [], hooks: readonly string[] = []) {
  return {
    root: "/work",
    isModule: false,
    hooks,
    mayHoldSecrets: false,
    hasName: (name: string) => ["main", "feature/x", "v1.0"].includes(name),
    files: () => files,
  };
}
