import type { Json, JsonObject } from "../../model/call.ts";
import { formatInstant } from "../../text/instant.ts";
import type { ToolPage } from "./relay_parts.ts";
import {
  type PinRecord,
  type SeenTool,
  type ServerPins,
  withAccepted,
  withSeen,
  withServer,
} from "./tool_pins.ts";

/** The record on the disk. Both reject or throw with one sentence where it cannot be used. */
export interface PinStore {
  read(): PinRecord;
  /** Changes it; `change` may be called more than once. */
  edit(change: (record: PinRecord) => PinRecord): Promise<void>;
}

/** The parts of the pins of a session. */
export interface SessionPinsParts {
  /** The server's key in the record. */
  readonly key: string;
  /** The server without tools. */
  readonly server: Omit<ServerPins, "tools">;
  readonly store: PinStore;
  /** Hexadecimal SHA-256 of a text. */
  sha256(text: string): Promise<string>;
  /** The time now, in ms since 1970-01-01T00:00Z. */
  now(): number;
  /** Tells the person at the server's log, one sentence without a final full stop. */
  note(text: string): void;
}

/** Longer definitions are pinned, but not kept for a comparison; in UTF-16 code units. */
const LONGEST_TEXT = 64 * 1024;

/** The most tools that a session knows; calls of others ask. */
const MOST_TOOLS = 5_000;

/** The step for a person about a definition that is not accepted. */
function accepts(server: string): string {
  return `"caliban mcp trust --server ${server}" shows it to a person, who can accept it`;
}

/**
 * The pins of a server in one session: the tools of its first list are accepted, and later ones wait for a person. A tool that
 * was shown with another definition stays in doubt until a person accepts one.
 */
export class SessionPins {
  readonly #parts: SessionPinsParts;
  /** The server as this session knows it. */
  #pins: ServerPins;
  /** The hash of the definition that was last seen. */
  readonly #seen = new Map<string, SeenTool>();
  /** Tools that were shown with a definition that was not accepted, and the hash that was accepted then. */
  readonly #doubts = new Map<string, string | undefined>();
  /** The cursors of the first list; absent before it. */
  #cursors: Set<string> | undefined;
  /** The cursor of its next page; absent when it is over. */
  #next: string | undefined;
  #fault: string | undefined;

  constructor(parts: SessionPinsParts) {
    this.#parts = parts;
    this.#pins = { ...parts.server, tools: new Map() };
  }

  /** Looks at a page of the server's list of tools. */
  async see({ tools, cursor, next }: ToolPage): Promise<void> {
    const isFirstSight = this.#isFirstSight(cursor, next);
    const seen = await this.#seenTools(tools);
    this.#pins = withSeen(this.#pins, seen, { isFirstSight });
    for (const each of seen) this.#remember(each);
    if (this.#fault === undefined) {
      await this.#edit((pins) => withSeen(pins, seen, { isFirstSight }));
    }
  }

  /** The reason why a call of a tool is asked about, in one sentence without a final full stop; undefined if none is. */
  whyAsks(name: string): string | undefined {
    if (this.#fault !== undefined) return this.#fault;
    if (this.#why(name) === undefined) return undefined;
    // A person may have accepted it meanwhile.
    this.#read();
    return this.#fault ?? this.#why(name);
  }

  /** The definition of a tool as it was last seen; undefined for one that was not listed. */
  seenTool(name: string): SeenTool | undefined {
    return this.#seen.get(name);
  }

  /** Accepts the definition of a tool that was last seen. */
  async accept(name: string): Promise<void> {
    const seen = this.#seen.get(name);
    if (seen === undefined) return;
    const accepted = (pins: ServerPins) =>
      withAccepted(
        withSeen(pins, [seen], { isFirstSight: false }),
        new Map([[name, seen.definition.hash]]),
      );
    this.#doubts.delete(name);
    this.#pins = accepted(this.#pins);
    if (this.#fault === undefined) await this.#edit(accepted);
  }

  /**
   * True for a page of the first list: one that begins it in a session with a server that the record does not have, or follows
   * the page before it. INVARIANT: no page after a second beginning, a cursor that was used or the last page belongs to it.
   */
  #isFirstSight(cursor: string | undefined, next: string | undefined): boolean {
    const isFirstSight = this.#cursors === undefined
      ? !this.#read() && this.#fault === undefined && cursor === undefined
      : cursor !== undefined && cursor === this.#next;
    this.#cursors ??= new Set();
    const isRepeated = next !== undefined && this.#cursors.has(next);
    this.#next = isFirstSight && !isRepeated && this.#cursors.size < MOST_TOOLS ? next : undefined;
    if (this.#next !== undefined) this.#cursors.add(this.#next);
    return isFirstSight;
  }

  /** Reads the record; true if it has the server. */
  #read(): boolean {
    try {
      const pins = this.#parts.store.read().get(this.#parts.key);
      if (pins !== undefined) this.#pins = pins;
      return pins !== undefined;
    } catch (error) {
      this.#fault = messageOf(error);
      return false;
    }
  }

  async #edit(change: (pins: ServerPins) => ServerPins): Promise<void> {
    const { store, key, server } = this.#parts;
    try {
      await store.edit((record) => {
        const before = record.get(key) ?? { ...server, tools: new Map() };
        return withServer(record, { key, pins: change(before) });
      });
    } catch (error) {
      this.#parts.note(`the tools are pinned for this session only: ${messageOf(error)}`);
    }
  }

  async #seenTools(tools: readonly JsonObject[]): Promise<readonly SeenTool[]> {
    const at = formatInstant(this.#parts.now());
    const room = Math.max(0, MOST_TOOLS - this.#seen.size);
    const known = tools.filter(({ name }) => typeof name === "string" && this.#seen.has(name));
    const others = tools.filter((tool) => !known.includes(tool)).slice(0, room);
    return await Promise.all([...known, ...others].map(async (tool): Promise<SeenTool> => {
      const text = canonical(tool);
      const hash = await this.#parts.sha256(text);
      const isKept = text.length <= LONGEST_TEXT;
      return { name: String(tool.name), definition: { hash, at, ...(isKept ? { text } : {}) } };
    }));
  }

  #remember(seen: SeenTool): void {
    const { name, definition } = seen;
    const accepted = this.#pins.tools.get(name)?.accepted?.hash;
    if (accepted !== definition.hash) this.#doubts.set(name, accepted);
    this.#seen.set(name, seen);
  }

  #why(name: string): string | undefined {
    const accepted = this.#pins.tools.get(name)?.accepted?.hash;
    const seen = this.#seen.get(name)?.definition.hash;
    const { server } = this.#parts.server;
    if (seen === undefined) {
      return accepted === undefined
        ? `the server ${server} lists no tool of this name`
        : `the server ${server} has not listed the tool in this session`;
    }
    if (accepted === undefined) {
      return `the tool is new since the tools of the server ${server} were accepted; ${
        accepts(server)
      }`;
    }
    if (accepted !== seen) {
      return `the server ${server} has changed its definition of the tool since it was accepted; ${
        accepts(server)
      }`;
    }
    if (!this.#doubts.has(name) || this.#doubts.get(name) !== accepted) return undefined;
    return "the tool had another definition earlier in this session; restart the server";
  }
}

/** One text for every spelling of the same JSON. */
function canonical(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.entries(value).toSorted(([one], [other]) => one < other ? -1 : 1);
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(",")}}`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
