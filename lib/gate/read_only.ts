import type { Evaluation } from "../decide/evaluate.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import type { CommandLine } from "../shell/effect.ts";
import { curated } from "./auto/merge_auto_mode.ts";

/** The command lines of the curated list `allow`, each of which changes nothing. */
const READS: ReadonlySet<string> = new Set(
  curated("allow").map(({ text }) => text.replace(/^Bash:/, "")),
);

/**
 * True if a call is known to change nothing: a tool that reads or steers the agent, a line of harmless commands, or exactly a
 * command line of the curated list `allow`. False for a call that was not evaluated.
 */
export function isReadOnly(
  evaluation: Evaluation | undefined,
  { profiles }: Pick<CompiledPolicy, "profiles">,
): boolean {
  if (evaluation === undefined) return false;
  const { line, verdict: { call } } = evaluation;
  // Not the profile of the request: a tool of another name is only evaluated as the one that it imitates.
  const { class: toolClass } = profiles.get(call.tool);
  if (toolClass === "read" || toolClass === "control") return true;
  return toolClass === "execute" && line !== undefined && isReadingLine(line);
}

function isReadingLine({ text, effects }: CommandLine): boolean {
  if (READS.has(text.trim())) return true;
  return effects.every(({ kind, isHarmless, unknownFileAccess }) =>
    unknownFileAccess === undefined &&
    (kind === "read" || kind === "command" && isHarmless !== false)
  );
}
