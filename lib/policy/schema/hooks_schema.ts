import { z } from "zod";
import { HOOK_EVENTS, HOOK_TYPES } from "../../model/hook.ts";

const hook = z.strictObject({
  type: z.enum(HOOK_TYPES).meta({ description: "What runs: a command." }).optional(),
  command: z.string().regex(/^[^\0]*[^\s\0][^\0]*$/).meta({
    description:
      "The command line, as a shell reads it. It runs in the workspace and has 10 seconds.",
  }),
}).meta({ id: "writtenHook", description: "One hook." });

const group = z.strictObject({
  matcher: z.string().meta({
    description: "The tools it is for: a regular expression over the whole name; empty for all.",
  }).optional(),
  hooks: z.array(hook).meta({ description: "What runs for these tools, all at once." }),
}).meta({ description: "Hooks for some tools." });

const groups = z.array(group).meta({ description: "Hooks of this event." }).optional();

/** What `[hooks]` may hold. `decodeHooks` reads the same without loading zod. */
export const hooksSchema: z.ZodType = z.strictObject(
  Object.fromEntries(HOOK_EVENTS.map((event) => [event, groups])),
).meta({ description: "Commands that run when an event of the agent comes about." });
