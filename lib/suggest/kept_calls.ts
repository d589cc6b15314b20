import type { ToolCall } from "../model/call.ts";

/** Calls kept in memory. */
const MOST = 20_000;

/** Characters kept in memory, in UTF-16 code units of JSON. */
const LONGEST = 16 * 1024 * 1024;

/** A call of a stream. */
export interface KeptCall {
  /** The call. */
  readonly call: ToolCall;
  /** How often it came. */
  readonly times: number;
  /** What a person said to it, where that is recorded. */
  readonly answer?: "refused";
}

/** The calls of a stream that cannot be read again, as far as they fit in memory. */
export class KeptCalls {
  readonly #most: number;
  readonly #calls = new Map<string, { -readonly [K in keyof KeptCall]: KeptCall[K] }>();
  #size = 0;
  #cut = 0;

  /** `most`: how many that differ are kept; 20,000 when left out. */
  constructor({ most = MOST }: { readonly most?: number } = {}) {
    this.#most = most;
  }

  /** Keeps a call, if there is room. */
  add({ call, answer }: Omit<KeptCall, "times">): void {
    const key = JSON.stringify([call.tool, call.input, call.cwd, answer]);
    const known = this.#calls.get(key);
    if (known !== undefined) known.times++;
    else if (this.#calls.size >= this.#most || this.#size + key.length > LONGEST) this.#cut++;
    else {
      this.#calls.set(key, { call, times: 1, ...(answer === undefined ? {} : { answer }) });
      this.#size += key.length;
    }
  }

  /** The calls that are kept, in the order of their first coming. */
  get calls(): Iterable<KeptCall> {
    return this.#calls.values();
  }

  /** How many calls are not kept. */
  get cut(): number {
    return this.#cut;
  }
}
