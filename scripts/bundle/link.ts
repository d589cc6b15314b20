/** The parts of a bundle that its files share, since a file may not know which form of `hot.js` runs. */
export interface Link {
  /** The calls of `node:fs`; undefined under Deno. */
  readonly files: typeof import("node:fs") | undefined;
  /** The URL of `hot.js`. */
  readonly here: string;
  /** Imports a file beside `hot.js`, or a module of the runtime. */
  load: (name: string) => Promise<unknown>;
  /** The exports of `hot.js`, as soon as it has run. */
  hot?: Readonly<Record<string, unknown>>;
}

/** The key of the link among the globals. */
export const LINK = "caliban.bundle";

/** The export of the script `hot.js` that returns all the others. */
export const ALL = "$all";

/** The link of the bundle that runs. */
export function linkOf(): Link {
  return (globalThis as unknown as Record<symbol, Link>)[Symbol.for(LINK)]!;
}
