import { DECISION_FLAGS, SOURCE_FLAGS } from "../args/flags.ts";
import type { Verb } from "../args/verb.ts";

const MODE_FLAGS = ["permission-mode", "allow-dangerously-skip-permissions"];

/** `caliban mcp`. */
export const MCP: Verb = {
  path: ["mcp"],
  summary: "Stand between an agent and an MCP server: decide whether a call may run",
  operands: [{
    name: "command",
    repeatable: true,
    summary: "The program that starts the server, and its arguments, behind --",
  }],
  flags: [
    {
      name: "server",
      value: "NAME",
      summary: "The server's name in rules: a call of its tool x is mcp__NAME__x",
    },
    ...DECISION_FLAGS.filter(({ name }) => MODE_FLAGS.includes(name)),
    ...SOURCE_FLAGS,
  ],
  details: [
    "For agents without hooks. In the agent's settings the server's command is caliban with the arguments " +
    "mcp --server NAME -- and the server's own command. Both speak on standard input and output (stdio).",
    "The rules decide each call of a tool. A denied call never reaches the server: the model reads the reason. About an " +
    "ask the agent is told to ask its person (elicitation); where it cannot, the call is denied. Tools that " +
    "every call of is denied are left out of the list of tools. Everything else goes on as it is: resources, " +
    "prompts and sampling are not decided.",
    "The tools of the first list are remembered with their definitions. Calls of a tool that is new or has changed " +
    'since ask, until "caliban mcp trust" or the person accepts it.',
    "The policy is read again when a file of it changes. While it is broken, each call is denied.",
    "When the agent ends, the server does too.",
  ],
  examples: [{
    command: 'echo \'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}\' |\n' +
      "  caliban mcp --server demo -- cat",
    says: "a call that no rule allows: cat, the server here, never sees it",
  }],
  statuses: [
    { status: 0, meaning: "the agent has ended; else the status of the server" },
  ],
  permissions: ["read", "env", "write", "run"],
  load: () => import("./run.ts"),
};
