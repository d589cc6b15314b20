// The files that the tools of a real agent touch for each spelling of a path: the files there are, the calls, and their effects.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { PathCase, Touched } from "../../../tests/support/agent_paths/path_facts.ts";
import { OLD, SEARCHED } from "../../../tests/support/agent_paths/path_tools.ts";
import type { ScriptedCall } from "../model/script.ts";

/** A case with its files and calls. */
export interface Trial extends PathCase {
  /** The path that the tool is given. */
  readonly given: string;
  /** The path from the project of the file, or folder, that the spelling is about. */
  readonly target: string;
  /** The text that shows that the target was touched: in the answer, or in a file. */
  readonly mark: string;
  /** The calls; the last one is the trial. */
  readonly calls: readonly ScriptedCall[];
}

/** The folders of a run. */
export interface TrialPlace {
  readonly home: string;
  readonly project: string;
}

/** The trials of some cases, each with a file of its own below `folder` of the project, which are written. */
export function trialsIn(
  place: TrialPlace,
  cases: readonly PathCase[],
  folder: string,
): readonly Trial[] {
  return cases.map((each) => trialOf(each, place, folder));
}

function trialOf(each: PathCase, { home, project }: TrialPlace, folder: string): Trial {
  const { tool, spelling, id } = each;
  const isFolder = tool.part === "list";
  // A folder for each: a tool that shows a whole folder shows no other trial's file.
  const target = `${folder}/f${id}/t${id}${spelling.part ?? ""}${isFolder ? "" : ".txt"}`;
  const mark = `mark-${id}-`;
  const whole = join(project, target);
  mkdirSync(isFolder ? whole : dirname(whole), { recursive: true });
  if (isFolder) writeFileSync(join(whole, `${mark}.txt`), "");
  else if (tool.part === "edit") writeFileSync(whole, `${OLD}\n`);
  else if (tool.part !== "write") {
    writeFileSync(whole, `${SEARCHED} ${mark}\n`);
    writeFileSync(join(dirname(whole), "sibling.txt"), `${SEARCHED} sibling-${id}-\n`);
  }
  const given = spelling.spell({
    path: tool.isAbsolute === true ? whole : target,
    below: target,
    project,
    fromHome: relative(home, project),
  });
  const before = tool.after === undefined
    ? []
    : [{ name: tool.after, input: { file_path: whole } }];
  const calls = [...before, { name: tool.name, input: tool.input(given, mark) }];
  return { ...each, given, target, mark, calls };
}

/** The effect of each trial, by the answers to all its calls and by the files as they are now. */
export function touchedBy(
  trials: readonly Trial[],
  { results, place }: { readonly results: readonly string[]; readonly place: TrialPlace },
): readonly Touched[] {
  const files = filesBelow(dirname(place.home), place.project);
  let at = -1;
  return trials.map((trial) => {
    at += trial.calls.length;
    const { part } = trial.tool;
    return part === "edit" || part === "write"
      ? changed(trial, files, place)
      : shown(trial, results[at] ?? "");
  });
}

function shown({ mark }: Trial, result: string): Touched {
  if (result.includes(mark.replace("mark", "sibling"))) return "folder";
  return result.includes(mark) ? "target" : undefined;
}

function changed({ mark, target, given }: Trial, files: Files, { project }: TrialPlace): Touched {
  const [path] = files.find(([, text]) => text.includes(mark)) ?? [];
  if (path === undefined || path === target) return path && "target";
  if (path === relative(project, resolve(project, given))) return "written";
  // Without the names that differ from run to run.
  return path.replaceAll(project.slice(1), "PROJECT").replaceAll(target, "TARGET");
}

type Files = readonly (readonly [path: string, text: string])[];

/** The files of a run with their paths from the project, the agents' own records left out. */
function filesBelow(folder: string, project: string): Files {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const isRecord = relative(folder, path).split("/").some((part) => /^\.|^Library$/.test(part));
    return entry.isFile() && !isRecord
      ? [[relative(project, path), readFileSync(path, "utf8")] as const]
      : [];
  });
}
