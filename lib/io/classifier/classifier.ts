import type { ClassifierSettings } from "../../gate/auto/auto_mode_file.ts";
import type { Classifier, ModelQuestion, ModelReply } from "../../gate/auto/classifier.ts";
import { ANSWER_SCHEMA } from "../../gate/auto/read_answer.ts";
import {
  AnswerError,
  type AnswerFault,
  classifierFetch,
  LONGEST_BODY,
} from "./classifier_fetch.ts";

/** What a classifier is made of. */
export interface ClassifierOptions {
  /** The server and its model. */
  readonly settings: ClassifierSettings;
  /** The key; none is sent when left out. */
  readonly key?: string;
}

/** The model of a server that speaks the OpenAI chat API. The client library is loaded when it is first asked. */
export function openClassifier(options: ClassifierOptions): Classifier {
  return { ask: (question, { signal }) => ask(question, { ...options, signal }) };
}

interface AskOptions extends ClassifierOptions {
  readonly signal: AbortSignal;
}

/** One request, once: a second one would take the time that the agent's hook has. */
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

/** Rejects when the signal ends the wait, whether or not the client library heeds it. */
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
  const { default: OpenAI } = await import("openai");
  const client = new OpenAI({
    baseURL: settings.baseUrl,
    // Every option that the client would else take from the environment is said, and what it adds all the same is not
    // sent: a variable meant for another server must not change where a call goes.
    apiKey: key ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: "off",
    maxRetries: 0,
    // Ours ends first, and holds for the body too.
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

type Why = Omit<Extract<ModelReply, { kind: "fallback" }>, "kind">;

function whyNot(
  error: unknown,
  { settings, key, signal, isOver }: AskOptions & { readonly isOver: boolean },
): Why {
  const { origin, host } = new URL(settings.baseUrl);
  if (signal.aborted) return { reason: "the question to the model was given up" };
  if (isOver) return { reason: `the model did not answer within ${settings.timeoutMs} ms` };
  const fault = faultIn(error);
  if (fault !== undefined) return faultReason(fault, { origin, host });
  if (error instanceof SyntaxError) return { reason: "the model's server answered broken JSON" };
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
    case "redirect":
      return { reason: `the model's server ${origin} sends on to another address` };
    case "too-long":
      return { reason: `the model's server sent more than ${LONGEST_BODY} bytes` };
    case "unreachable":
      return { reason: `the model's server ${origin} cannot be reached` };
    case "broken-off":
      return { reason: `the model's server ${origin} broke off its answer` };
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

/** What a status says; never what the server says, which could be anything. */
function statusReason(status: number, { error, settings, key }: Answered): string {
  const answered = `the model's server answered ${status}`;
  switch (status) {
    case 401:
    case 403: {
      const { apiKeyEnv } = settings;
      if (key !== undefined) {
        return `${answered}: it does not take the key${apiKeyEnv ? ` in ${apiKeyEnv}` : ""}`;
      }
      return apiKeyEnv === undefined
        ? `${answered}: it wants a key; name its variable as api_key_env`
        : `${answered}: it wants a key, and ${apiKeyEnv} is not set`;
    }
    case 404:
      return `${answered}: it does not know the address or the model`;
    case 429: {
      const seconds = retryAfter(error);
      return `${answered}: too many requests${seconds ? `; again in ${seconds} s` : ""}`;
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
