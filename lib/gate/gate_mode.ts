import type { ModeName } from "../model/settings.ts";
import { DISABLED, modeNamed } from "../decide/modes/registry.ts";

/** The name of a mode, or of the state without permissions. */
export type GateModeName = ModeName | "disabled";

/** The mode in force, as a gate sees it (a `SharedPermissionMode` is one): it can be read and watched, not set. */
export interface GateMode {
  /** The mode now. */
  readonly current: GateModeName;
  /** Has the listener called after each change; what it returns ends that. */
  subscribe(listener: () => void): () => void;
}

/** A mode that never changes. Throws TypeError for one that there is not, and for one that only a latch opens. */
export function fixedMode(name: GateModeName): GateMode {
  const mode = name === "disabled" ? DISABLED : modeNamed(name);
  if (mode === undefined) throw new TypeError(`There is no mode "${name}"`);
  if (mode !== DISABLED && mode.liftsDenials) {
    throw new TypeError(
      `Cannot start a gate in the mode "${name}": give a createSharedMode whose latch is open`,
    );
  }
  return { current: name, subscribe: () => () => {} };
}

/** What of a handle may be handed on: its setter, if it has one, is out of reach. */
export function readOnlyMode(mode: GateMode): GateMode {
  return Object.freeze({
    get current() {
      return mode.current;
    },
    subscribe: (listener: () => void) => mode.subscribe(() => listener()),
  });
}
