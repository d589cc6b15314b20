/** A JSON value (RFC 8259). */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object of JSON values, such as the input of a tool. */
export interface JsonObject {
  /** The member of that name. */
  readonly [key: string]: Json;
}

/** A tool call that an agent wants to make. */
export interface ToolCall {
  /** The tool's name, case-sensitive: `Bash`, `mcp__github__create_issue`. */
  readonly tool: string;
  /** The tool's arguments. */
  readonly input: JsonObject;
  /** The absolute path of the folder that the call runs in; by default that of the policy. */
  readonly cwd?: string;
}
