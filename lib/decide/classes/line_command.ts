import type { CommandClass } from "../../model/call.ts";
import type { Request } from "../../policy/compile/request.ts";
import type { CommandTraits, Effect } from "../../shell/effect.ts";
import { classesNow } from "./class_search.ts";
import { isFileEffect } from "../evaluate_file.ts";
import { mayBeRelinked } from "../settle_effect.ts";
import type { UnitResult } from "../unit_result.ts";

/** One command of a line, by what it does. */
export interface LineCommand {
  /** Its classes; at least one. */
  readonly classes: readonly CommandClass[];
  /** True if it names a file, and every file that it names is certainly in the workspace, links followed. */
  readonly isInside: () => boolean;
}

/** The command that a unit is about; undefined for a file, a URL or an unknown part. */
export function lineCommand(
  result: UnitResult | undefined,
  request: Request,
): LineCommand | undefined {
  const part = result?.request.part;
  if (part === undefined || part.effect.kind !== "command") return undefined;
  const { effect, line } = part;
  const traits = effect.traits?.();
  if (traits === undefined) return undefined;
  return {
    classes: classesNow(effect, request),
    isInside: () => isInside(traits, { request, uses: usesOf(effect, line.effects) }),
  };
}

function usesOf(command: Effect, effects: readonly Effect[]): readonly Effect[] {
  const owner = effects.findIndex(({ traits }) =>
    traits !== undefined && traits === command.traits
  );
  return effects.filter(({ of }) => of === owner);
}

function isInside(
  { open, searches }: CommandTraits,
  { request, uses }: { readonly request: Request; readonly uses: readonly Effect[] },
): boolean {
  // Below a folder that is searched whole may be files that rules deny.
  if (open || searches === undefined || searches.length > 0 || uses.length === 0) return false;
  const isUseInside = (use: Effect) => {
    if (!isFileEffect(use) || use.kind === "url" || mayBeRelinked(use, request)) return false;
    const names = use.path === "fixed"
      ? [use.text]
      : use.path === "glob" && use.mayLookUp
      ? request.expand(use.text)
      : undefined;
    return names !== undefined && names.length > 0 && request.areInside(names);
  };
  return uses.every(isUseInside);
}
