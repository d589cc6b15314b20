import { type EnvironmentVariable, VARIABLE_PATTERN } from "./auto_mode_keys.ts";
import { oneLine } from "./one_line.ts";

/** What the variables of `environment` stand for. */
export interface EnvironmentFacts {
  /** The absolute path of the folder that the call runs in. */
  readonly cwd: string;
  /** The URL of the repository's remote as its configuration has it; absent when there is none. */
  readonly gitRemote?: string;
  /** Whether the branch checked out is the main one; absent when that is not known. */
  readonly isMainBranch?: boolean;
}

/** The longest line that a model is told, in characters (code points). */
const LONGEST_LINE = 200;

/** The lines of `environment` with their variables filled in, each in one line, cut and without user names and passwords. */
export function environmentLines(
  templates: readonly string[],
  facts: EnvironmentFacts,
): readonly string[] {
  const values: Readonly<Record<EnvironmentVariable, string>> = {
    CWD: facts.cwd,
    GIT_REMOTE: facts.gitRemote === undefined ? "none" : withoutLogin(facts.gitRemote),
    IS_MAIN_BRANCH: facts.isMainBranch === undefined ? "unknown" : `${facts.isMainBranch}`,
  };
  return templates.map((template) => {
    const line = template.replaceAll(
      new RegExp(VARIABLE_PATTERN, "g"),
      (written, name: string) => values[name as EnvironmentVariable] ?? written,
    );
    return oneLine(withoutUserinfo(line), LONGEST_LINE);
  });
}

/** `git@host:path` without its user, and a URL without what `withoutUserinfo` takes away. */
function withoutLogin(remote: string): string {
  return remote.includes("://") ? withoutUserinfo(remote) : remote.replace(/^[^@\s]*@/, "");
}

/** URLs without user, password, query and fragment: a token may stand in each of them. */
function withoutUserinfo(text: string): string {
  return text
    .replace(/(:\/\/)[^/?#\s]*@/g, "$1")
    .replace(/([a-z][a-z0-9+.-]*:\/\/[^?#\s]*)[?#]\S*/gi, "$1");
}
