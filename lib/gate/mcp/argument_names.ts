import type { JsonObject } from "../../model/call.ts";
import { foldCase, visibleName } from "../../pattern/unicode.ts";
import { isJsonObject } from "../../text/json_value.ts";
import { imitation } from "./read_message.ts";
import { memberOf } from "./replies.ts";
import type { SeenTool } from "./tool_pins.ts";

/**
 * The fault of an argument whose name some servers take for another one: readers of some languages ignore case, so that rules
 * about `path` would not see a file in `Path`. Undefined if there is none; nested names are not looked at.
 */
export function argumentFault(input: JsonObject, tool: SeenTool | undefined): string | undefined {
  const names = Object.keys(input);
  const other = imitation(names, declaredNames(tool)) ?? twin(names);
  return other === undefined
    ? undefined
    : `the argument ${JSON.stringify(other)} is another spelling of an argument`;
}

/** The first name that some readers take for one before it. */
function twin(names: readonly string[]): string | undefined {
  const before = new Set<string>();
  return names.find((name) => {
    const folded = foldCase(visibleName(name));
    return before.size === before.add(folded).size;
  });
}

/** The names of arguments in a tool's definition. */
function declaredNames(tool: SeenTool | undefined): ReadonlySet<string> {
  const text = tool?.definition.text;
  if (text === undefined) return new Set();
  const properties = memberOf(memberOf(JSON.parse(text), "inputSchema"), "properties");
  return new Set(isJsonObject(properties) ? Object.keys(properties) : []);
}
