import { MASK } from "../audit/mask_secrets.ts";
import type { Json } from "../model/call.ts";
import type { Policy } from "../policy/compile/policy.ts";
import type { RecordedCall } from "./replay_calls.ts";

/** What stands in a log for what was left out of it. */
const LEFT_OUT = /\[\d+ (?:character|line|item|member)s? left out\]/;

/**
 * Whether the rules were asked about the very call that was made. A log leaves secrets and file contents out; that makes no
 * difference where no rule of the policy looks at them.
 */
export function isExact({ call, from }: RecordedCall, policy: Policy): boolean {
  if (from !== "audit") return true;
  if (isMarked(call.tool) || isMarked(call.cwd ?? "")) return false;
  const marked = Object.entries(call.input)
    .filter(([name, value]) => isMarked(name) || isMarked(value))
    .map(([name]) => name);
  if (marked.length === 0) return true;
  const { class: toolClass, firstArg, kind } = policy.profiles.get(call.tool);
  const isFileEdit = toolClass === "edit" && kind === "path" && firstArg !== undefined;
  if (!isFileEdit || marked.some((name) => name === "…" || firstArg.includes(name))) return false;
  return policy.toolRules(call.tool).every(({ specifier, also }) =>
    [specifier, also].every((each) => each?.kind !== "fields")
  );
}

function isMarked(value: Json): boolean {
  if (typeof value === "string") return value.includes(MASK) || LEFT_OUT.test(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, each]) => isMarked(name) || isMarked(each));
}
