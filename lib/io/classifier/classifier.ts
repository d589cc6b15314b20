import { hasRepeatedName } from "../../text/json_names.ts";
import type { ClassifierSettings } from "../../gate/auto/auto_mode_file.ts";
import {
  ANSWER_SCHEMA,
  type Classifier,
  type ModelQuestion,
  type ModelReply,
} from "../../gate/auto/model_answer.ts";

export interface ClassifierOptions {
  /** The server and its model. */
  readonly settings: ClassifierSettings;
  /** The key; none is sent by default. */
  readonly key?: string;
}

/** The model of a server that speaks the OpenAI chat API. The client library is loaded when it is first asked. */
export function openClassifier(options: ClassifierOptions): Classifier {
  return { ask: (question, { signal }) => ask(question, { ...options, signal }) };
}

interface AskOptions extends ClassifierOptions {
  readonly signal: AbortSignal;
}

/** One request without retries: a second one would exceed the time of the agent's hook. */
async function ask(question: ModelQuestion, options: AskOptions): Promise<ModelReply> {
  const { settings, signal } = options;
  const ended = new AbortController();
  const end = () => ended.abort();
  const timer = setTimeout(end, settings.timeoutMs);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    const completion = await Promise.race([
      completionOf(question, { ...options, signal: ended.signal }),
      rejectionOf(ended.signal),
    ]);
    return { kind: "completion", completion };
  } catch (error) {
    return { kind: "fallback", ...whyNot(error, { ...options, isOver: ended.signal.aborted }) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    end();
  }
}

/** Rejects when the signal ends the wait, even if the client library ignores it. */
function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

async function completionOf(
  { system, user }: ModelQuestion,
  { settings, key, signal }: AskOptions,
): Promise<unknown> {
  const OpenAI = await clientLibrary();
  const client = new OpenAI({
    baseURL: settings.baseUrl,
    // Every option that the client would otherwise take from the environment is set, and anything else that it adds is not
    // sent: a variable meant for another server must not redirect a call.
    apiKey: key ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    maxRetries: 0,
    // Our own limit ends first, and includes the body.
    timeout: 2 * settings.timeoutMs,
    fetch: classifierFetch({ key }),
  });
  return await client.chat.completions.create({
    model: settings.model,
    temperature: 0,
    messages: [{ role: "system", content: system }, { role: "user", content: user }],
    response_format: {
      type: "json_schema",
      json_schema: { name: "opinion", strict: true, schema: ANSWER_SCHEMA },
    },
  }, { signal });
}

/**
 * The client library. Throws AnswerError `not-loaded`. Its name is no literal, since Deno fetches what one names at every start from
 * source; the bundler adds the two.
 */
async function clientLibrary(): Promise<typeof import("openai").default> {
  try {
    const { default: library } = await import("open" + "ai") as typeof import("openai");
    return library;
  } catch (cause) {
    throw new AnswerError("not-loaded", cause);
  }
}

type Why = Omit<Extract<ModelReply, { kind: "fallback" }>, "kind">;

function whyNot(
  error: unknown,
  { settings, key, signal, isOver }: AskOptions & { readonly isOver: boolean },
): Why {
  const { origin, host } = new URL(settings.baseUrl);
  if (signal.aborted) return { reason: "the request to the model was cancelled" };
  if (isOver) return { reason: `the model did not answer within ${settings.timeoutMs} ms` };
  const fault = faultIn(error);
  if (fault !== undefined) return faultReason(fault, { origin, host });
  if (error instanceof SyntaxError) return { reason: "the model's server sent invalid JSON" };
  const status = statusOf(error);
  if (status !== undefined) return { reason: statusReason(status, { error, settings, key }) };
  const detail = error instanceof Error ? error.name : "an unknown error";
  return { reason: `asking the model at ${origin} failed: ${detail}` };
}

/** The fault that the client library wraps in an error of its own. */
function faultIn(error: unknown): AnswerFault | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof AnswerError) return each.fault;
  }
  return undefined;
}

function faultReason(
  fault: AnswerFault,
  { origin, host }: { readonly origin: string; readonly host: string },
): Why {
  switch (fault) {
    case "missing-flag":
      return { reason: `cannot ask the model at ${origin}: run with --allow-net=${host}`, fault };
    case "not-loaded":
      return {
        reason: `cannot load the package "openai", which asks the model: install it with ` +
          `"npm install openai"`,
        fault,
      };
    case "redirect":
      return { reason: `the model's server ${origin} redirects to another address` };
    case "too-long":
      return { reason: `the model's server sent more than ${LONGEST_BODY} bytes` };
    case "repeated":
      return { reason: `the model's server sent an object with a duplicate key` };
    case "unreachable":
      return { reason: `the model's server ${origin} cannot be reached` };
    case "broken-off":
      return { reason: `the model's server ${origin} ended its answer early` };
  }
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("status" in error)) return undefined;
  return typeof error.status === "number" ? error.status : undefined;
}

interface Answered {
  readonly error: unknown;
  readonly settings: ClassifierSettings;
  readonly key: string | undefined;
}

/** The reason for a status; never the server's own text, which could be anything. */
function statusReason(status: number, { error, settings, key }: Answered): string {
  const answered = `the model's server answered ${status}`;
  switch (status) {
    case 401:
    case 403: {
      const { apiKeyEnv } = settings;
      if (key !== undefined) {
        return `${answered}: it rejects the key${apiKeyEnv ? ` in ${apiKeyEnv}` : ""}`;
      }
      return apiKeyEnv === undefined
        ? `${answered}: it requires a key; set api_key_env to the name of its variable`
        : `${answered}: it requires a key, but ${apiKeyEnv} is not set`;
    }
    case 404:
      return `${answered}: unknown address or model`;
    case 429: {
      const seconds = retryAfter(error);
      return `${answered}: too many requests${seconds ? `; retry in ${seconds} s` : ""}`;
    }
    default:
      return answered;
  }
}

/** Whole seconds of `retry-after`; undefined when it is absent or a date. */
function retryAfter(error: unknown): string | undefined {
  const headers = error instanceof Error && "headers" in error ? error.headers : undefined;
  const text = headers instanceof Headers ? headers.get("retry-after") : null;
  return text !== null && /^\d{1,6}$/.test(text) ? text : undefined;
}

/** The most bytes of an answer that are read. */
export const LONGEST_BODY = 64 * 1024;

/** The client library's headers that are sent; all others are removed. */
const HEADERS: readonly string[] = ["accept", "content-type"];

/** The reason for a missing answer, if the server gave none. */
type AnswerFault =
  | "not-loaded"
  | "missing-flag"
  | "redirect"
  | "too-long"
  | "repeated"
  | "unreachable"
  | "broken-off";

/** A request to a model's server failed. */
class AnswerError extends Error {
  /** The reason. */
  readonly fault: AnswerFault;

  /** `cause` is the runtime's own error, if there is one. */
  constructor(fault: AnswerFault, cause?: unknown) {
    super(`No answer: ${fault}`, { cause });
    this.name = "AnswerError";
    this.fault = fault;
  }
}

/** The part of `fetch` that the client library calls. */
type ClassifierFetch = (
  url: string | URL | Request,
  init?: RequestInit,
) => Promise<Response>;

/**
 * `fetch` for requests to a model: few headers and our own key, no redirect (it would send the call to somebody else), and
 * the whole body read here, bounded. It rejects with AnswerError, or as the signal's abort does.
 */
function classifierFetch({ key }: { readonly key: string | undefined }): ClassifierFetch {
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
    if (hasNameTwice(await body.text())) throw new AnswerError("repeated");
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

/** True for JSON with an object that has a name twice: the parser would let the last one win. */
function hasNameTwice(text: string): boolean {
  try {
    return hasRepeatedName(text, JSON.parse(text));
  } catch (error) {
    // The client library says what else is wrong with it.
    if (error instanceof SyntaxError) return false;
    throw error;
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
