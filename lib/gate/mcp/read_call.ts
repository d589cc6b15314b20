import type { Json } from "../../model/call.ts";
import { isJsonObject } from "../../text/json_value.ts";
import { imitation, unsureValue } from "./read_message.ts";
import type { ServerCall } from "./relay_parts.ts";

/** The names of the members of a call. */
const MEMBERS: ReadonlySet<string> = new Set(["name", "arguments", "_meta", "task"]);

/** The longest name of a tool, in UTF-16 code units. */
const LONGEST_NAME = 1_000;

/** The call in the parameters of `tools/call`, or its fault. Without arguments it has none. */
export function readCall(params: Json | undefined): ServerCall | string {
  if (!isJsonObject(params)) return '"params" is not an object';
  const other = imitation(Object.keys(params), MEMBERS);
  if (other !== undefined) return `${JSON.stringify(other)} is another spelling of a member`;
  const { name, arguments: input = {} } = params;
  if (typeof name !== "string" || name === "") return '"name" is no name of a tool';
  if (name.length > LONGEST_NAME) return `"name" has more than ${LONGEST_NAME} characters`;
  if (input !== null && !isJsonObject(input)) return '"arguments" is not an object';
  const unsure = unsureValue(params);
  return unsure === undefined ? { name, input: input ?? {} } : unsure;
}
