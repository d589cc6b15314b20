import type { Json, JsonObject } from "../../model/call.ts";
import type { AskAnswer, AskQuestion } from "../../model/verdict.ts";
import { visible } from "../../text/visible.ts";
import { suggestedBy } from "../question.ts";
import type { Elicitation } from "./relay_parts.ts";
import { memberOf } from "./replies.ts";
import type { SeenTool } from "./tool_pins.ts";

/** The longest argument or description that a question shows, in UTF-16 code units. */
const LONGEST = 2_000;

/** The longest pattern that a person can read. */
const LONGEST_PATTERN = 200;

/** The most arguments that it shows. */
const MOST_ARGUMENTS = 50;

/** A question about a call of a server's tool. */
export interface ServerQuestion {
  readonly question: AskQuestion;
  readonly server: string;
  /** The tool's name at the server. */
  readonly name: string;
  /** The tool whose definition is asked about; absent if that is accepted, or not known. */
  readonly definition?: SeenTool;
}

/** The possible answers, as a person reads them; what is not one of them is a no. */
const ANSWER = {
  no: "no",
  once: "yes, this once",
  definition: "yes, and accept the tool as it is now",
} as const;

/** The answer that keeps rules for the session. */
function sessionAnswer({ question }: ServerQuestion): string | undefined {
  const patterns = suggestedBy(question);
  if (patterns.length === 0 || question.scopes.length === 0) return undefined;
  const text = patterns.map(visible).join(" and ");
  return text.length > LONGEST_PATTERN ? undefined : `yes, and ${text} until this session ends`;
}

/** The question as the client shows it. */
export function elicitationOf(asked: ServerQuestion): Elicitation {
  const { question, server, name, definition } = asked;
  const session = sessionAnswer(asked);
  const answers = [
    ANSWER.no,
    ANSWER.once,
    ...(session === undefined ? [] : [session]),
    ...(definition === undefined ? [] : [ANSWER.definition]),
  ];
  const { call, decision, comment = decision.verdict.rule?.comment, reason } = question;
  const why = [...new Set([decision.reason, comment, reason])].filter((each) => each !== undefined);
  const lines = [
    `caliban asks: may the agent call the tool "${visible(name)}" of the server ${server}?`,
    `Why it asks: ${why.map(visible).join("; ")}`,
    ...(definition === undefined ? [] : [`The tool says of itself: ${descriptionOf(definition)}`]),
    ...argumentLines(call.input),
  ];
  return {
    message: lines.join("\n"),
    requestedSchema: {
      type: "object",
      properties: { answer: { type: "string", title: "May it run?", enum: answers } },
      required: ["answer"],
    },
  };
}

/** Each argument on a line of its own: a long one hides no other. */
function argumentLines(input: JsonObject): readonly string[] {
  const all = Object.entries(input);
  const lines = all.slice(0, MOST_ARGUMENTS).map(([name, value]) =>
    `${shown(name)} = ${shown(JSON.stringify(value))}`
  );
  const more = all.length - lines.length;
  if (all.length === 0) return ["Without arguments"];
  return ["Arguments:", ...lines, ...(more > 0 ? [`and ${more} more arguments`] : [])];
}

function descriptionOf({ definition: { text } }: SeenTool): string {
  if (text === undefined) return "its definition is too long to show";
  const description = memberOf(JSON.parse(text), "description");
  return typeof description === "string" ? shown(description) : "nothing";
}

function shown(text: string): string {
  const more = text.length - LONGEST;
  const cut = more > 0 ? text.slice(0, LONGEST).toWellFormed() : text;
  return more > 0 ? `${visible(cut)}… and ${more} more characters` : visible(text);
}

/** A person's answer, and whether it accepts the definition too. */
export interface Elicited {
  readonly answer: AskAnswer;
  readonly acceptsDefinition: boolean;
}

/** The answer in a client's response. INVARIANT: only one of the answers that were offered allows anything. */
export function elicitedAnswer(response: Json | undefined, asked: ServerQuestion): Elicited {
  const { reason } = asked.question.decision;
  const denied = (why: string): Elicited => ({
    answer: { kind: "deny-once", comment: `${why}; ${reason}` },
    acceptsDefinition: false,
  });
  const action = memberOf(response, "action");
  if (action === "decline") return denied("a person declined it");
  if (action !== "accept") return denied("no person answered");
  const given = memberOf(memberOf(response, "content"), "answer");
  if (given === ANSWER.once) return { answer: { kind: "allow-once" }, acceptsDefinition: false };
  if (given === ANSWER.definition && asked.definition !== undefined) {
    return { answer: { kind: "allow-once" }, acceptsDefinition: true };
  }
  if (given !== undefined && given === sessionAnswer(asked)) {
    const answer = { kind: "allow-always", scope: "session" } as const;
    return { answer, acceptsDefinition: false };
  }
  return denied("a person denied it");
}
