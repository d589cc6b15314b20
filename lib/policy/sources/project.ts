import type { Source } from "./source.ts";
import { PROJECT_FILE } from "./workspace.ts";
import { workspaceFile } from "./workspace_file.ts";

/** The workspace's rules, kept in git. */
export const project: Source = {
  kind: "project",
  writable: "file",
  title: "the workspace's rules, kept in git",
  where: "<workspace>/.caliban/permissions.toml",
  places: (surroundings) => [workspaceFile(PROJECT_FILE, surroundings)],
};
