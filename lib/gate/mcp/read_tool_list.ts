import type { Json, JsonObject } from "../../model/call.ts";
import { isJsonObject } from "../../text/json_value.ts";
import { imitation } from "./read_message.ts";

/** The result of `tools/list`. */
export interface ToolList {
  readonly result: JsonObject;
  /** The tools that have a name. */
  readonly tools: readonly JsonObject[];
  /** The number of all elements of the list. */
  readonly count: number;
  /** The cursor of the next page; undefined for the last one. */
  readonly next: string | undefined;
}

/** The members of the result, of a tool and of its annotations in MCP 2025-11-25. */
const OF_RESULT: ReadonlySet<string> = new Set(["tools", "nextCursor", "_meta"]);
const OF_TOOL: ReadonlySet<string> = new Set([
  "name",
  "title",
  "description",
  "inputSchema",
  "outputSchema",
  "annotations",
  "execution",
  "icons",
  "_meta",
]);
const OF_ANNOTATIONS: ReadonlySet<string> = new Set([
  "title",
  "readOnlyHint",
  "destructiveHint",
  "idempotentHint",
  "openWorldHint",
]);

/**
 * Reads the result of `tools/list`; its fault, in one sentence without a final full stop, if it has no list or a client that
 * ignores case may read another one in it than is pinned.
 */
export function readToolList(result: Json): ToolList | string {
  if (!isJsonObject(result)) return "it is not an object";
  const { tools, nextCursor } = result;
  const other = imitation(Object.keys(result), OF_RESULT) ??
    (isList(tools) ? firstOf(tools, imitationIn) : undefined);
  if (other !== undefined) return `${JSON.stringify(other)} is another spelling of a member`;
  if (!isList(tools)) return '"tools" is not a list';
  return {
    result,
    tools: tools.filter((tool): tool is JsonObject =>
      isJsonObject(tool) && typeof tool.name === "string"
    ),
    count: tools.length,
    next: cursorOf(nextCursor),
  };
}

/** A cursor; undefined for none, as the empty one is. */
export function cursorOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The first member of a tool that some clients take for another one. */
function imitationIn(tool: Json): string | undefined {
  if (!isJsonObject(tool)) return undefined;
  const { annotations = null } = tool;
  return imitation(Object.keys(tool), OF_TOOL) ??
    (isJsonObject(annotations) ? imitation(Object.keys(annotations), OF_ANNOTATIONS) : undefined);
}

function firstOf<T, R>(list: readonly T[], find: (each: T) => R | undefined): R | undefined {
  for (const each of list) {
    const found = find(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
