import { eventText, type Protocol, recordsIn, textOf, type Turn } from "./script.ts";

/** Gemini's generateContent and streamGenerateContent. */
export const gemini: Protocol = {
  isAt: (path) => /:(?:stream)?generateContent$/i.test(path),
  read: ({ tools, contents }, path) => ({
    tools: recordsIn(tools).flatMap(({ functionDeclarations }) => recordsIn(functionDeclarations))
      .map(({ name, parameters, parametersJsonSchema }) => ({
        name: textOf(name),
        schema: parametersJsonSchema ?? parameters,
      })),
    results: recordsIn(contents).flatMap(({ parts }) => recordsIn(parts))
      .flatMap(({ functionResponse }) => recordsIn([functionResponse]))
      .map(({ response }) => textOf(response)),
    streams: path.endsWith(":streamGenerateContent"),
  }),
  whole: answerOf,
  stream: (turn) => eventText(answerOf(turn)),
};

function answerOf({ call, at }: Turn): object {
  const part = call === undefined
    ? { text: "done" }
    : { functionCall: { id: `call_${at}`, name: call.name, args: call.input } };
  return {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: "m",
  };
}
