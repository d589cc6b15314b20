import type { ToolCall } from "../model/call.ts";

/** Calls that are remembered: agents make the same ones again and again. */
const MOST = 5_000;

/** A longer call is not remembered, in UTF-16 code units of its JSON. */
const LONGEST = 4_000;

/** What is known of the calls that came lately, in bounded memory. */
export class RememberedCalls<T> {
  readonly #values = new Map<string, T>();

  /** What is known of a call; found out when it is not. */
  of(call: ToolCall, find: () => T): T {
    const key = JSON.stringify([call.tool, call.input, call.cwd]);
    if (this.#values.has(key)) return this.#values.get(key)!;
    const value = find();
    if (key.length > LONGEST) return value;
    if (this.#values.size >= MOST) this.#values.delete(this.#values.keys().next().value!);
    this.#values.set(key, value);
    return value;
  }
}
