import type { PolicyFacts } from "../io/load/find_facts.ts";
import { pathStyle } from "../policy/sources/path_style.ts";

/** The workspace that a named file (absolute path) belongs to, whose links must not lead out of it; null for none. */
export function boundOf(
  path: string,
  { platform, workspace, workspaceReal }: Pick<
    PolicyFacts,
    "platform" | "workspace" | "workspaceReal"
  >,
): string | null {
  const style = pathStyle(platform);
  const { root, segments } = style.split(path);
  const holds = (folder: string) => {
    const outer = style.split(folder);
    return outer.root === root &&
      outer.segments.every((segment, index) => segment === segments[index]);
  };
  return [workspace, workspaceReal].find(holds) ?? null;
}
