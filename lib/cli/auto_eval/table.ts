import { JSON_FLAG, SOURCE_FLAGS } from "../common_flags.ts";
import type { Verb } from "../verb.ts";

/** `caliban auto eval`. */
export const AUTO_EVAL: Verb = {
  path: ["auto", "eval"],
  summary: "Measure auto mode and its model on labelled calls",
  operands: [{
    name: "file",
    summary: "Calls as JSON Lines, each with the opinion that is right; - reads standard input",
  }],
  flags: [
    {
      name: "auto-mode-config",
      value: "FILE",
      summary: "Read this file too, above the workspace's auto-mode.toml",
    },
    { name: "model", value: "NAME", summary: "The model to ask, instead of that of [classifier]" },
    {
      name: "base-url",
      value: "URL",
      summary: "The server to ask, instead of that of [classifier]; it gets no key",
    },
    { name: "no-lists", summary: "Ask the model about every call, whatever the static lists say" },
    JSON_FLAG,
    ...SOURCE_FLAGS,
  ],
  details: [
    'Each line is an object with "tool", "input", "expect" (allow, soft_deny or hard_deny) and, where wanted, "cwd". ' +
    "The calls are judged one after the other, as auto mode judges what the rules ask about; nothing is run. Shown are " +
    "how often which opinion met which label, the rates of faults, how long answers took and how many requests they cost.",
  ],
  examples: [{
    command: `echo '{"tool":"Bash","input":{"command":"sudo ls"},"expect":"soft_deny"}' |
  caliban auto eval - --model qwen3:4b --base-url http://127.0.0.1:11434/v1`,
    says: "one call, and a model on this machine",
  }],
  permissions: ["read", "env", "net"],
  load: () => import("./run.ts"),
};
