import type { ModeName } from "../model/call.ts";
import {
  type ManagedMode,
  managedMode,
  modeNamed,
  MODES,
  type NamedMode,
  startModeOf,
} from "./modes.ts";
import type { Policy } from "./policy.ts";

/** A change of the mode, as subscribers see it. */
export interface ModeChange {
  /** The mode before. */
  readonly from: ModeName;
  /** The mode now. */
  readonly to: ModeName;
  /** Why it is not the mode that was asked for, in one sentence without a final full stop; absent if it is. */
  readonly warning?: string;
}

/** The mode as code sees it that cannot set it, such as sub-agents. */
export interface PermissionModeView {
  /** The mode's name. */
  readonly current: ModeName;
  /** A few characters for a status line; empty for the default mode. */
  readonly badge: string;
  /**
   * Calls the listener after every change, in order, also after one that a warning ended in the same mode. Returns a
   * function that ends it. A listener that throws keeps neither the change nor other listeners from their turn; the call that
   * made the change throws an AggregateError.
   */
  subscribe(listener: (change: ModeChange) => void): () => void;
}

/** The mode of a session and all its sub-agents: read, set, cycled and watched. */
export interface SharedPermissionMode extends PermissionModeView {
  /** True if bypassPermissions may be used. */
  readonly bypassAllowed: boolean;
  /**
   * Sets the mode. One that is not allowed ends in `default` with a warning; a mode that a managed file sets stays, with a
   * warning. Throws RangeError for an unknown name.
   */
  set(name: ModeName): ModeChange;
  /** Goes to the next mode, or with `back` to the one before, and from the last to the first; otherwise as `set`. */
  cycle(direction?: "forward" | "back"): ModeChange;
}

/** Options of `createSharedMode`. */
export interface SharedModeOptions {
  /** The mode to start in; when left out the policy's `default_mode`, else `default`. */
  readonly start?: ModeName;
  /** The policy whose `default_mode` and `enforce` count. A mode that a managed file sets cannot be left. */
  readonly policy?: Pick<Policy, "settings">;
  /** True if the person passed `--allow-dangerously-skip-permissions`: bypassPermissions may be used, in this process only. */
  readonly allowBypass?: boolean;
  /** True if a policy sets `enforce = true`, which refuses `allowBypass` and dontAsk; that of `policy` when left out. */
  readonly enforce?: boolean;
}

/**
 * Creates the mode of one session, which its gates share. With a `policy` it starts in the policy's `default_mode`.
 *
 * Throws RangeError for an unknown mode, for starting in bypassPermissions without `allowBypass`, and for `allowBypass` or
 * dontAsk with `enforce`.
 *
 * @example
 * ```ts
 * import { createSharedMode } from "@caliban/perms/core";
 * const mode = createSharedMode({ start: "default" });
 * mode.subscribe(({ to }) => console.log(to, mode.badge)); // "acceptEdits ✎ accept edits"
 * mode.cycle();
 * ```
 */
export function createSharedMode(options: SharedModeOptions = {}): SharedPermissionMode {
  const { policy, allowBypass = false, enforce = policy?.settings.enforce?.value } = options;
  const settings = policy?.settings;
  if (allowBypass && enforce) {
    throw new RangeError('Cannot allow bypassPermissions: a policy sets "enforce = true"');
  }
  const managed = settings && managedMode(settings);
  const start = managed?.name ?? options.start ?? (settings ? startModeOf(settings) : "default");
  const mode = named(start);
  if (mode.liftsDenials && !allowBypass) {
    throw new RangeError(`Cannot start in the mode "${start}": it needs allowBypass`);
  }
  if (mode.answersAll && enforce && !managed) {
    throw new RangeError(`Cannot start in the mode "${start}": a policy sets "enforce = true"`);
  }
  const bounds = { allowBypass, enforce: enforce === true, ...(managed && { managed }) };
  return new SessionMode(mode, bounds);
}

/** The limits of a mode. */
interface Bounds {
  readonly allowBypass: boolean;
  readonly enforce: boolean;
  readonly managed?: ManagedMode;
}

function named(name: string): NamedMode {
  const mode = modeNamed(name);
  if (!mode) throw new RangeError(`Unknown mode "${name}"`);
  return mode;
}

class SessionMode implements SharedPermissionMode {
  readonly bypassAllowed: boolean;
  readonly #listeners = new Set<(change: ModeChange) => void>();
  /** Changes that listeners still have to get: one of them may have made a further one. */
  readonly #pending: ModeChange[] = [];
  readonly #bounds: Bounds;
  #mode: NamedMode;

  constructor(mode: NamedMode, bounds: Bounds) {
    this.#mode = mode;
    this.#bounds = bounds;
    this.bypassAllowed = bounds.allowBypass;
  }

  get current(): ModeName {
    return this.#mode.name;
  }

  get badge(): string {
    return this.#mode.badge;
  }

  set(name: ModeName): ModeChange {
    const wanted = named(name);
    const from = this.current;
    const warning = this.#objection(wanted);
    const { managed } = this.#bounds;
    if (managed === undefined) this.#mode = warning === undefined ? wanted : MODES[0]!;
    const change: ModeChange = {
      from,
      to: this.current,
      ...(warning === undefined ? {} : { warning }),
    };
    if (warning !== undefined || change.to !== from) this.#notify(change);
    return change;
  }

  /** The reason why a mode cannot be entered, in one sentence without a final full stop. */
  #objection({ name, liftsDenials, answersAll }: NamedMode): string | undefined {
    const { managed, enforce, allowBypass } = this.#bounds;
    if (managed !== undefined) {
      const { path, line } = managed.source;
      return name === managed.name ? undefined : `${path}:${line} sets the mode ${managed.name}`;
    }
    if (answersAll && enforce) return `the mode ${name} is refused: a policy sets "enforce = true"`;
    return liftsDenials && !allowBypass
      ? `the mode ${name} needs --allow-dangerously-skip-permissions`
      : undefined;
  }

  cycle(direction: "forward" | "back" = "forward"): ModeChange {
    const at = MODES.indexOf(this.#mode) + (direction === "forward" ? 1 : -1);
    return this.set(MODES.at(at % MODES.length)!.name);
  }

  subscribe(listener: (change: ModeChange) => void): () => void {
    // A function of its own, so that one that subscribes twice is called twice.
    const own = (change: ModeChange) => listener(change);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  #notify(change: ModeChange): void {
    this.#pending.push(change);
    if (this.#pending.length > 1) return;
    const faults: unknown[] = [];
    for (; this.#pending.length > 0; this.#pending.shift()) {
      for (const listener of [...this.#listeners]) {
        try {
          listener(this.#pending[0]!);
        } catch (error) {
          faults.push(error);
        }
      }
    }
    if (faults.length > 0) throw new AggregateError(faults, "A listener of the mode failed");
  }
}
