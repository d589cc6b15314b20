import { JSON_FLAG, WORKSPACE_FLAG } from "../args/flags.ts";
import { EXIT } from "../errors/errors.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban mcp trust`. */
export const MCP_TRUST: Verb = {
  path: ["mcp", "trust"],
  summary: "Accept new and changed tools of this workspace's MCP servers",
  operands: [],
  flags: [
    { name: "server", value: "NAME", summary: "Only the servers of this name" },
    { name: "yes", summary: "Accept all without a question" },
    JSON_FLAG,
    WORKSPACE_FLAG,
  ],
  details: [
    '"caliban mcp" remembers the tools that a server lists first, each with its whole definition. What is new or has ' +
    "changed since waits here, and its calls ask until it is accepted. This shows each definition with its changes, " +
    "and asks on a terminal. Read them: the model does, and a description can tell it anything. Without a terminal it only " +
    "shows them, and a definition that is too long to be shown is not accepted; with --yes both are.",
    'The record is kept beside that of "caliban trust", by the server\'s name, command and workspace: a server with ' +
    "another command begins anew.",
    'With --json: {"done": "accepted" or "nothing", "workspace", "record": the path of the record, "tools": ' +
    '[{"server", "tool", "change": "new" or "changed", "definition": its JSON or null, "before": the accepted ' +
    "one's or null}]}.",
  ],
  examples: [
    { command: "caliban mcp trust", says: "show what waits, and accept it" },
    { command: "caliban mcp trust --server files --yes", says: "one server's tools, unasked" },
  ],
  statuses: [
    { status: EXIT.ok, meaning: "all is accepted, or nothing waits" },
    { status: 1, meaning: "something still waits" },
  ],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
