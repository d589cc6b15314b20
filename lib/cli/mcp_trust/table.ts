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
    '"caliban mcp" remembers the tools of a server\'s first list, each with its whole definition. Tools that are new or have ' +
    "changed since wait here, and their calls ask until you accept them. This verb shows each definition with its changes, " +
    "and asks on a terminal. Read them: a description can give the model any instruction. Without a terminal it only " +
    "shows them, and it does not accept a definition that is too long to show; --yes accepts all.",
    'The record is kept beside that of "caliban trust", by the server\'s name, command and workspace: a server with ' +
    "another command has a new record.",
    'With --json: {"done": "accepted" or "nothing", "workspace", "record": the path of the record, "tools": ' +
    '[{"server", "tool", "change": "new" or "changed", "definition": its JSON or null, "before": the accepted ' +
    "one's or null}]}.",
  ],
  examples: [
    { command: "caliban mcp trust", says: "show the waiting tools, and accept them" },
    {
      command: "caliban mcp trust --server files --yes",
      says: "accept one server's tools without a question",
    },
  ],
  statuses: [
    { status: EXIT.ok, meaning: "every tool is accepted" },
    { status: 1, meaning: "a tool still waits" },
  ],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
