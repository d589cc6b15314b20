import { z } from "zod";
import { ACTIONS } from "../../model/action.ts";
import type { SourceKind } from "../../model/source.ts";
import { MODES } from "../decode/keys.ts";

/** Who or what can have decided, in the order of SPEC.md, section 9. */
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

const SOURCE_KINDS = [
  "managed",
  "session",
  "command",
  "cli",
  "flag",
  "local",
  "project",
  "user",
  "builtin",
] as const satisfies readonly SourceKind[];

const action = z.enum(ACTIONS);

const source = z.strictObject({
  kind: z.enum(SOURCE_KINDS).meta({ description: "The kind of source." }),
  path: z.string().meta({ description: "The file, or the flag that the rule came from." }),
  line: z.int().min(1).meta({ description: "Line, from 1; of a flag its place among the flags." }),
  column: z.int().min(1).meta({ description: "Column, from 1, in UTF-16 code units." }),
}).meta({ id: "source", description: "Where the rule stands." });

const rule = z.strictObject({
  pattern: z.string().meta({ description: "Its pattern as written." }),
  action: action.meta({ description: "What it says." }),
  index: z.int().min(0).meta({ description: "Its place in the whole list, from 0." }),
  comment: z.string().optional().meta({ description: "For people." }),
  reason: z.string().optional().meta({ description: "For the model; deny rules only." }),
  source,
}).meta({ id: "rule", description: "A rule." });

const unit = z.strictObject({
  text: z.string().meta({ description: "The unit as written." }),
  kind: z.enum(["call", "command", "opaque", "read", "write", "url"]).meta({
    description: "What it is; opaque: something of a line that cannot be known.",
  }),
  via: z.string().nullable().meta({
    description: "What it was reached through, as sudo; null for what stands in the line itself.",
  }),
  depth: z.int().min(0).meta({
    description: "How deep it was reached; 0 for the call itself and what stands in its line.",
  }),
  verdict: action.meta({ description: "What the rules say about it." }),
  decision: action.meta({ description: "What happens to it, after the mode." }),
  rule: rule.nullable().meta({ description: "The rule that decided it; null when none fits." }),
}).meta({
  description: "One thing that the call does: the call itself, or one of what its line does.",
});

const visitedSource = z.strictObject({
  kind: z.enum(SOURCE_KINDS).meta({ description: "The kind of source." }),
  path: z.string().meta({ description: "The file or the flag." }),
  state: z.enum(["read", "absent", "off"]).meta({ description: "Whether it was read." }),
  note: z.string().optional().meta({ description: "Why it is absent or off." }),
  rules: z.int().min(0).meta({ description: "How many of its rules count." }),
});

const step = z.strictObject({
  unit: z.int().min(0).meta({ description: "Which unit, an index into units." }),
  rule: rule.nullable().meta({ description: "The rule that was tried; null when none is left." }),
  match: z.enum(["yes", "no", "unknown"]).meta({ description: "Whether it fits." }),
  effect: z.string().meta({ description: "What that did to the walk." }),
  why: z.string().meta({ description: "For people: why it fits or does not." }),
});

const remedy = z.strictObject({
  pattern: z.string().meta({ description: "Its pattern." }),
  action: action.meta({ description: "Its action." }),
  scope: z.string().meta({ description: "The source to write it to." }),
  first: z.boolean().meta({ description: "Whether it must go to the top of the file." }),
  command: z.string().meta({ description: "The command that adds it." }),
});

/** What `check --json` and `explain --json` print; `explain` has the last four keys as well. */
export const decisionSchema: z.ZodType = z.strictObject({
  tool: z.string().meta({ description: "The tool's name." }),
  input: z.record(z.string(), z.unknown()).meta({ description: "Its arguments." }),
  verdict: action.meta({ description: "What the rules alone say." }),
  decision: action.meta({ description: "What happens, after mode and flags." }),
  mode: z.enum([...MODES, "disabled"]).meta({ description: "The mode that was on." }),
  decidedBy: z.enum(DECIDERS).meta({ description: "What the decision comes from." }),
  rule: rule.nullable().meta({ description: "The rule of the strictest unit; null when none." }),
  reason: z.string().meta({ description: "One sentence for people: why." }),
  units: z.array(unit).meta({ description: "What was judged, each by itself." }),
  warnings: z.array(z.string()).meta({ description: "What a person should know besides." }),
  sources: z.array(visitedSource).optional().meta({ description: "Every place looked at." }),
  steps: z.array(step).optional().meta({ description: "The walk of every unit." }),
  remedy: remedy.nullable().optional().meta({
    description: "The smallest rule that changes the outcome.",
  }),
  notices: z.array(z.string()).optional().meta({ description: "What did not count, and why." }),
}).meta({
  title: "caliban decision",
  description: "One decision about one tool call, as check --json and explain --json print it.",
});
