/** Branches that are the main one wherever nothing else is said. */
const MAIN_BRANCHES: readonly string[] = ["main", "master", "trunk"];

/** The URL of the remote `origin` in the text of a git configuration, else of its first remote; undefined for none. */
export function remoteIn(config: string): string | undefined {
  const urls = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    const section = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line)?.[1];
    if (section !== undefined) remote = /^remote\s+"(.*)"$/i.exec(section)?.[1];
    const url = /^\s*(?:\[[^\]]*\]\s*)?url\s*=\s*(.*?)\s*$/i.exec(line)?.[1];
    if (remote === undefined || url === undefined || urls.has(remote)) continue;
    urls.set(remote, url.replace(/^"(.*)"$/, "$1"));
  }
  return urls.get("origin") ?? urls.values().next().value;
}

/** The branch that the text of a HEAD names; undefined where it names a commit. */
export function branchIn(head: string): string | undefined {
  return /^ref:\s*refs\/(?:heads|remotes\/[^/\s]+)\/(\S+)\s*$/.exec(head)?.[1];
}

/** Whether a HEAD stands on the main branch, by name or by the remote's HEAD; undefined where it stands on none. */
export function isMain(head: string, remoteHead: string | undefined): boolean | undefined {
  const branch = branchIn(head);
  if (branch === undefined) return undefined;
  const main = remoteHead === undefined ? undefined : branchIn(remoteHead);
  return branch === main || MAIN_BRANCHES.includes(branch);
}
