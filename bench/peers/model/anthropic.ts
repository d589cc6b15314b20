import { eventText, type Protocol, recordsIn, textOf, type Turn } from "./script.ts";

/** Anthropic's Messages API. */
export const anthropic: Protocol = {
  isAt: (path) => path.endsWith("/v1/messages"),
  read: ({ tools, messages, stream }) => ({
    tools: recordsIn(tools).map(({ name, input_schema }) => ({
      name: textOf(name),
      schema: input_schema,
    })),
    results: recordsIn(messages).flatMap(({ content }) => recordsIn(content))
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => textOf(content)),
    streams: stream === true,
  }),
  whole: (turn) => ({
    ...messageOf(turn),
    content: [blockOf(turn)],
    stop_reason: reasonOf(turn),
    usage: USAGE,
  }),
  stream(turn) {
    const { call } = turn;
    const [start, delta] = call === undefined
      ? [{ type: "text", text: "" }, { type: "text_delta", text: "done" }]
      : [{ ...blockOf(turn), input: {} }, {
        type: "input_json_delta",
        partial_json: JSON.stringify(call.input),
      }];
    const message = { ...messageOf(turn), content: [], stop_reason: null, usage: USAGE };
    return [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: start },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: reasonOf(turn), stop_sequence: null },
        usage: USAGE,
      },
      { type: "message_stop" },
    ].map((event) => eventText(event, event.type)).join("");
  },
};

const USAGE = { input_tokens: 1, output_tokens: 1 };

function messageOf({ at }: Turn): object {
  return { id: `msg_${at}`, type: "message", role: "assistant", model: "m", stop_sequence: null };
}

function blockOf({ call, at }: Turn): object {
  return call === undefined
    ? { type: "text", text: "done" }
    : { type: "tool_use", id: `toolu_${at}`, ...call };
}

function reasonOf({ call }: Turn): string {
  return call === undefined ? "end_turn" : "tool_use";
}
