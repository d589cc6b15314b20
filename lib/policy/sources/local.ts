import type { Source } from "./source.ts";
import { LOCAL_FILE } from "./workspace.ts";
import { workspaceFile } from "./workspace_file.ts";

/** One person's rules for one workspace, kept out of git. */
export const local: Source = {
  kind: "local",
  writable: "file",
  title: "one person's rules for the workspace, kept out of git",
  where: "<workspace>/.caliban/permissions.local.toml",
  places: (surroundings) => [workspaceFile(LOCAL_FILE, surroundings)],
};
