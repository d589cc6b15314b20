import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A call that the model makes: a command and what goes with it. */
export interface CodexCall {
  /** The command. */
  readonly cmd: string;
  /** The folder that it is to run in; the session's when left out. */
  readonly workdir?: string;
}

interface Request {
  readonly input: readonly { readonly type?: string; readonly output?: unknown }[];
}

/** A server on this machine that speaks the Responses API. */
export interface CodexServer {
  /** The base of its addresses. */
  readonly url: string;
  /** What the model was told about each call. */
  readonly results: string[];
  /** Ends it. */
  close(): Promise<void>;
}

/** A model that runs these commands, one after the other, and then has done. */
export async function codexServer(calls: readonly CodexCall[]): Promise<CodexServer> {
  const results: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      if (!request.url?.endsWith("/responses")) return void response.writeHead(404).end("{}");
      const { input } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Request;
      const done = input.filter(({ type }) => type?.endsWith("_output"));
      results.splice(0, results.length, ...done.map(({ output }) => JSON.stringify(output)));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(eventsOf(calls[done.length], done.length));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    results,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function eventsOf(call: CodexCall | undefined, at: number): string {
  const item = call === undefined
    ? { type: "message", role: "assistant", content: [{ type: "output_text", text: "done" }] }
    : {
      type: "function_call",
      name: "exec_command",
      call_id: `call_${at}`,
      arguments: JSON.stringify(call),
    };
  const id = `response_${at}`;
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return [
    { type: "response.created", response: { id } },
    { type: "response.output_item.done", output_index: 0, item: { id: `item_${at}`, ...item } },
    { type: "response.completed", response: { id, usage } },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
