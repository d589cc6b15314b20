import { any, type Match } from "../model/match.ts";
import type { SearchFields } from "../model/tool_profile.ts";
import type { Facts } from "../tools/facts.ts";
import type { TextMatcher } from "./value_matcher.ts";

/**
 * The matcher of a deny or ask rule on a file for a tool that searches below a folder: the folder it searches, and the
 * file that its glob names. A search below a folder counts as the folder, not as each file in it.
 */
export function searchMatcher(fits: TextMatcher, fields: SearchFields): (facts: Facts) => Match {
  return (facts) => {
    const paths = searchedPaths(facts, fields);
    return paths === undefined ? "unknown" : any(paths.map((path) => fits(path, facts)));
  };
}

/** The folder that a call searches, then the files that its glob names there; undefined when that cannot be told. */
export function searchedPaths(facts: Facts, fields: SearchFields): readonly string[] | undefined {
  const folder = facts.field(fields.path);
  const glob = fields.glob === undefined ? undefined : facts.field(fields.glob);
  if (folder.state === "unknown" || glob?.state === "unknown") return undefined;
  const path = folder.state === "text" ? folder.text : ".";
  const names = glob?.state === "text" ? globNames(glob.text) : [];
  return [path, ...names.map((name) => `${path}/${name}`)];
}

/** The files that a search glob names: its text, each of its brace options; none for what it excludes. */
function globNames(glob: string): readonly string[] {
  if (glob === "" || glob.startsWith("!")) return [];
  const name = glob.replace(/^\/+/, "").replace(/^(\*\*\/)+/, "");
  const braces = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(name);
  return braces ? braces[2]!.split(",").map((option) => braces[1] + option + braces[3]) : [name];
}
