/**
 * An MCP server on standard input and output, for real agents: its tools `mark_allowed` and `mark_denied` leave a file of that name,
 * with the ending `.txt`, in the folder that its argument names.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { JsonRecord } from "./script.ts";

/** The server's name in an agent's settings. */
export const SERVER = "t";
/** Its tools. */
export const MARKS = ["mark_allowed", "mark_denied"] as const;

/** The words that start it. */
export function serverWords(folder: string): readonly string[] {
  const flags = ["run", "--quiet", "--no-prompt", "--no-config", "--no-lock", "--allow-all"];
  return [process.execPath, ...flags, new URL(import.meta.url).pathname, folder];
}

function answer(method: unknown, params: JsonRecord, folder: string): object | undefined {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params["protocolVersion"],
        capabilities: { tools: {} },
        serverInfo: { name: SERVER, version: "1" },
      };
    case "tools/list":
      return {
        tools: MARKS.map((name) => ({
          name,
          description: "Leaves a file",
          inputSchema: { type: "object", properties: {} },
        })),
      };
    case "tools/call":
      writeFileSync(join(folder, `${MARKS.find((name) => name === params["name"])}.txt`), "");
      return { content: [{ type: "text", text: "marked" }] };
    default:
      return undefined;
  }
}

async function serve(folder: string): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line) as JsonRecord;
    if (id === undefined) continue;
    const result = answer(method, (params ?? {}) as JsonRecord, folder);
    const error = { code: -32601, message: "no such method" };
    const reply = { jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) };
    process.stdout.write(`${JSON.stringify(reply)}\n`);
  }
}

if (import.meta.main) await serve(process.argv[2]!);
