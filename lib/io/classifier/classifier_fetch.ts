/** How much of an answer is read, in bytes. */
export const LONGEST_BODY = 64 * 1024;

/** The client library's headers that are sent; whatever else it or the environment adds is left out. */
const HEADERS: readonly string[] = ["accept", "content-type"];

/** Why no answer came, where the server did not say. */
export type AnswerFault = "missing-flag" | "redirect" | "too-long" | "unreachable" | "broken-off";

/** A request to a model's server failed. */
export class AnswerError extends Error {
  /** Why. */
  readonly fault: AnswerFault;

  /** `cause` is the runtime's own error, if there is one. */
  constructor(fault: AnswerFault, cause?: unknown) {
    super(`No answer: ${fault}`, { cause });
    this.name = "AnswerError";
    this.fault = fault;
  }
}

/** The part of `fetch` that the client library calls. */
export type ClassifierFetch = (
  url: string | URL | Request,
  init?: RequestInit,
) => Promise<Response>;

/**
 * `fetch` for requests to a model: few headers and our own key, no redirect (it would send the call to somebody else), and
 * the whole body read here, bounded. It rejects with AnswerError, or as the signal's abort does.
 */
export function classifierFetch({ key }: { readonly key: string | undefined }): ClassifierFetch {
  return async (url, init = {}) => {
    const headers = new Headers(
      [...new Headers(init.headers)].filter(([name]) => HEADERS.includes(name)),
    );
    if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
    const response = await sent(url, { ...init, headers, redirect: "manual" });
    const { status, type } = response;
    if (type === "opaqueredirect" || status >= 300 && status < 400) {
      await response.body?.cancel();
      throw new AnswerError("redirect");
    }
    const body = await bounded(response, init.signal ?? undefined);
    // These two have no body, and no Response takes one for them.
    const isBare = status === 204 || status === 205;
    return new Response(isBare ? null : body, { status, headers: response.headers });
  };
}

async function sent(url: string | URL | Request, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    const refused = cause instanceof Error && cause.name === "NotCapable";
    throw new AnswerError(refused ? "missing-flag" : "unreachable", cause);
  }
}

async function bounded(response: Response, signal: AbortSignal | undefined): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > LONGEST_BODY) throw new AnswerError("too-long");
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof AnswerError || signal?.aborted) throw cause;
    throw new AnswerError("broken-off", cause);
  }
  return new Blob(chunks);
}
