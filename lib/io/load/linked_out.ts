import { errorAt, type Problem } from "../../model/problem.ts";
import { ancestors, pathStyle } from "../../policy/sources/path_style.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { PolicyLocation } from "./policy_location.ts";

/** True if a file of a workspace is, or lies behind, a link that leads out of it: its text is that of any file. */
export function isLinkedOut(
  runtime: Runtime,
  path: string,
  { workspace, workspaceReal }: Pick<PolicyLocation, "workspace" | "workspaceReal">,
): boolean {
  const above = ancestors(withoutDots(path, runtime), runtime.platform);
  if (!above.includes(workspace) && !above.includes(workspaceReal)) return false;
  const real = runtime.realPath(path);
  return real === null || !ancestors(real, runtime.platform).includes(workspaceReal);
}

/** The path with `..` taken as text: the folder that it names without a look at links. */
function withoutDots(path: string, runtime: Runtime): string {
  const { root, segments } = pathStyle(runtime.platform).split(path);
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === "..") kept.pop();
    else kept.push(segment);
  }
  return pathStyle(runtime.platform).build({ root, segments: kept });
}

/** The problems of such a file, none of which quotes it: one in the place of all. */
export function unquotedProblems(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length === 0) return problems;
  const message =
    "Cannot read the file: a link leads out of the workspace, so its problems are not shown";
  return [errorAt({ start: 0, end: 0, line: 1, column: 1 }, { id: problems[0]!.id, message })];
}
