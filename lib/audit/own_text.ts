import type { ToolCall } from "../model/call.ts";
import { toolProfiles } from "../policy/compile/profiles.ts";

/** What a person knows a call by. */
export interface OwnText {
  /** The field that it stands in. */
  readonly field: string;
  /** The command, the path, the URL. */
  readonly text: string;
}

const PROFILES = toolProfiles(new Map());

/** The first argument of a call of a tool that caliban knows; undefined where there is none, or it is no text. */
export function ownText({ tool, input }: Pick<ToolCall, "tool" | "input">): OwnText | undefined {
  const field = PROFILES.get(tool).firstArg?.find((name) => Object.hasOwn(input, name));
  const value = field === undefined ? undefined : input[field];
  return field === undefined || typeof value !== "string" ? undefined : { field, text: value };
}
