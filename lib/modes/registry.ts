import type { ModeName } from "../model/settings.ts";
import { defaultMode } from "./default.ts";
import { disabled } from "./disabled.ts";
import type { Mode } from "./mode.ts";

/** The modes, in the order in which they are cycled. */
export const MODES: readonly Mode[] = [defaultMode];

/** The state without permissions; no mode of the cycle. */
export const DISABLED: Mode = disabled;

/** The mode of that name; undefined when it is not built. */
export function modeNamed(name: ModeName): Mode | undefined {
  return MODES.find((mode) => mode.name === name);
}
