/** A server for tests that speaks the chat-completions API over a real socket on loopback. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the server got. */
export interface Got {
  /** Its path. */
  readonly path: string;
  /** Its headers. */
  readonly headers: IncomingHttpHeaders;
  /** Its body, read as JSON. */
  readonly body: {
    readonly model: string;
    readonly temperature: number;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly response_format: {
      readonly type: string;
      readonly json_schema: { readonly strict: boolean; readonly schema: unknown };
    };
  };
}

/** The answer to one request. */
export type Script = (response: ServerResponse, got: Got) => void;

/** A server at work. */
export interface ModelServer {
  /** The value for `base_url`. */
  readonly baseUrl: string;
  /** Every request so far. */
  readonly got: Got[];
  /** The answer to the next requests. */
  script: Script;
}

/** Runs `use` with a server that answers as `script` says, and closes it and its connections. */
export async function withModelServer<T>(
  script: Script,
  use: (server: ModelServer) => Promise<T>,
): Promise<T> {
  const got: Got[] = [];
  const http = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (part) => text += part);
    request.on("end", () => {
      const { url = "", headers } = request;
      const one: Got = { path: url, headers, body: text === "" ? {} : JSON.parse(text) };
      got.push(one);
      server.script(response, one);
    });
    // A test that hangs up is no failure of the server.
    response.on("error", () => response.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", () => resolve()));
  const { port } = http.address() as AddressInfo;
  const server: ModelServer = { baseUrl: `http://127.0.0.1:${port}/v1`, got, script };
  try {
    return await use(server);
  } finally {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
}

/** Answers with JSON. */
export function json(body: unknown, status = 200): Script {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
}

/** Answers with a completion that holds this text. */
export function content(text: unknown, more: object = {}): Script {
  const message = { role: "assistant", content: text, refusal: null };
  return json({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, finish_reason: "stop", message, ...more }],
  });
}

/** Answers with an opinion. */
export function opinion(decision: string, reason = "because"): Script {
  return content(JSON.stringify({ decision, reason }));
}
