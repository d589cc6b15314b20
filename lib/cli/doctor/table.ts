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
    "Looks into every settings file of the agent for this workspace (of the person, the project, local, managed) for what leaves calls " +
    "unguarded: a switch that turns hooks off, a later file whose hooks replace ours, a line without today's watchdog, a " +
    "runtime or copy that is gone or will be, and a hook that Codex has no record of your trust for. Each is a fault, with the command that mends it. " +
    "A copy of another version is a note.",
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
