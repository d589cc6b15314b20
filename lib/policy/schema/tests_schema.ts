import { z } from "zod";
import { ACTIONS } from "../../model/action.ts";
import { MODES } from "../decode/keys.ts";
import { CALL_PATTERN, TOOL_NAME_PATTERN } from "../decode/test_keys.ts";

const callText = z.string().regex(new RegExp(CALL_PATTERN)).meta({
  description:
    'The tool, a colon and its first argument, as "Bash:git push"; literal, nothing is a wildcard.',
});

const callTable = z.strictObject({
  tool: z.string().regex(new RegExp(TOOL_NAME_PATTERN)).meta({ description: "The tool's name." }),
  input: z.record(z.string(), z.unknown()).meta({ description: "The tool's arguments." })
    .optional(),
  cwd: z.string().min(1).regex(/^[^\0]*$/).meta({
    description: "The folder it runs in, from the workspace; the workspace when left out.",
  }).optional(),
}).meta({ description: "A call with its whole input." });

const test = z.strictObject({
  call: z.union([callText, callTable]).meta({ description: "The call." }),
  expect: z.enum(ACTIONS).meta({ description: "The decision that is right." }),
  mode: z.enum(MODES).meta({
    description: "The mode it is decided in; default when left out, whatever the policy starts in.",
  }).optional(),
  rule: z.string().meta({
    description: 'The pattern of the rule that is to decide, or "builtin" or "none".',
  }).optional(),
  why: z.string().meta({ description: "What the test is for." }).optional(),
}).meta({ id: "writtenTest", description: "One call and what is to happen to it." });

/** What `[[permissions.tests]]` may hold. `decodeTests` reads the same without loading zod. */
export const testsSchema: z.ZodType = z.array(test).meta({
  description: "Policy tests, for `caliban perms test`.",
});

/** What a `*.perms.toml` may hold. */
export const testFileSchema: z.ZodType = z.strictObject({
  tests: testsSchema.optional(),
}).meta({
  title: "caliban policy tests",
  description: "*.perms.toml: calls and what a policy is to say about them.",
});
