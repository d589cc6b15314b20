/** So much of the time that an agent waits is left for starting and for ending. */
const SPARED = 0.5;

/** The time in which an agent wants its answer is nearly over. */
export class TooLate extends Error {
  override readonly name = "TooLate";

  /** The message is fixed. */
  constructor() {
    super("there was no answer in time");
  }
}

/** A moment after which no answer is of use. */
export interface Deadline {
  /** Resolves to undefined when it has passed. */
  readonly passed: Promise<undefined>;
  /** Forgets it, so that it holds up nobody's end. */
  cancel(): void;
}

/** The moment at which an agent that waits so many ms must be told to stop, at the latest. */
export function deadlineOf(waitMs: number): Deadline {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMs * SPARED);
  });
  return { passed, cancel: () => clearTimeout(timer) };
}
