import type { Flag } from "./flag.ts";

/** The sources that the writing verbs write. */
export type Scope = "project" | "user" | "local";

/** All scopes. */
export const SCOPES: readonly Scope[] = ["project", "user", "local"];

/** For verbs that write a policy file. */
export const SCOPE_FLAG: Flag = {
  name: "scope",
  choices: SCOPES,
  summary: "Whose policy: the workspace's (project), yours in it (local), yours everywhere (user)",
};
