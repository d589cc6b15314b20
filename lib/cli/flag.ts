/** A flag that a verb takes. */
export interface Flag {
  /** Its name without the dashes. */
  readonly name: string;
  /** One line for help, without a final full stop. */
  readonly summary: string;
  /**
   * What its value is called in help (`DIR`); a flag without it and without `choices` takes no value. `DIR` and `FILE` complete
   * as such.
   */
  readonly value?: string;
  /** The values it takes, when there are only these; help shows them where the value has no name. */
  readonly choices?: readonly string[];
  /** Whether it may be given more than once. */
  readonly repeatable?: true;
  /** A one-letter name. */
  readonly short?: string;
}

/** How a flag is written in help: `--workspace DIR`, `-h, --help`. */
export function flagUsage(flag: Flag): string {
  const short = flag.short === undefined ? "" : `-${flag.short}, `;
  const value = flag.value ?? flag.choices?.join("|");
  return `${short}--${flag.name}${value === undefined ? "" : ` ${value}`}`;
}

/** Whether the flag takes a value. */
export function takesValue(flag: Flag): boolean {
  return flag.value !== undefined || flag.choices !== undefined;
}
