import { LONGEST_REASON } from "./model_question.ts";
import { type OpinionDecision, OPINIONS } from "./opinion.ts";

/** What a model answered. */
export interface Answer {
  /** Its decision. */
  readonly decision: OpinionDecision;
  /** Its reason. */
  readonly reason: string;
}

/** A model's answer, or why there is none to be had from what it sent. */
export type ReadAnswer =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly detail: string };

/** The JSON Schema (2020-12) of an answer; lengths are told in words, since not every server takes them. */
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

/** Reads the body of a chat completion. Total; anything but one whole answer is a `detail`. */
export function readCompletion(completion: unknown): ReadAnswer {
  if (!isObject(completion) || !Array.isArray(completion["choices"])) {
    return no("the server sent no chat completion");
  }
  const choices: readonly unknown[] = completion["choices"];
  const [choice] = choices;
  if (choices.length !== 1 || !isObject(choice) || !isObject(choice["message"])) {
    return no("the completion does not hold exactly one answer");
  }
  const { message, finish_reason: end } = choice;
  if (!isObject(message)) return no("the completion holds no message");
  if (typeof message["refusal"] === "string" && message["refusal"] !== "") {
    return no("the model refused to answer");
  }
  if (end === "length") return no("the model's answer was cut off");
  if (end === "content_filter") return no("the model's answer was withheld by its server");
  const { content } = message;
  return typeof content === "string" ? readAnswer(content) : no("the model answered without text");
}

const FENCED = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/i;
const STRING = String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`;
const KEY = '"(decision|verdict|reason)"';
/** An object of exactly two strings: JSON.parse alone would let the second of two equal keys win. */
const TWO = new RegExp(
  String.raw`^\{\s*${KEY}\s*:\s*(${STRING})\s*,\s*${KEY}\s*:\s*(${STRING})\s*\}$`,
);

/** Reads what a model wrote: one JSON object, alone or in a code fence, `verdict` being an alias of `decision`. Total. */
export function readAnswer(content: string): ReadAnswer {
  if (content.length > LONGEST_ANSWER) return no("the model's answer is too long");
  const text = content.trim();
  const parts = TWO.exec(FENCED.exec(text)?.[1]?.trim() ?? text);
  if (parts === null) return no("the model's answer is not the JSON object asked for");
  const [, firstKey, first = "", secondKey, second = ""] = parts;
  if ((firstKey === "reason") === (secondKey === "reason")) {
    return no("the model's answer has not one decision and one reason");
  }
  const [said, why] = firstKey === "reason" ? [second, first] : [first, second];
  const decision = OPINIONS.find((each) => each === JSON.parse(said));
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
