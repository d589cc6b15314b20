import type { Json, JsonObject } from "../../model/call.ts";
import { isJsonObject } from "../../text/json_value.ts";
import { readCall } from "./read_call.ts";
import { cursorOf, readToolList } from "./read_tool_list.ts";
import { NOT_OF_SERVERS, PASSED_NOTIFICATIONS, PASSED_REQUESTS } from "./methods.ts";
import { idKey, type Message, readMessage, type Unread } from "./read_message.ts";
import type { CallAnswer, Elicitation, RelayParts, ServerCall } from "./relay_parts.ts";
import { CODE, denialLine, errorLine, lineOf, memberOf, shownMethod } from "./replies.ts";

/** The most calls that are being decided at once. */
const MOST_HELD = 64;

/** The most requests of one side that the other has not answered. */
const MOST_OPEN = 10_000;

/** The most errors for the server that it may not have taken; each is a few kilobytes at most. */
const MOST_REFUSED = 256;

/**
 * Stands between a client and a server of the Model Context Protocol. Messages go on as they are, but for calls, which are
 * decided first, and lists of tools. INVARIANT: the server sees no call that was not allowed, by no method and in no form, and
 * the client no response to a request that it did not make.
 */
export class Relay {
  readonly #parts: RelayParts;
  /** The client's requests that the server has not answered. */
  readonly #open = new Map<string, Message & { readonly kind: "request" }>();
  /** The server's requests that the client has not answered. */
  readonly #ofServer = new Set<string>();
  /** The calls that are being decided. */
  readonly #held = new Map<string, { readonly abort: AbortController; done?: Promise<void> }>();
  /** The gate's own questions to the client. */
  readonly #asked = new Map<string, (response: JsonObject) => void>();
  readonly #own: string;
  /** The errors for the server since it has taken all. */
  #refused = 0;
  #capabilities: Json | undefined;
  #isStarted = false;
  #isEnded = false;

  constructor(parts: RelayParts) {
    this.#parts = parts;
    this.#own = `caliban-${parts.newId()}-`;
  }

  /** True if the client said that it can ask its person. */
  get canAsk(): boolean {
    const elicitation = memberOf(this.#capabilities, "elicitation");
    if (!isJsonObject(elicitation)) return false;
    // A client that names its ways of asking has those alone; one that names none has forms.
    return Object.keys(elicitation).length === 0 || isJsonObject(elicitation.form);
  }

  /** True if the server has not answered all requests. */
  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /** Takes a line of the client. */
  fromClient(line: Uint8Array | null): void {
    const message = readMessage(line);
    switch (message?.kind) {
      case "unread":
        return this.#refuse(message);
      case "request":
        return this.#request(message);
      case "notification":
        return this.#notification(message);
      case "response":
        return this.#response(message);
    }
  }

  /** Takes a line of the server; the next one may be taken when it resolves. */
  async fromServer(line: Uint8Array | null): Promise<void> {
    const message = readMessage(line);
    switch (message?.kind) {
      case "unread":
        return this.#parts.note(`a message of the server is left out: ${message.why}`);
      case "request":
        return await this.#serverRequest(message);
      case "notification":
        return this.#parts.toClient(message.text);
      case "response":
        return await this.#serverResponse(message);
    }
  }

  /** Ends the questions to a client that is gone, and waits for the calls that are still being decided. */
  async clientEnded(): Promise<void> {
    this.#isEnded = true;
    for (const answer of [...this.#asked.values()]) answer({});
    await Promise.all([...this.#held.values()].map(({ done }) => done));
  }

  /** Asks the client's person; the result of the client's response, undefined for an error or a client that is gone. Rejects when the signal is aborted. */
  async elicit(
    params: Elicitation,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<Json | undefined> {
    signal?.throwIfAborted();
    if (this.#isEnded) return undefined;
    const id = `${this.#own}${this.#parts.newId()}`;
    const key = idKey(id);
    const response = new Promise<JsonObject>((resolve, reject) => {
      this.#asked.set(key, resolve);
      signal?.addEventListener("abort", () => {
        if (!this.#asked.has(key)) return;
        const method = "notifications/cancelled";
        const reason = "the call was cancelled";
        this.#parts.toClient(lineOf({ method, params: { requestId: id, reason } }));
        reject(signal.reason);
      }, { once: true });
    });
    this.#parts.toClient(lineOf({ id, method: "elicitation/create", params: { ...params } }));
    try {
      return (await response).result;
    } finally {
      this.#asked.delete(key);
    }
  }

  #refuse({ why, ids }: Unread): void {
    const error = { code: CODE.invalidRequest, message: `the message is not passed on: ${why}` };
    for (const id of ids.length === 0 ? [null] : ids) this.#parts.toClient(errorLine(id, error));
  }

  #request(message: Message & { readonly kind: "request" }): void {
    const { id, method, text } = message;
    const key = idKey(id);
    const refuse = (code: number, why: string) =>
      this.#parts.toClient(errorLine(id, { code, message: why }));
    if (this.#open.has(key) || this.#held.has(key)) {
      return refuse(CODE.invalidRequest, "a request with this id is not answered yet");
    }
    if (this.#open.size >= MOST_OPEN) {
      return refuse(CODE.invalidRequest, "too many requests are not answered yet");
    }
    if (method === "tools/call") return this.#call(message);
    if (!PASSED_REQUESTS.has(method)) {
      return refuse(CODE.unknownMethod, `the method ${shownMethod(method)} is unknown`);
    }
    if (method === "initialize") {
      if (this.#isStarted) return refuse(CODE.invalidRequest, "the session is initialized");
      this.#isStarted = true;
      this.#capabilities = memberOf(message.value.params, "capabilities");
    }
    this.#open.set(key, message);
    this.#parts.toServer(text);
  }

  #call(message: Message & { readonly kind: "request" }): void {
    const { id } = message;
    const call = readCall(message.value.params);
    if (typeof call === "string") {
      const why = `the call is not passed on: ${call}`;
      return this.#parts.toClient(errorLine(id, { code: CODE.invalidParams, message: why }));
    }
    if (this.#held.size >= MOST_HELD) {
      const reason = "too many calls wait for an answer, so it is denied";
      return this.#parts.toClient(denialLine(id, reason));
    }
    const held: { readonly abort: AbortController; done?: Promise<void> } = {
      abort: new AbortController(),
    };
    this.#held.set(idKey(id), held);
    held.done = this.#decide(message, { call, signal: held.abort.signal });
  }

  async #decide(
    message: Message & { readonly kind: "request" },
    { call, signal }: { readonly call: ServerCall; readonly signal: AbortSignal },
  ): Promise<void> {
    const answer = await this.#answerTo(call, signal);
    // A call that was cancelled gets no response.
    if (signal.aborted) return;
    const key = idKey(message.id);
    this.#held.delete(key);
    if (answer.action === "deny") {
      return this.#parts.toClient(denialLine(message.id, answer.reason));
    }
    this.#open.set(key, message);
    this.#parts.toServer(message.text);
  }

  async #answerTo(call: ServerCall, signal: AbortSignal): Promise<CallAnswer> {
    try {
      return await this.#parts.decide(call, { signal });
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return { action: "deny", reason: `the call cannot be decided: ${detail}` };
    }
  }

  #notification({ method, text, value }: Message & { readonly kind: "notification" }): void {
    if (!PASSED_NOTIFICATIONS.has(method)) {
      const name = shownMethod(method);
      return this.#parts.note(`a notification of the client is left out: ${name} is unknown`);
    }
    if (method === "notifications/cancelled") {
      const id = memberOf(value.params, "requestId");
      const key = typeof id === "string" || typeof id === "number" ? idKey(id) : "";
      const held = this.#held.get(key);
      if (held !== undefined) {
        this.#held.delete(key);
        return held.abort.abort(new Error("the call was cancelled"));
      }
      // The server does not answer any more.
      this.#open.delete(key);
    }
    this.#parts.toServer(text);
  }

  #response({ id, text, value }: Message & { readonly kind: "response" }): void {
    const key = idKey(id);
    const answer = this.#asked.get(key);
    if (answer !== undefined) return answer(value);
    if (!this.#ofServer.delete(key)) {
      return this.#parts.note("a response of the client is left out: it answers no request");
    }
    this.#parts.toServer(text);
  }

  async #serverRequest({ id, method, text }: Message & { readonly kind: "request" }) {
    const key = idKey(id);
    const isFull = this.#ofServer.size >= MOST_OPEN;
    const isOurs = typeof id === "string" && id.startsWith(this.#own);
    if (!NOT_OF_SERVERS.has(method) && !isFull && !isOurs && !this.#ofServer.has(key)) {
      this.#ofServer.add(key);
      return this.#parts.toClient(text);
    }
    const message = `the request ${shownMethod(method)} is not passed on`;
    this.#parts.toServer(errorLine(id, { code: CODE.invalidRequest, message }));
    // Not at each one: a server may send some before it reads.
    if (++this.#refused < MOST_REFUSED) return;
    await this.#parts.taken();
    this.#refused = 0;
  }

  async #serverResponse({ id, text, value }: Message & { readonly kind: "response" }) {
    const key = idKey(id);
    const request = this.#open.get(key);
    if (request === undefined) {
      return this.#parts.note("a response of the server is left out: it answers no open request");
    }
    this.#open.delete(key);
    const { result } = value;
    if (request.method !== "tools/list" || result === undefined) return this.#parts.toClient(text);
    const listed = readToolList(result);
    if (typeof listed === "string") {
      const message = `the list of tools is not passed on: ${listed}`;
      return this.#parts.toClient(errorLine(id, { code: CODE.internalError, message }));
    }
    const kept = await this.#parts.listed({
      tools: listed.tools,
      cursor: cursorOf(memberOf(request.value.params, "cursor")),
      next: listed.next,
    });
    const isWhole = kept.length === listed.count;
    const rest = { ...listed.result, tools: kept };
    this.#parts.toClient(isWhole ? text : lineOf({ ...value, result: rest }));
  }
}
