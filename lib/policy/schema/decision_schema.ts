import { z } from "zod";
import { ACTIONS, COMMAND_CLASSES, MODE_NAMES, SOURCE_KINDS } from "../../model/call.ts";

/** The values of `decidedBy`, in the order of SPEC.md, section 9. */
const DECIDERS = [
  "rule",
  "safety",
  "mode",
  "bypass",
  "disabled",
  "headless",
  "auto-allow",
  "static-rule",
  "classifier",
  "cache",
  "fallback",
  "hook",
  "tool",
  "ask",
] as const;

const action = z.enum(ACTIONS);

const source = z.strictObject({
  kind: z.enum(SOURCE_KINDS).meta({ description: "The kind of source." }),
  path: z.string().meta({ description: "The file, or the flag that the rule came from." }),
  line: z.int().min(1).meta({ description: "Line, from 1; for a flag its place among the flags." }),
  column: z.int().min(1).meta({ description: "Column, from 1, in UTF-16 code units." }),
}).meta({ id: "source", description: "The place of the rule." });

const rule = z.strictObject({
  pattern: z.string().meta({ description: "Its pattern as written." }),
  action: action.meta({ description: "Its action." }),
  index: z.int().min(0).meta({ description: "Its place in the whole list, from 0." }),
  comment: z.string().optional().meta({ description: "For people." }),
  reason: z.string().optional().meta({ description: "For the model; deny rules only." }),
  source,
}).meta({ id: "rule", description: "A rule." });

const unit = z.strictObject({
  text: z.string().meta({ description: "The unit as written." }),
  kind: z.enum(["call", "command", "opaque", "read", "write", "url"]).meta({
    description: "Its kind; opaque: an unknown part of a command line.",
  }),
  via: z.string().nullable().meta({
    description: "The wrapper that runs it, such as sudo; null for a part of the line itself.",
  }),
  depth: z.int().min(0).meta({
    description: "Its nesting depth; 0 for the call itself and parts of its line.",
  }),
  classes: z.array(z.enum(COMMAND_CLASSES)).meta({
    description: "The classes of a part of a command line; empty for other calls.",
  }),
  verdict: action.meta({ description: "The verdict of the rules on it." }),
  decision: action.meta({ description: "The decision on it, after the mode." }),
  rule: rule.nullable().meta({ description: "The rule that decided it; null if none matches." }),
}).meta({
  description: "One effect of the call: the call itself, or one part of its command line.",
});

const visitedSource = z.strictObject({
  kind: z.enum(SOURCE_KINDS).meta({ description: "The kind of source." }),
  path: z.string().meta({ description: "The file or the flag." }),
  state: z.enum(["read", "absent", "off"]).meta({ description: "Its state." }),
  note: z.string().optional().meta({ description: "Why it is absent or off." }),
  rules: z.int().min(0).meta({ description: "The number of its rules that count." }),
});

const step = z.strictObject({
  unit: z.int().min(0).meta({ description: "The unit, an index into units." }),
  rule: rule.nullable().meta({ description: "The rule that was tried; null if no rule remains." }),
  match: z.enum(["yes", "no", "unknown"]).meta({
    description: "The match: unknown if it cannot be evaluated.",
  }),
  effect: z.string().meta({ description: "The effect on the evaluation." }),
  why: z.string().meta({ description: "For people: why it matches or not." }),
});

const suggestedRule = z.strictObject({
  pattern: z.string().meta({ description: "Its pattern." }),
  action: action.meta({ description: "Its action." }),
  scope: z.string().meta({ description: "The source to write it to." }),
  first: z.boolean().meta({ description: "True if it must go to the top of the file." }),
  command: z.string().meta({ description: "The command that adds it." }),
});

/** The output of `check --json` and `explain --json`; only `explain` has the last four keys. */
export const decisionSchema: z.ZodType = z.strictObject({
  tool: z.string().meta({ description: "The tool's name." }),
  input: z.record(z.string(), z.unknown()).meta({ description: "Its arguments." }),
  verdict: action.meta({ description: "The verdict of the rules alone." }),
  decision: action.meta({ description: "The decision, after mode and flags." }),
  mode: z.enum([...MODE_NAMES, "disabled"]).meta({ description: "The mode in force." }),
  decidedBy: z.enum(DECIDERS).meta({ description: "The origin of the decision." }),
  rule: rule.nullable().meta({
    description: "The rule of the strictest unit; null if none matches.",
  }),
  reason: z.string().meta({ description: "One sentence for people: why." }),
  leftToAgent: z.literal(true).optional().meta({
    description: 'Set for an ask that hooks leave to the agent, because of unmatched = "agent".',
  }),
  units: z.array(unit).meta({ description: "The units, each evaluated by itself." }),
  warnings: z.array(z.string()).meta({ description: "Warnings for people." }),
  sources: z.array(visitedSource).optional().meta({
    description: "Every place searched for rules.",
  }),
  steps: z.array(step).optional().meta({ description: "The evaluation trace of every unit." }),
  remedy: suggestedRule.nullable().optional().meta({
    description: "The smallest rule that changes the outcome.",
  }),
  notices: z.array(z.string()).optional().meta({
    description: "Parts of the policy that did not count, and why.",
  }),
}).meta({
  title: "caliban decision",
  description: "One decision about one tool call, as check --json and explain --json print it.",
});
