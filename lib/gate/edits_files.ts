import type { UnitVerdict } from "../model/verdict.ts";
import type { Policy } from "../policy/policy.ts";

/** Whether one of the units edits a file, by an editing tool or a redirection. */
export function editsFiles(
  units: readonly Pick<UnitVerdict, "kind" | "tool">[],
  { profiles }: Policy,
): boolean {
  return units.some(({ kind, tool }) =>
    kind === "write" || kind === "call" && profiles.get(tool).class === "edit"
  );
}
