import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Block {
  readonly type: string;
}

interface Request {
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly Block[];
  }[];
}

/** A server on this machine that speaks the Messages API. */
export interface ClaudeServer {
  /** Its address. */
  readonly url: string;
  /** What the agent told the model about its calls, one text each. */
  readonly results: string[];
  /** Ends it. */
  close(): Promise<void>;
}

/** A model that calls Bash with these commands, one after the other, and then has done. */
export async function claudeServer(
  commands: readonly string[],
): Promise<ClaudeServer> {
  const results: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      if (
        !request.url?.startsWith("/v1/messages") ||
        request.url.includes("count_tokens")
      ) {
        return void response.writeHead(404).end("{}");
      }
      const asked = JSON.parse(
        Buffer.concat(chunks).toString("utf8"),
      ) as Request;
      const done = resultsIn(asked);
      if (done.length > results.length) {
        results.splice(0, results.length, ...done);
      }
      const isAgent = asked.tools?.some(({ name }) => name === "Bash") ?? false;
      answer(response, {
        asked,
        command: isAgent ? commands[done.length] : undefined,
        at: done.length,
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    results,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function resultsIn({ messages }: Request): readonly string[] {
  return messages.flatMap(({ content }) =>
    typeof content === "string"
      ? []
      : content.filter(({ type }) => type === "tool_result").map((each) => JSON.stringify(each))
  );
}

interface Turn {
  readonly asked: Request;
  readonly command: string | undefined;
  readonly at: number;
}

function answer(response: ServerResponse, { asked, command, at }: Turn): void {
  const block = command === undefined ? { type: "text", text: "done" } : {
    type: "tool_use",
    id: `toolu_${at}`,
    name: "Bash",
    input: { command, description: "x" },
  };
  const reason = command === undefined ? "end_turn" : "tool_use";
  const message = {
    id: `msg_${at}`,
    type: "message",
    role: "assistant",
    model: "m",
    stop_sequence: null,
  };
  const usage = { input_tokens: 1, output_tokens: 1 };
  if (asked.stream !== true) {
    response.writeHead(200, { "content-type": "application/json" });
    return void response.end(
      JSON.stringify({
        ...message,
        content: [block],
        stop_reason: reason,
        usage,
      }),
    );
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, rest: object) =>
    response.write(
      `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`,
    );
  send("message_start", {
    message: { ...message, content: [], stop_reason: null, usage },
  });
  if (command === undefined) {
    send("content_block_start", {
      index: 0,
      content_block: { type: "text", text: "" },
    });
    send("content_block_delta", {
      index: 0,
      delta: { type: "text_delta", text: "done" },
    });
  } else {
    send("content_block_start", {
      index: 0,
      content_block: { ...block, input: {} },
    });
    const partial_json = JSON.stringify({ command, description: "x" });
    send("content_block_delta", {
      index: 0,
      delta: { type: "input_json_delta", partial_json },
    });
  }
  send("content_block_stop", { index: 0 });
  send("message_delta", {
    delta: { stop_reason: reason, stop_sequence: null },
    usage,
  });
  send("message_stop", {});
  response.end();
}
