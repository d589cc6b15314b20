import type { ToolCall } from "../model/call.ts";
import type { Policy } from "../policy/compile/policy.ts";

/** Stands for the server in the name of a tool, where the agent names the tool alone. */
export const UNNAMED = "mcp__*__";

/**
 * The calls, each tool whose server is not known followed at the end by that tool of every server that a rule names. What
 * one rule denies for one server is so denied for a tool that may be that server's.
 */
export function withServers(
  calls: readonly ToolCall[],
  policies: readonly Policy[],
): readonly ToolCall[] {
  const unnamed = calls.filter(({ tool }) => tool.startsWith(UNNAMED));
  if (unnamed.length === 0) return calls;
  const servers = new Set(policies.flatMap(({ rules }) => rules.flatMap(serversOf)));
  const more = unnamed.flatMap((call) =>
    [...servers].map((server) => ({
      ...call,
      tool: `mcp__${server}__${call.tool.slice(UNNAMED.length)}`,
    }))
  );
  return [...calls, ...more];
}

/** The servers that a rule's tool may name, its wildcards filled in; none for a rule about other tools. */
function serversOf({ pattern }: { readonly pattern: string }): readonly string[] {
  const name = /^mcp__([^:(]+)/.exec(pattern)?.[1]?.replaceAll(/[*?]/g, "x");
  if (name === undefined) return [];
  const parts = name.split("__");
  // A server's name may have the separator in it.
  const ends = parts.length === 1 ? [1] : parts.slice(1).map((_part, index) => index + 1);
  return ends.map((end) => parts.slice(0, end).join("__"));
}
