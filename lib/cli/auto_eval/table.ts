import { JSON_FLAG, SOURCE_FLAGS } from "../args/flags.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban auto eval`. */
export const AUTO_EVAL: Verb = {
  path: ["auto", "eval"],
  summary: "Measure auto mode and its model against labelled calls",
  operands: [{
    name: "file",
    summary: "Calls as JSON Lines, each with the expected opinion; - reads standard input",
  }],
  flags: [
    {
      name: "auto-mode-config",
      value: "FILE",
      summary: "Also read this file, with priority over the workspace's auto-mode.toml",
    },
    {
      name: "model",
      value: "NAME",
      summary: "The model to ask instead of the one in [classifier]",
    },
    {
      name: "base-url",
      value: "URL",
      summary: "The server to ask instead of the one in [classifier]; no API key is sent",
    },
    { name: "no-lists", summary: "Ask the model about every call, ignoring the static lists" },
    JSON_FLAG,
    ...SOURCE_FLAGS,
  ],
  details: [
    'Each line is an object with "tool", "input", "expect" (allow, soft_deny or hard_deny) and optionally "cwd". ' +
    "Calls are classified one after another, as auto mode classifies calls that the rules ask about; nothing is " +
    "run. The report shows the confusion matrix of labels and opinions, the error rates, the response times and " +
    "the number of requests.",
  ],
  examples: [{
    command: `echo '{"tool":"Bash","input":{"command":"sudo ls"},"expect":"soft_deny"}' |
  caliban auto eval - --model qwen3:4b --base-url http://127.0.0.1:11434/v1`,
    says: "classify one call with a model on this machine",
  }],
  permissions: ["read", "env", "net"],
  load: () => import("./run.ts"),
};
