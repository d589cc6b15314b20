import { policyFromToml } from "../../../../lib/core.ts";
import type { Json, JsonObject } from "../../../../lib/model/call.ts";
import { Relay } from "../../../../lib/gate/mcp/relay.ts";
import { type Ruling, ServerGate } from "../../../../lib/gate/mcp/server_gate.ts";
import { SessionPins } from "../../../../lib/gate/mcp/session_pins.ts";
import type { PinRecord } from "../../../../lib/gate/mcp/tool_pins.ts";
import { sha256 } from "../../../../lib/io/runtime/runtime_calls.ts";

/** A record that is kept in memory. */
export class Memory {
  record: PinRecord = new Map();
  fault: Error | undefined;

  read(): PinRecord {
    if (this.fault) throw this.fault;
    return this.record;
  }

  edit(change: (record: PinRecord) => PinRecord): Promise<void> {
    if (this.fault) return Promise.reject(this.fault);
    this.record = change(this.record);
    return Promise.resolve();
  }
}

/** A client and a server of which nothing is real but the gate between them. */
export class Scene {
  readonly toClient: JsonObject[] = [];
  readonly toServer: JsonObject[] = [];
  /** The lines to the server as they are. */
  readonly rawToServer: string[] = [];
  readonly notes: string[] = [];
  readonly audit: string[] = [];
  readonly relay: Relay;
  /** Resolved while the server takes what it is sent. */
  taken: Promise<void> = Promise.resolve();
  /** Written anew for another policy. */
  policy: string;
  #read: { readonly text: string; readonly ruling: Ruling } | undefined;
  mode: Ruling["mode"] = "default";

  constructor(
    { policy, pins = new Memory(), capabilities = {}, lists = [] }: {
      readonly policy: string;
      readonly pins?: Memory;
      readonly capabilities?: JsonObject;
      /** Tools that the server lists at once. */
      readonly lists?: readonly string[];
    },
  ) {
    this.policy = policy;
    const note = (text: string) => void this.notes.push(text);
    const now = () => 0;
    const session = new SessionPins({
      key: "0".repeat(64),
      server: { server: "fs", program: "x", workspace: "/w" },
      store: pins,
      sha256,
      now,
      note,
    });
    const gate: ServerGate = new ServerGate({
      server: "fs",
      pins: session,
      client: () => this.relay,
      ruling: () => this.ruling(),
      sentence: (error) => error instanceof Error ? error.message : String(error),
      now,
      machineAudit: { append: (line) => Promise.resolve(void this.audit.push(line)) },
      note,
    });
    let id = 0;
    this.relay = new Relay({
      toClient: (line) => void this.toClient.push(JSON.parse(line)),
      toServer: (line) => {
        this.rawToServer.push(line);
        this.toServer.push(JSON.parse(line));
      },
      taken: () => this.taken,
      decide: (call, options) => gate.decide(call, options),
      listed: (page) => gate.listed(page),
      note,
      newId: () => `${++id}`,
    });
    if (lists.length > 0) void this.start({ capabilities, lists });
  }

  ruling(): Promise<Ruling> {
    if (this.#read?.text === this.policy) return Promise.resolve(this.#read.ruling);
    try {
      const ruling: Ruling = { policy: policyFromToml(this.policy), mode: this.mode };
      this.#read = { text: this.policy, ruling };
      return Promise.resolve(ruling);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** The client begins, and gets the server's list of tools. */
  async start(
    { capabilities = {}, lists }: {
      readonly capabilities?: JsonObject;
      readonly lists: readonly string[];
    },
  ): Promise<void> {
    this.client({ id: "init", method: "initialize", params: { capabilities } });
    await this.server({ id: "init", result: {} });
    this.client({ method: "notifications/initialized" });
    await this.list(lists.map((name) => ({ name })));
    this.clear();
  }

  /** The client asks for the list of tools, and the server sends one. */
  async list(tools: readonly Json[], { cursor, next }: { cursor?: string; next?: string } = {}) {
    const id = `list ${tools.length} ${cursor}`;
    this.client({ id, method: "tools/list", params: cursor === undefined ? {} : { cursor } });
    await this.server({
      id,
      result: { tools, ...(next === undefined ? {} : { nextCursor: next }) },
    });
  }

  clear(): void {
    for (const list of [this.toClient, this.toServer, this.rawToServer]) list.length = 0;
  }

  client(message: JsonObject): void {
    this.clientLine(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  clientLine(line: string | Uint8Array | null): void {
    this.relay.fromClient(typeof line === "string" ? new TextEncoder().encode(line) : line);
  }

  async server(message: JsonObject): Promise<void> {
    await this.serverLine(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  async serverLine(line: string | null): Promise<void> {
    await this.relay.fromServer(line === null ? null : new TextEncoder().encode(line));
  }

  /** Calls a tool, and waits until the gate has done what it can by itself. */
  async call(name: string, input: Json = {}, id: string | number = 1): Promise<void> {
    this.client({ id, method: "tools/call", params: { name, arguments: input } });
    await this.settled();
  }

  async settled(): Promise<void> {
    for (let turn = 0; turn < 200; turn++) await Promise.resolve();
    await new Promise((go) => setTimeout(go, 0));
  }
}

/** The text of a denial; undefined for any other message. */
export function denialOf(message: JsonObject | undefined): string | undefined {
  const result = message?.result as { isError?: true; content?: { text: string }[] } | undefined;
  return result?.isError ? result.content?.[0]?.text : undefined;
}
