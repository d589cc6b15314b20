import type { ToolCall } from "../model/call.ts";

/** The most calls kept in memory. */
const MOST = 20_000;

/** The most text kept in memory, in UTF-16 code units of JSON. */
const LONGEST = 16 * 1024 * 1024;

/** A call of a stream. */
export interface KeptCall {
  readonly call: ToolCall;
  /** The number of times it was made. */
  readonly times: number;
  /** Set if a person refused it. */
  readonly answer?: "refused";
}

/** The calls of a stream that cannot be read again, as far as they fit in memory. */
export class KeptCalls {
  readonly #most: number;
  readonly #calls = new Map<string, { -readonly [K in keyof KeptCall]: KeptCall[K] }>();
  #size = 0;
  #cut = 0;

  /** `most`: the most different calls to keep; 20,000 when left out. */
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

  /** The kept calls, in the order of their first occurrence. */
  get calls(): Iterable<KeptCall> {
    return this.#calls.values();
  }

  /** The number of calls that are not kept. */
  get cut(): number {
    return this.#cut;
  }
}

/** The most calls to remember: agents make the same calls again and again. */
const MOST_REMEMBERED = 5_000;

/** The longest call to remember, in UTF-16 code units of its JSON. */
const LONGEST_REMEMBERED = 4_000;

/** A value for each of the latest calls, in bounded memory. */
export class RememberedCalls<T> {
  readonly #values = new Map<string, T>();

  /** The value of a call; computed if it is not remembered. */
  of(call: ToolCall, find: () => T): T {
    const key = JSON.stringify([call.tool, call.input, call.cwd]);
    if (this.#values.has(key)) return this.#values.get(key)!;
    const value = find();
    if (key.length > LONGEST_REMEMBERED) return value;
    if (this.#values.size >= MOST_REMEMBERED) {
      this.#values.delete(this.#values.keys().next().value!);
    }
    this.#values.set(key, value);
    return value;
  }
}
