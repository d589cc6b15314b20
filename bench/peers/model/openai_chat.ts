import { eventText, type Protocol, recordsIn, textOf, type Turn } from "./script.ts";

/** OpenAI's Chat Completions API. */
export const openaiChat: Protocol = {
  isAt: (path) => path.endsWith("/chat/completions"),
  read: ({ tools, messages, stream }) => ({
    tools: recordsIn(tools).map((tool) => {
      const [own = tool] = recordsIn([tool["function"]]);
      return { name: textOf(own["name"]), schema: own["parameters"] };
    }),
    results: recordsIn(messages).filter(({ role }) => role === "tool")
      .map(({ content }) => textOf(content)),
    streams: stream === true,
  }),
  whole: (turn) => ({
    ...completion(turn, "chat.completion"),
    choices: [{ index: 0, message: messageOf(turn), finish_reason: reasonOf(turn) }],
    usage: USAGE,
  }),
  stream(turn) {
    const base = completion(turn, "chat.completion.chunk");
    const chunks = [
      { ...base, choices: [{ index: 0, delta: messageOf(turn), finish_reason: null }] },
      { ...base, choices: [{ index: 0, delta: {}, finish_reason: reasonOf(turn) }], usage: USAGE },
    ];
    return `${chunks.map((chunk) => eventText(chunk)).join("")}data: [DONE]\n\n`;
  },
};

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function completion({ at }: Turn, object: string): object {
  return { id: `chat_${at}`, object, created: 1, model: "m" };
}

function messageOf({ call, at }: Turn): object {
  if (call === undefined) return { role: "assistant", content: "done" };
  const own = { name: call.name, arguments: textOf(call.input) };
  const tool_calls = [{ index: 0, id: `call_${at}`, type: "function", function: own }];
  return { role: "assistant", content: null, tool_calls };
}

function reasonOf({ call }: Turn): string {
  return call === undefined ? "stop" : "tool_calls";
}
