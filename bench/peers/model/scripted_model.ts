/**
 * A scripted model on this machine, for driving real coding agents: it speaks the protocols of Anthropic (messages), OpenAI (chat
 * completions and responses) and Gemini (generateContent and streamGenerateContent), by the path of each request.
 *
 *     const model = await scriptedModel([{ name: "Bash", input: { command: "ls" } }]);
 *     // … run an agent with `model.url` as the address of its provider …
 *     model.results[0]; // the agent's answer to the first call: its output, or the reason why it did not run
 *     await model.close();
 *
 * It has no state beside its record: the turn of a request is the number of tool results in it, so that an agent may repeat a request.
 * A request that offers no tools (for a title, a summary) is answered with `done`, as is every request after the last call. An agent
 * that asks without end (it answers a call without a result, say) is told 400 after `MOST_REQUESTS` requests a call.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./anthropic.ts";
import { gemini } from "./gemini.ts";
import { openaiChat } from "./openai_chat.ts";
import { openaiResponses } from "./openai_responses.ts";
import type { JsonRecord, ModelRequest, OfferedTool, Protocol, Script } from "./script.ts";

/** The scripted model, and its record. */
export interface ScriptedModel {
  /** Its address without a path: `http://127.0.0.1:…`; most agents want `/v1` behind it. */
  readonly url: string;
  /** The agent's answers to the calls so far, in their order. */
  readonly results: readonly string[];
  /** The tools that the agent has offered, by name. */
  readonly tools: ReadonlyMap<string, OfferedTool>;
  /** The paths of all requests, those that nobody here answers included. */
  readonly paths: readonly string[];
  /** Ends it, with the connections that are open. */
  close(): Promise<void>;
}

const PROTOCOLS: readonly Protocol[] = [anthropic, openaiChat, openaiResponses, gemini];

/** The requests that an agent may make for each call, on an average. */
const MOST_REQUESTS = 4;

/** Starts a model on loopback that makes these calls, one after the other, and then has done. */
export async function scriptedModel(script: Script): Promise<ScriptedModel> {
  const record = {
    results: [] as string[],
    tools: new Map<string, OfferedTool>(),
    paths: [] as string[],
  };
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
      record.paths.push(pathname);
      const protocol = PROTOCOLS.find((each) => request.method === "POST" && each.isAt(pathname));
      if (protocol === undefined) return answerOther(response, pathname);
      if (record.paths.length > MOST_REQUESTS * (script.length + 10)) {
        return answerJson(response, 400, { error: { message: "too many requests" } });
      }
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as JsonRecord;
      const asked = protocol.read(body, pathname);
      remember(asked, record);
      const at = asked.results.length;
      const turn = { call: asked.tools.length === 0 ? undefined : script[at], at };
      if (!asked.streams) return answerJson(response, 200, protocol.whole(turn));
      response.writeHead(200, { "content-type": "text/event-stream" }).end(protocol.stream(turn));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    ...record,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function remember(
  asked: ModelRequest,
  { results, tools }: { readonly results: string[]; readonly tools: Map<string, OfferedTool> },
): void {
  if (asked.results.length >= results.length) results.splice(0, results.length, ...asked.results);
  for (const tool of asked.tools) tools.set(tool.name, tool);
}

/** Lists of models have one; nothing else is here. */
function answerOther(response: ServerResponse, path: string): void {
  if (!path.endsWith("/models")) return answerJson(response, 404, {});
  answerJson(response, 200, { object: "list", data: [{ id: "m", object: "model" }], models: [] });
}

function answerJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
