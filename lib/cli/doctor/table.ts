import { JSON_FLAG, SOURCE_FLAGS } from "../args/flags.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban doctor`. */
export const DOCTOR: Verb = {
  path: ["doctor"],
  summary: "Test the installed hooks, and list the rules they cannot enforce",
  step: "start",
  operands: [],
  flags: [
    {
      name: "agent",
      value: "NAME",
      completes: "agents",
      summary: "Only this agent; it must have a hook",
    },
    JSON_FLAG,
    ...SOURCE_FLAGS,
  ],
  details: [
    "Runs each caliban command in an agent's settings as the agent would, from an empty folder and with only " +
    "HOME set: a call that a test policy denies must be denied, a call that it allows must pass, and a malformed event " +
    "must be stopped. Nothing else is run.",
    "Reads every settings file of the agent for this workspace (user, project, local, managed) and reports what leaves calls " +
    "unguarded: a switch that turns hooks off, a later file whose hooks replace caliban's, a command without the current watchdog, a " +
    "runtime or copy that is missing or temporary, a copy that was changed, and a hook that you have not trusted in Codex. Each is a fault, with the command that mends it. " +
    "A copy of another version is only a note.",
    "Then lists the rules of this workspace that the agent cannot enforce as written.",
    'With --json: {"ok", "broken": settings that cannot be read, "agents": [{"agent", "title", "version", ' +
    '"scope", "path", "command", "probes": [{"name", "ok", "says", "ms", "reason"}], "faults": [{"what", "mend"}], "notes": [{"what", "mend"}], "gaps": [{"id", "pattern", ' +
    '"action", "path", "line", "why"}]}]}.',
  ],
  examples: [
    { command: "caliban doctor", says: "every agent with an installed hook" },
    { command: "caliban doctor --agent claude --json", says: "one agent, as JSON for a script" },
  ],
  statuses: [
    { status: 0, meaning: "every installed hook works" },
    { status: 1, meaning: "a hook does not work or is off, or the named agent has none" },
  ],
  permissions: ["read", "env", "write", "run"],
  load: () => import("./run.ts"),
};
