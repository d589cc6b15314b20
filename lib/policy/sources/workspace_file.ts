import { pathStyle } from "./path_style.ts";
import type { Place, Surroundings } from "./source.ts";
import { POLICY_FOLDER } from "./workspace.ts";

/** The place of one policy file of the workspace. */
export function workspaceFile(name: string, surroundings: Surroundings): Place {
  const { platform, workspace, options } = surroundings;
  const path = pathStyle(platform).join(workspace, POLICY_FOLDER, name);
  return options.off.includes("project")
    ? { kind: "off", path, note: "--no-project" }
    : { kind: "file", path, named: false };
}
