/** The keys of one policy test. */
export const TEST_KEYS: readonly string[] = ["call", "expect", "mode", "rule", "why"];

/** The keys of a call that is written as a table. */
export const CALL_KEYS: readonly string[] = ["tool", "input", "cwd"];

/** A tool's name: no colon, paren, white space or wildcard; the source of a regular expression, anchored. */
export const TOOL_NAME_PATTERN = "^[^\\s:(*?]+$";

/** A call as text: a tool's name, alone or with a colon and what follows; the source of a regular expression, anchored. */
export const CALL_PATTERN = "^[^\\s:(*?]+(?::(?:[^\\s][\\s\\S]*)?)?$";
