import type { JsonObject, ToolCall } from "../model/call.ts";

/** What a schema's `safeParse` answers, as zod has it. */
export interface ParsedInput {
  /** Whether the input is what the tool takes. */
  readonly success: boolean;
  /** What the schema made of it, with its defaults filled in: what the tool will run with. */
  readonly data?: unknown;
  /** What is wrong with it. */
  readonly error?: unknown;
}

/** What checks a tool's input: a zod schema, or anything with the same method. */
export interface InputSchema {
  /** Checks an input. */
  safeParse(input: unknown): ParsedInput | Promise<ParsedInput>;
}

/** What goes with a question to a tool. */
export interface ToolContext {
  /** The call; frozen. */
  readonly call: ToolCall;
  /** The absolute path of the folder it runs in. */
  readonly cwd: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/** What a tool says about a call of its own: `passthrough` is no opinion. */
export interface ToolOpinion {
  /** Its decision. */
  readonly decision: "allow" | "deny" | "ask" | "passthrough";
  /** Why, in one sentence without a final full stop; for the model too. */
  readonly reason?: string;
}

/** What a tool knows about its calls; all of it can be left out. */
export interface GateTool {
  /** What its input must be. */
  readonly schema?: InputSchema;
  /** What is wrong with an input that the schema accepts, in one sentence for the model; undefined when nothing is. */
  validateInput?(
    input: JsonObject,
    context: ToolContext,
  ): string | undefined | Promise<string | undefined>;
  /** The tool's own opinion. */
  checkPermissions?(
    input: JsonObject,
    context: ToolContext,
  ): ToolOpinion | Promise<ToolOpinion>;
  /** Whether its asks are for a person, so that no mode but bypass answers them. */
  readonly needsPerson?: boolean;
}
