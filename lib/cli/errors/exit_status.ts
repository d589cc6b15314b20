/** The exit statuses. 0, 1 and 2 have a meaning per verb; the others mean the same everywhere. */
export const EXIT = {
  ok: 0,
  allow: 0,
  deny: 1,
  ask: 2,
  stop: 2,
  usage: 64,
  badInput: 65,
  noInput: 66,
  bug: 70,
  cantWrite: 73,
} as const;

/** One line of a table of exit statuses. */
export interface ExitMeaning {
  readonly status: number;
  /** Its meaning; no final full stop. */
  readonly meaning: string;
}

/** The statuses of a verb that has none of its own. */
export const DONE: readonly ExitMeaning[] = [{ status: EXIT.ok, meaning: "done" }];

/** The statuses of errors, the same for every verb. */
export const ERROR_MEANINGS: readonly ExitMeaning[] = [
  { status: EXIT.usage, meaning: "wrong usage, or a missing permission flag" },
  { status: EXIT.badInput, meaning: "invalid policy or input" },
  { status: EXIT.noInput, meaning: "a named file is missing" },
  { status: EXIT.bug, meaning: "a bug in caliban" },
  { status: EXIT.cantWrite, meaning: "cannot write" },
];
