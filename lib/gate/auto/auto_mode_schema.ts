import { z } from "zod";
import {
  BASE_URL_PATTERN,
  ELEMENT_PATTERNS,
  KEY_NAME_PATTERN,
  LONGEST_MODEL,
  OLDER_DISABLE,
  TIMEOUT,
} from "./auto_mode_file.ts";

const classifier = z.strictObject({
  base_url: z.string().regex(new RegExp(BASE_URL_PATTERN)).meta({
    description: 'A server that speaks the OpenAI chat API, as "http://127.0.0.1:11434/v1".',
  }),
  model: z.string().min(1).max(LONGEST_MODEL).meta({ description: "The model's name." }),
  api_key_env: z.string().regex(new RegExp(KEY_NAME_PATTERN)).meta({
    description: "The name of the variable that holds the key, never the key itself.",
  }).optional(),
  timeout_ms: z.int().min(1).max(TIMEOUT.longest).meta({
    description: `How long an answer may take, in ms; ${TIMEOUT.default} by default.`,
  }).optional(),
}).meta({ description: "The model to ask; a project's counts only if it is trusted." });

/** The schema of an auto-mode.toml. `decodeAutoMode` accepts the same without loading zod; a law holds the two together. */
export const autoModeSchema: z.ZodType = z.strictObject({
  environment: list("environment").meta({
    description: "Further facts for the model, one per line; $WORKSPACE, $CWD, $GIT_REMOTE and " +
      "$IS_MAIN_BRANCH are filled in. A project's facts count only if it is trusted.",
  }).optional(),
  allow: list("allow").meta({
    description:
      "Patterns of calls that run without asking a model. A project's patterns count only if " +
      "it is trusted.",
  }).optional(),
  soft_deny: list("soft_deny").meta({
    description: "Patterns of calls for which caliban asks a person.",
  }).optional(),
  hard_deny: list("hard_deny").meta({ description: "Patterns of calls that never run." })
    .optional(),
  disable_auto_mode: z.boolean().meta({ description: "Auto mode allows nothing." }).optional(),
  [OLDER_DISABLE]: z.boolean().meta({
    description: 'An older name of "disable_auto_mode".',
    deprecated: true,
  }).optional(),
  classifier: classifier.optional(),
}).refine((it) => it.disable_auto_mode === undefined || it[OLDER_DISABLE] === undefined, {
  message: `"${OLDER_DISABLE}" is an older name of "disable_auto_mode": keep one of them`,
  path: [OLDER_DISABLE],
}).meta({
  title: "caliban auto mode",
  description: "auto-mode.toml: the handling of calls that the rules ask about, in auto mode.",
  not: {
    required: ["disable_auto_mode", OLDER_DISABLE],
    properties: { disable_auto_mode: {}, [OLDER_DISABLE]: {} },
  },
});

function list(name: keyof typeof ELEMENT_PATTERNS) {
  return z.array(z.string().regex(new RegExp(ELEMENT_PATTERNS[name])));
}
