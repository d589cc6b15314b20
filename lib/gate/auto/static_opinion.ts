import type { ToolCall } from "../../model/call.ts";
import type { ListMatch, MatchesList } from "./list_matcher.ts";
import type { Opinion } from "./opinion.ts";
import type { AutoList } from "./auto_mode_file.ts";

/** What the denials say about a call, hard_deny first; one that cannot be evaluated is soft_deny. Undefined: nothing. */
export function staticDenial(call: ToolCall, matches: MatchesList): Opinion | undefined {
  const hard = matches("hard_deny", call);
  if (hard.fits === "yes") return opinion("hard_deny", fits("hard_deny", hard));
  const soft = matches("soft_deny", call);
  if (soft.fits === "yes") return opinion("soft_deny", fits("soft_deny", soft));
  if (hard.fits === "indeterminate") return opinion("soft_deny", cannotTell("hard_deny", hard));
  if (soft.fits === "indeterminate") return opinion("soft_deny", cannotTell("soft_deny", soft));
  return undefined;
}

/** What the list `allow` says about a call; undefined when nothing. The denials must have been asked before. */
export function staticAllow(call: ToolCall, matches: MatchesList): Opinion | undefined {
  const match = matches("allow", call);
  return match.fits === "yes" ? opinion("allow", fits("allow", match)) : undefined;
}

function opinion(decision: Opinion["decision"], reason: string): Opinion {
  return { decision, source: "static-rule", reason };
}

function fits(list: AutoList, match: ListMatch): string {
  return `${named(list, match)} fits`;
}

function cannotTell(list: AutoList, match: ListMatch): string {
  return match.detail === undefined
    ? `${named(list, match)} cannot be evaluated`
    : `whether ${list} fits cannot be told: ${match.detail}`;
}

function named(list: AutoList, { pattern, source }: ListMatch): string {
  if (pattern === undefined || source === undefined) return `the list ${list}`;
  return `the ${list} pattern \`${pattern}\` (${source.path}:${source.line})`;
}
