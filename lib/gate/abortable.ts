/** The result of the work. Rejects with the signal's reason as soon as it is aborted, without waiting for the work. */
export async function abortable<T>(
  signal: AbortSignal | undefined,
  work: () => T | Promise<T>,
): Promise<T> {
  if (signal === undefined) return await work();
  signal.throwIfAborted();
  let abort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    const result = await Promise.race([Promise.resolve(work()), aborted]);
    signal.throwIfAborted();
    return result;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
