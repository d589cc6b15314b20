import { isExact } from "../guard/names_place.ts";
import type { Rule } from "../model/rule.ts";
import { onlyText } from "../pattern/glob.ts";
import type { Policy } from "../policy/policy.ts";
import type { Entry } from "../policy/rule_table.ts";
import { sampleCalls } from "../suggest/sample_calls.ts";
import { mayShare } from "./may_share.ts";

/**
 * A deny rule that an allow rule of a file may beat for some call, for it stands below that and cannot be told apart from
 * it. Errs towards finding one; undefined when none can be, or the rule stood there before.
 */
export function mayLift(
  before: Policy,
  { after, pattern, path }: {
    readonly after: Policy;
    readonly pattern: string;
    readonly path: string;
  },
): Rule | undefined {
  const isIt = ({ action, pattern: text, source }: Rule) =>
    action === "allow" && text === pattern && source.path === path;
  const own = after.rules.find(isIt);
  if (own === undefined || before.rules.some(isIt)) return undefined;
  const isBelow = ({ action, index }: Rule) => action === "deny" && index > own.index;
  const tool = onlyText(own.parsed.tool);
  const entries = tool === undefined ? [] : after.entries(tool);
  const mine = entries.find(({ rule }) => rule === own);
  const isBare = mine?.spec === undefined ||
    mine.spec.kind === "any" && after.profiles.get(tool ?? "").kind === "command";
  // A command without a spec covers the files of its line too.
  if (mine === undefined || isBare) return after.rules.find(isBelow);
  return entries.find((entry) => isBelow(entry.rule) && isBeaten(entry, { by: mine, after }))?.rule;
}

function isBeaten(
  entry: Entry,
  { by, after }: { readonly by: Entry; readonly after: Policy },
): boolean {
  if (isOneCall(by)) {
    const calls = sampleCalls(by.rule.pattern, after.profiles);
    return calls.length === 0 || calls.some((call) => entry.matches(after.facts(call)) !== "no");
  }
  return mayShare(by, { entry, context: after.context });
}

/** Whether a rule fits one command or path alone. */
function isOneCall(entry: Entry): boolean {
  const { spec } = entry;
  if (spec?.kind !== "first") return false;
  return (spec.test.kind === "command" || spec.test.kind === "path") && isExact(entry);
}
