import type { ToolCall } from "../model/call.ts";
import { toolProfiles } from "../policy/compile/profiles.ts";

/** The text that people know a call by. */
interface OwnText {
  /** The field that it stands in. */
  readonly field: string;
  /** The command, the path, the URL. */
  readonly text: string;
}

const PROFILES = toolProfiles(new Map());

/** The first argument of a call of a known tool; undefined if there is none, or it is no text. */
export function ownText({ tool, input }: Pick<ToolCall, "tool" | "input">): OwnText | undefined {
  const field = PROFILES.get(tool).firstArg?.find((name) => Object.hasOwn(input, name));
  const value = field === undefined ? undefined : input[field];
  return field === undefined || typeof value !== "string" ? undefined : { field, text: value };
}
