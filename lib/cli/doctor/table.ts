import { JSON_FLAG, SOURCE_FLAGS } from "../common_flags.ts";
import type { Verb } from "../verb.ts";

/** `caliban doctor`. */
export const DOCTOR: Verb = {
  path: ["doctor"],
  summary: "Try the hooks that are installed, and say what they cannot enforce",
  operands: [],
  flags: [
    { name: "agent", value: "NAME", summary: "This agent only; it must have a hook" },
    JSON_FLAG,
    ...SOURCE_FLAGS,
  ],
  details: [
    "Every command of ours in an agent's settings is run as the agent would, from an empty folder and with HOME alone: a " +
    "call that a rule there denies must be denied, one that it allows must not be stopped, and an event that cannot be " +
    "read must be stopped. Nothing else is run.",
    "Below stand the rules of this workspace that the agent cannot follow as they are written.",
    'With --json: {"ok", "broken": settings that cannot be read, "agents": [{"agent", "title", "version", "scope", "path", "command", "probes": [{"name", "ok", ' +
    '"says", "ms", "reason"}], "gaps": [{"id", "pattern", "action", "path", "line", "why"}]}]}.',
  ],
  examples: [
    { command: "caliban doctor", says: "every agent whose settings have the hook" },
    { command: "caliban doctor --agent claude --json", says: "for a script" },
  ],
  statuses: [
    { status: 0, meaning: "every hook that is installed works" },
    { status: 1, meaning: "one does not, or the named agent has none" },
  ],
  permissions: ["read", "env", "write", "run"],
  load: () => import("./run.ts"),
};
