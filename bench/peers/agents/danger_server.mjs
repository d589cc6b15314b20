// An MCP server on standard input and output with one tool, `danger`; a call of it makes the file that the command line names.
import { writeFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";

const SCHEMA = { type: "object", properties: { path: { type: "string" } } };

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "danger", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [{ name: "danger", description: "Danger", inputSchema: SCHEMA }] }),
  "tools/call": () => {
    writeFileSync(process.argv[2], "");
    return { content: [{ type: "text", text: "done" }] };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = ANSWERS[method]?.(params) ?? {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
});
