// A server of the Model Context Protocol: it lists the tools that its arguments name, and tells its log what it is asked to do.
import process from "node:process";
import { createInterface } from "node:readline";

const tools = process.argv.slice(2).map((argument) => {
  const [name, description] = argument.split("=");
  return { name, description, inputSchema: { type: "object" } };
});

const answer = (id: unknown, result: object) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);

process.stderr.write("the server is here\n");
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") answer(id, { capabilities: { tools: {} } });
  if (method === "tools/list") answer(id, { tools });
  if (method !== "tools/call") continue;
  process.stderr.write(`called ${params.name}\n`);
  if (params.name === "die") process.exit(7);
  answer(id, { content: [{ type: "text", text: "done" }] });
}
