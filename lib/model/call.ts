/** A JSON value, as RFC 8259 has it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  /** The member of that name. */
  readonly [key: string]: Json;
}

/** One call that an agent wants to make. */
export interface ToolCall {
  /** The tool's name, case-sensitive: `Bash`, `mcp__github__create_issue`. */
  readonly tool: string;
  /** The tool's arguments. */
  readonly input: JsonObject;
  /** The absolute path of the directory the call runs in; the policy's own when left out. */
  readonly cwd?: string;
}
