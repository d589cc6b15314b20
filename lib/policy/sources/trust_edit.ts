import type { TrustedWorkspace, TrustRecord } from "./trust.ts";

/** The record with one workspace's files trusted in their current state. */
export function withTrusted(
  record: TrustRecord,
  { workspace, trusted }: { workspace: string; trusted: TrustedWorkspace },
): TrustRecord {
  return new Map([...record, [workspace, trusted]]);
}

/** The record without a workspace. */
export function withoutTrusted(record: TrustRecord, workspace: string): TrustRecord {
  return new Map([...record].filter(([path]) => path !== workspace));
}

/** The text of a trust record: JSON, version 1, ended by a newline. */
export function formatTrust(record: TrustRecord): string {
  const workspaces = [...record].map(([path, { files, at }]) => {
    return [path, { files: Object.fromEntries(files), at }] as const;
  });
  return JSON.stringify({ version: 1, workspaces: Object.fromEntries(workspaces) }, null, 2) + "\n";
}
