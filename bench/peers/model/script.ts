/** A call that the scripted model makes. */
export interface ScriptedCall {
  /** The agent's own name of the tool. */
  readonly name: string;
  /** Its input; a text for a tool that takes any text, as Codex's `apply_patch`. */
  readonly input: Readonly<Record<string, unknown>> | string;
  /** The group of the tool, where the protocol names tools in groups: Codex's servers. */
  readonly namespace?: string;
}

/** The calls of a scripted model, one a turn; after the last it has done. */
export type Script = readonly ScriptedCall[];

/** A tool that an agent offers to the model. */
export interface OfferedTool {
  readonly name: string;
  /** The JSON Schema of its input; undefined where the agent sends none. */
  readonly schema: unknown;
}

/** A request of an agent to its model, in the words that all protocols share. */
export interface ModelRequest {
  /** The tools that the agent offers; none in requests beside the conversation, as for its title. */
  readonly tools: readonly OfferedTool[];
  /** The answers to the calls so far, in their order. */
  readonly results: readonly string[];
  /** True if the agent wants the answer as a stream of events. */
  readonly streams: boolean;
}

/** One answer of the model: a call, or `done` when `call` is undefined. */
export interface Turn {
  readonly call: ScriptedCall | undefined;
  /** The number of the turn, from 0. */
  readonly at: number;
}

/** A protocol between agents and models. */
export interface Protocol {
  /** True if a request to this path is in this protocol. */
  isAt(path: string): boolean;
  /** Reads the body of a request to `path`. */
  read(body: JsonRecord, path: string): ModelRequest;
  /** One answer in JSON. */
  whole(turn: Turn): object;
  /** The same answer as a stream of events. */
  stream(turn: Turn): string;
}

/** An object of JSON from outside. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The objects in a list from outside; none where it is no list. */
export function recordsIn(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "object" && each) : [];
}

/** A tool's answer as text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}

/** One event of a stream; with its name where the protocol has names. */
export function eventText(data: object, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
