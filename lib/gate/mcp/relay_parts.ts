import type { JsonObject } from "../../model/call.ts";

/** A call of a tool of the server. */
export interface ServerCall {
  /** The tool's name at the server. */
  readonly name: string;
  readonly input: JsonObject;
}

/** The answer to a call; the reason is for the model. */
export type CallAnswer = { readonly action: "allow" } | {
  readonly action: "deny";
  readonly reason: string;
};

/** A part of the list of tools. */
export interface ToolPage {
  readonly tools: readonly JsonObject[];
  /** The cursor of its request; undefined for the page that a list begins with. */
  readonly cursor: string | undefined;
  /** The cursor of the next page; undefined for the page that a list ends with. */
  readonly next: string | undefined;
}

/** The parts of a relay that are not its own. Lines have no newline. */
export interface RelayParts {
  /** Sends a line to the client. */
  toClient(line: string): void;
  /** Sends a line to the server. */
  toServer(line: string): void;
  /** Resolves when the server has taken what was sent, or takes nothing any more. */
  taken(): Promise<void>;
  /** Decides a call. What it throws is a deny. */
  decide(call: ServerCall, options: { readonly signal: AbortSignal }): Promise<CallAnswer>;
  /** Looks at a page of the list; the tools that stay in it. */
  listed(page: ToolPage): Promise<readonly JsonObject[]>;
  /** Tells the person at the server's log, one sentence without a final full stop. */
  note(text: string): void;
  /** A new text that cannot be guessed. */
  newId(): string;
}

/** A question to the person, in the terms of `elicitation/create`. */
export interface Elicitation {
  readonly message: string;
  readonly requestedSchema: JsonObject;
}
