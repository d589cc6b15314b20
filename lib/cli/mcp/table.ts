import { DECISION_FLAGS, SOURCE_FLAGS } from "../args/flags.ts";
import type { Verb } from "../args/verb.ts";

const MODE_FLAGS = ["permission-mode", "allow-dangerously-skip-permissions"];

/** `caliban mcp`. */
export const MCP: Verb = {
  path: ["mcp"],
  summary: "Guard an MCP server: decide whether a call may run",
  operands: [{
    name: "command",
    repeatable: true,
    summary: "The program that starts the server, and its arguments, after --",
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
    "The rules decide each call of a tool. A denied call never reaches the server: the model reads the reason. For an " +
    "ask, caliban requests that the agent asks its person (elicitation); if the agent cannot, the call is denied. A tool " +
    "whose calls are all denied is removed from the list of tools. caliban passes on everything else: it does not decide resources, " +
    "prompts and sampling.",
    "caliban remembers the tools of the first list with their definitions. Calls of a tool that is new or has changed " +
    'since ask, until "caliban mcp trust" or the person accepts it.',
    "When a policy file changes, caliban reads it again. While it has an error, each call is denied.",
    "When the agent ends, the server does too.",
  ],
  examples: [{
    command: 'echo \'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}\' |\n' +
      "  caliban mcp --server demo -- cat",
    says: "a call that no rule allows: cat, the server here, never sees it",
  }],
  statuses: [
    { status: 0, meaning: "the agent has ended; otherwise the status of the server" },
  ],
  permissions: ["read", "env", "write", "run"],
  load: () => import("./run.ts"),
};
