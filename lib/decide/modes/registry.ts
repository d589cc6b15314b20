import { acceptEdits } from "./accept_edits.ts";
import { auto } from "./auto.ts";
import { bypassPermissions } from "./bypass_permissions.ts";
import { defaultMode } from "./default.ts";
import { disabled } from "./disabled.ts";
import { dontAsk } from "./dont_ask.ts";
import type { Mode, NamedMode } from "./mode.ts";
import { plan } from "./plan.ts";

/** The modes, in the order in which they are cycled. */
export const MODES: readonly NamedMode[] = [
  defaultMode,
  acceptEdits,
  plan,
  auto,
  dontAsk,
  bypassPermissions,
];

/** The state without permissions; no mode of the cycle. */
export const DISABLED: Mode = disabled;

/** The mode of that name; undefined when there is none. */
export function modeNamed(name: string): NamedMode | undefined {
  return MODES.find((mode) => mode.name === name);
}
