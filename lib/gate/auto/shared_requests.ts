/** A pending request. */
interface Underway<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** Pending requests, one for each key: a second caller joins the first. A request without waiting callers is aborted. */
export class SharedRequests<T> {
  readonly #underway = new Map<string, Underway<T>>();

  /** Returns the result of the key's request; undefined if `signal` ended the wait first. Rejects as `start` does. */
  async join(
    key: string,
    { start, signal }: {
      readonly start: (signal: AbortSignal) => Promise<T>;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<T | undefined> {
    if (signal?.aborted) return undefined;
    const request = this.#underway.get(key) ?? this.#begin(key, start);
    request.waiting++;
    let leave = () => {};
    const left = new Promise<undefined>((resolve) => leave = () => resolve(undefined));
    signal?.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([request.result, left]);
    } finally {
      signal?.removeEventListener("abort", leave);
      if (--request.waiting === 0) this.#end(key, request);
    }
  }

  /** Closes the pending requests to new callers; waiting ones still get their result. */
  forget(): void {
    this.#underway.clear();
  }

  #begin(key: string, start: (signal: AbortSignal) => Promise<T>): Underway<T> {
    const controller = new AbortController();
    const request = { result: start(controller.signal), controller, waiting: 0 };
    // Waiting callers get the rejection; without any, it is ignored.
    request.result.catch(() => undefined);
    this.#underway.set(key, request);
    return request;
  }

  #end(key: string, request: Underway<T>): void {
    request.controller.abort();
    if (this.#underway.get(key) === request) this.#underway.delete(key);
  }
}
