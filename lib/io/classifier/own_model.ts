import type { Classifier, ModelQuestion, ModelReply } from "../../gate/auto/model_answer.ts";

/** A model as a function: it returns the text of the model's answer. */
export type AskModel = (
  question: ModelQuestion,
  options: { readonly signal: AbortSignal },
) => string | Promise<string>;

/** A classifier that asks a function. What it throws, a missing text and the end of the time are fallbacks. */
export function ownModel(
  askModel: AskModel,
  { timeoutMs }: { readonly timeoutMs: number },
): Classifier {
  return { ask: (question, { signal }) => ask(question, { askModel, timeoutMs, signal }) };
}

interface Asking {
  readonly askModel: AskModel;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function ask(
  { system, user }: ModelQuestion,
  { askModel, timeoutMs, signal }: Asking,
): Promise<ModelReply> {
  const ended = new AbortController();
  const over = new Promise<ModelReply>((resolve) => {
    const late = `the model did not answer within ${timeoutMs} ms`;
    const end = (reason: string) => {
      ended.abort();
      resolve({ kind: "fallback", reason });
    };
    const timer = setTimeout(() => end(late), timeoutMs);
    ended.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    signal.addEventListener("abort", () => end("the request to the model was cancelled"), {
      once: true,
    });
  });
  try {
    // A function that throws at once must be a fallback as well.
    const answer = Promise.resolve().then(() =>
      askModel({ system, user }, { signal: ended.signal })
    );
    return await Promise.race([answer.then(replyOf), over]);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { kind: "fallback", reason: `asking the model failed: ${detail}` };
  } finally {
    ended.abort();
  }
}

/** The text as the completion of a chat, so that it is read as any model's. */
function replyOf(content: unknown): ModelReply {
  if (typeof content !== "string") {
    return { kind: "fallback", reason: "the model answered without text" };
  }
  const message = { role: "assistant", content };
  return { kind: "completion", completion: { choices: [{ finish_reason: "stop", message }] } };
}
