import type { JsonObject } from "../../model/call.ts";
import { isJsonObject } from "../../text/json_value.ts";
import { LONGEST_REASON } from "./model_question.ts";
import { type OpinionDecision, OPINIONS } from "./opinion.ts";

/** A request to a model. */
export interface ModelQuestion {
  /** The system prompt. */
  readonly system: string;
  /** The user's message: environment and call as data. */
  readonly user: string;
}

/** The outcome of a request to a model. */
export type ModelReply =
  | {
    readonly kind: "completion";
    /** The parsed body of the server's answer, not yet checked. */
    readonly completion: unknown;
  }
  | {
    readonly kind: "fallback";
    /** The reason why there is no answer, in one sentence without a final full stop. */
    readonly reason: string;
    /** Set if no call can be asked about: a permission flag or the client library is missing. */
    readonly fault?: "missing-flag" | "not-loaded";
  };

/** A model. */
export interface Classifier {
  /** Asks once. Every failure is a `fallback`; never rejects. */
  ask(question: ModelQuestion, options: { readonly signal: AbortSignal }): Promise<ModelReply>;
}

/** A model's answer. */
export interface Answer {
  readonly decision: OpinionDecision;
  readonly reason: string;
}

/** A model's answer, or the reason why its text is not one. */
type ReadAnswer =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly detail: string };

/** The JSON Schema (2020-12) of an answer. Lengths are in words, since not every server supports them. */
export const ANSWER_SCHEMA = {
  type: "object",
  properties: {
    decision: { type: "string", enum: [...OPINIONS] },
    reason: {
      type: "string",
      description: `Why, in a dozen words; at most ${LONGEST_REASON} characters`,
    },
  },
  required: ["decision", "reason"],
  additionalProperties: false,
} as const;

/** The longest text that is read as an answer, in UTF-16 code units. */
const LONGEST_ANSWER = 2_000;

/** Reads the body of a chat completion. Never throws; anything but one whole answer is a `detail`. */
export function readCompletion(completion: unknown): ReadAnswer {
  if (!isJsonObject(completion) || !Array.isArray(completion["choices"])) {
    return no("the server sent no chat completion");
  }
  if (isSet(completion["error"])) return no(FAILED);
  const choices: readonly unknown[] = completion["choices"];
  const [choice] = choices;
  if (choices.length !== 1 || !isJsonObject(choice) || !isJsonObject(choice["message"])) {
    return no("the completion does not have exactly one answer");
  }
  const { message, finish_reason: end } = choice;
  if (!isJsonObject(message)) return no("the completion has no message");
  if (isSet(choice["error"]) || isSet(message["error"])) return no(FAILED);
  if ((message["role"] ?? "assistant") !== "assistant") {
    return no("the completion has no message of the model");
  }
  if (callsTools(message) || end === "tool_calls" || end === "function_call") {
    return no("the model called a tool in place of an answer");
  }
  if (isSet(message["refusal"])) return no("the model refused to answer");
  if (end === "length") return no("the model's answer was cut off");
  if (end === "content_filter") return no("the model's answer was withheld by its server");
  if (!ENDS.includes(end)) return no("the model's answer has an unknown finish reason");
  const { content } = message;
  return typeof content === "string" ? readAnswer(content) : no("the model answered without text");
}

const FAILED = "the server sent an error beside its answer";

/** The ends of a whole answer: that of the OpenAI API, and those of servers that pass on a model's own. */
const ENDS: readonly unknown[] = [
  undefined,
  null,
  "stop",
  "eos",
  "eos_token",
  "end_turn",
  "stop_sequence",
];

/** True for a member that holds anything. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && value !== false;
}

/** True for a message that calls tools or functions, which its text may be only a part of. */
function callsTools(message: JsonObject): boolean {
  const { tool_calls: tools = null, function_call: called = null } = message;
  return called !== null || tools !== null && !(Array.isArray(tools) && tools.length === 0);
}

const FENCED = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/i;
const STRING = String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`;
const KEY = '"(decision|verdict|reason)"';
/** An object of exactly two strings: JSON.parse alone would let the second of two equal keys win. */
const TWO = new RegExp(
  String.raw`^\{\s*${KEY}\s*:\s*(${STRING})\s*,\s*${KEY}\s*:\s*(${STRING})\s*\}$`,
);

/** Parses a model's text: one JSON object, alone or in a code fence; `verdict` is an alias of `decision`. Never throws. */
export function readAnswer(content: string): ReadAnswer {
  if (content.length > LONGEST_ANSWER) return no("the model's answer is too long");
  const text = content.trim();
  const parts = TWO.exec(FENCED.exec(text)?.[1]?.trim() ?? text);
  if (parts === null) return no("the model's answer is not the JSON object asked for");
  const [, firstKey, first = "", secondKey, second = ""] = parts;
  if ((firstKey === "reason") === (secondKey === "reason")) {
    return no("the model's answer does not have one decision and one reason");
  }
  const [decided, why] = firstKey === "reason" ? [second, first] : [first, second];
  const decision = OPINIONS.find((each) => each === JSON.parse(decided));
  if (decision === undefined) return no("the model's answer has an unknown decision");
  const reason: string = JSON.parse(why);
  if ([...reason].length > LONGEST_REASON) {
    return no(`the model's reason has more than ${LONGEST_REASON} characters`);
  }
  return { ok: true, answer: { decision, reason: reason.trim() } };
}

function no(detail: string): ReadAnswer {
  return { ok: false, detail };
}
