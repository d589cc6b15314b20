import type { ModeName } from "../model/call.ts";
import type { RuleSource, Settings } from "../model/rule.ts";
import { type Mode, modeNamed } from "./modes.ts";

/** A mode that a managed file sets. */
export interface ManagedMode {
  readonly name: ModeName;
  /** Its place. */
  readonly source: RuleSource;
}

/**
 * The mode that a managed file sets, which no user can leave. Undefined without such a mode, and for one that lifts denials,
 * which only a person may enter.
 */
export function managedMode({ defaultMode }: Settings): ManagedMode | undefined {
  if (defaultMode?.source.kind !== "managed") return undefined;
  const { value: name, source } = defaultMode;
  return modeNamed(name)?.liftsDenials ? undefined : { name, source };
}

/** The mode in which a session starts that names none. */
export function startModeOf(settings: Settings): ModeName {
  const name = settings.defaultMode?.value ?? "default";
  const mode = modeNamed(name);
  return mode?.liftsDenials !== true && mode && isRefused(mode, settings) ? "default" : name;
}

/** True if the policy sets `enforce` and the mode would answer every question, or lift denials. */
export function isRefused(
  { liftsDenials, answersAll }: Pick<Mode, "liftsDenials" | "answersAll">,
  { enforce }: Settings,
): boolean {
  return enforce?.value === true && (liftsDenials === true || answersAll === true);
}

/** The sentence that says so, without a final full stop; `what` is the mode or flag. */
export function refusal(what: string, { enforce }: Settings): string {
  const place = enforce === undefined ? "" : ` in ${enforce.source.path}:${enforce.source.line}`;
  return `${what} is refused: "enforce = true"${place}`;
}
