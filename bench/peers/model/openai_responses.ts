import { eventText, type Protocol, recordsIn, textOf, type Turn } from "./script.ts";

/** OpenAI's Responses API. */
export const openaiResponses: Protocol = {
  isAt: (path) => path.endsWith("/responses"),
  read: ({ tools, input, stream }) => ({
    tools: recordsIn(tools).map(({ name, type, parameters, format }) => ({
      name: textOf(name ?? type),
      schema: parameters ?? format,
    })),
    results: recordsIn(input).filter(({ type }) => textOf(type).endsWith("_output"))
      .map(({ output }) => textOf(output)),
    streams: stream === true,
  }),
  whole: (turn) => responseOf(turn, { status: "completed", output: [itemOf(turn)] }),
  stream(turn) {
    const item = itemOf(turn);
    const base = { output_index: 0, item };
    return [
      { type: "response.created", response: responseOf(turn, { status: "in_progress" }) },
      { type: "response.output_item.added", ...base },
      ...partsOf(turn),
      { type: "response.output_item.done", ...base },
      {
        type: "response.completed",
        response: responseOf(turn, { status: "completed", output: [item] }),
      },
    ].map((event, sequence_number) => eventText({ ...event, sequence_number }, event.type)).join(
      "",
    );
  },
};

/** The events that have the input of a call, for clients that read no finished item. */
function partsOf(
  { call, at }: Turn,
): readonly (Readonly<Record<string, unknown>> & { readonly type: string })[] {
  if (call === undefined || typeof call.input === "string") return [];
  const base = { item_id: `item_${at}`, output_index: 0 };
  const text = JSON.stringify(call.input);
  return [
    { type: "response.function_call_arguments.delta", ...base, delta: text },
    { type: "response.function_call_arguments.done", ...base, arguments: text },
  ];
}

function responseOf({ at }: Turn, more: object): object {
  const usage = {
    input_tokens: 1,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 2,
  };
  return {
    id: `response_${at}`,
    object: "response",
    created_at: 1,
    model: "m",
    output: [],
    usage,
    ...more,
  };
}

function itemOf({ call, at }: Turn): object {
  const id = `item_${at}`;
  const status = "completed";
  if (call === undefined) {
    const content = [{ type: "output_text", text: "done", annotations: [] }];
    return { id, status, type: "message", role: "assistant", content };
  }
  const { name, namespace, input } = call;
  const base = { id, status, name, ...(namespace && { namespace }), call_id: `call_${at}` };
  return typeof input === "string"
    ? { ...base, type: "custom_tool_call", input }
    : { ...base, type: "function_call", arguments: JSON.stringify(input) };
}
