import type { ModeName } from "../../model/settings.ts";
import type { NamedMode } from "./mode.ts";
import { modeNamed, MODES } from "./registry.ts";

/** A change of the mode. */
export interface ModeChange {
  /** The mode before. */
  readonly from: ModeName;
  /** The mode now. */
  readonly to: ModeName;
  /** Why it is another one than was wanted, in one sentence without a final full stop; absent when it is that. */
  readonly warning?: string;
}

/** The mode as those see it who cannot set it, such as sub-agents. */
export interface PermissionModeView {
  /** The mode's name. */
  readonly current: ModeName;
  /** The mode. */
  readonly mode: NamedMode;
  /** A few characters for a status line; empty for the default mode. */
  readonly badge: string;
  /**
   * Calls the listener after every change, in their order, also after one that a warning ended in the same mode. Answers a
   * function that ends it. What listeners throw keeps neither the change nor other listeners from their turn; it is
   * thrown to who made the change, as AggregateError.
   */
  subscribe(listener: (change: ModeChange) => void): () => void;
}

/** The mode of a session and all its sub-agents: read, set, cycled and watched. */
export interface SharedPermissionMode extends PermissionModeView {
  /** Whether bypassPermissions may be used. */
  readonly bypassAllowed: "open" | "closed";
  /** Sets the mode; without the latch bypassPermissions ends in `default`, with a warning. Throws RangeError for no mode. */
  set(name: ModeName): ModeChange;
  /** Goes to the next mode of the table, or with `back` to the one before, round the ends; the latch as with `set`. */
  cycle(direction?: "forward" | "back"): ModeChange;
}

/** What a shared mode begins with. */
export interface SharedModeOptions {
  /** The mode to start in; `default` when left out. */
  readonly start?: ModeName;
  /** `open`: bypassPermissions may be used (`--allow-dangerously-skip-permissions`). For this process only. */
  readonly bypassAllowed?: "open" | "closed";
  /** `refused`: a policy says `enforce = true`, so that the latch cannot be opened. */
  readonly bypass?: "possible" | "refused";
}

/**
 * A handle on the mode of one session.
 *
 * Throws RangeError for a mode that is not there, for starting in bypassPermissions without the latch, and for a latch
 * that is refused.
 *
 * @example
 * ```ts
 * import { createSharedMode } from "@caliban/perms/core";
 * const mode = createSharedMode({ start: "default" });
 * mode.subscribe(({ to }) => console.log(to, mode.chip)); // "acceptEdits ✎ accept edits"
 * mode.cycle();
 * ```
 */
export function createSharedMode(options: SharedModeOptions = {}): SharedPermissionMode {
  const { start = "default", bypassAllowed = "closed", bypass = "possible" } = options;
  if (bypassAllowed === "open" && bypass === "refused") {
    throw new RangeError(
      'Cannot open the latch of bypassPermissions: a policy says "enforce = true"',
    );
  }
  const mode = named(start);
  if (mode.liftsDenials && bypassAllowed === "closed") {
    throw new RangeError(`Cannot start in the mode "${start}": its latch is closed`);
  }
  return new Handle(mode, bypassAllowed);
}

function named(name: string): NamedMode {
  const mode = modeNamed(name);
  if (!mode) throw new RangeError(`There is no mode "${name}"`);
  return mode;
}

class Handle implements SharedPermissionMode {
  readonly bypassAllowed: "open" | "closed";
  readonly #listeners = new Set<(change: ModeChange) => void>();
  /** Changes that listeners were not told yet: one of them may have made a further one. */
  readonly #untold: ModeChange[] = [];
  #mode: NamedMode;

  constructor(mode: NamedMode, latch: "open" | "closed") {
    this.#mode = mode;
    this.bypassAllowed = latch;
  }

  get current(): ModeName {
    return this.#mode.name;
  }

  get mode(): NamedMode {
    return this.#mode;
  }

  get badge(): string {
    return this.#mode.badge;
  }

  set(name: ModeName): ModeChange {
    const wanted = named(name);
    const from = this.current;
    const refused = wanted.liftsDenials && this.bypassAllowed === "closed";
    this.#mode = refused ? MODES[0]! : wanted;
    const change: ModeChange = {
      from,
      to: this.current,
      ...(refused
        ? { warning: `the mode ${name} needs --allow-dangerously-skip-permissions` }
        : {}),
    };
    if (refused || change.to !== from) this.#tell(change);
    return change;
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

  #tell(change: ModeChange): void {
    this.#untold.push(change);
    if (this.#untold.length > 1) return;
    const faults: unknown[] = [];
    for (; this.#untold.length > 0; this.#untold.shift()) {
      for (const listener of [...this.#listeners]) {
        try {
          listener(this.#untold[0]!);
        } catch (error) {
          faults.push(error);
        }
      }
    }
    if (faults.length > 0) throw new AggregateError(faults, "A listener of the mode failed");
  }
}
