import { z } from "zod";
import { ACTIONS } from "../../model/action.ts";
import {
  BUCKETS,
  FIRST_ARG_PATTERN,
  MODES,
  SHELL_MODES,
  TOOL_CLASSES,
  TOOL_KINDS,
  TOOL_SHELLS,
  WRAPPER_PATTERN,
} from "../decode/keys.ts";
import { hooksSchema } from "./hooks_schema.ts";
import { RFC3339_PATTERN } from "../../text/instant.ts";
import { isKnownProgram, knownWrapperPattern } from "../compile/known_programs.ts";
import { testsSchema } from "./tests_schema.ts";

const ruleShape = {
  pattern: z.string().meta({
    description: 'The calls it is for, as "Bash:git *" or "Read:**/.env".',
  }),
  tool: z.string().meta({ description: 'An older name of "pattern".', deprecated: true }),
  action: z.enum(ACTIONS).meta({ description: "What happens to such a call." }),
  comment: z.string().meta({ description: "For people: shown when asking and in explain." }),
  reason: z.string().meta({
    description: "For the model, so that it can try something else; deny rules only.",
  }),
  expires_at: z.string().regex(new RegExp(RFC3339_PATTERN)).meta({
    description: 'When the rule ends: RFC 3339 with a zone, as "2027-01-01T00:00:00Z".',
    format: "date-time",
  }),
  match: examples("Examples of what the pattern fits: the first argument of a call."),
  not_match: examples("Examples of what the pattern does not fit."),
};

const rule = z.strictObject({
  pattern: ruleShape.pattern.optional(),
  tool: ruleShape.tool.optional(),
  action: ruleShape.action,
  comment: ruleShape.comment.optional(),
  reason: ruleShape.reason.optional(),
  expires_at: ruleShape.expires_at.optional(),
  match: ruleShape.match.optional(),
  not_match: ruleShape.not_match.optional(),
}).refine((it) => (it.pattern === undefined) !== (it.tool === undefined), {
  message: 'A rule has either "pattern" or, in older files, "tool"',
}).refine((it) => it.reason === undefined || it.action === "deny", {
  message: 'Only a deny rule has a "reason"',
  path: ["reason"],
}).meta({
  id: "writtenRule",
  description: "One rule; the first that fits a call decides.",
  oneOf: [has("pattern"), has("tool")],
  if: has("reason"),
  then: { properties: { action: { const: "deny" } } },
});

const bucket = z.array(z.string()).meta({
  description: "Patterns, in the older shape without an order: deny, then ask, then allow.",
  deprecated: true,
});

const permissions = z.strictObject({
  default_mode: mode("The mode to start in.").optional(),
  defaultMode: mode('An older name of "default_mode".').meta({ deprecated: true }).optional(),
  enforce: z.boolean().meta({
    description: "Refuse bypassPermissions and --no-permissions (managed and user files).",
  }).optional(),
  shell: z.enum(SHELL_MODES).meta({
    description: "parsed: every command of a line is judged. literal: the line is one string.",
  }).optional(),
  enforce_expiry: z.boolean().meta({ description: "An expired rule no longer counts." }).optional(),
  audit_log: z.boolean().meta({ description: "Append every decision to the audit log." })
    .optional(),
  require_trust: z.boolean().meta({
    description: "A project's allow rules and default_mode count only after `caliban trust`.",
  }).optional(),
  managed_only: z.boolean().meta({
    description: "Only the allow rules of managed files count.",
  }).optional(),
  rules: z.array(rule).meta({ description: "The rules; a higher one comes first." }).optional(),
  tests: testsSchema.optional(),
  deny: bucket.optional(),
  ask: bucket.optional(),
  allow: bucket.optional(),
}).refine((it) => it.default_mode === undefined || it.defaultMode === undefined, {
  message: '"defaultMode" is an older name of "default_mode": keep one of them',
  path: ["defaultMode"],
}).refine((it) => it.rules === undefined || BUCKETS.every((key) => it[key] === undefined), {
  message: "Rules are either [[permissions.rules]] or lists, not both",
}).meta({
  description: "Settings and rules.",
  allOf: [
    { not: both("default_mode", "defaultMode") },
    ...BUCKETS.map((key) => ({ not: both("rules", key) })),
  ],
});

const tool = z.strictObject({
  first_arg: z.string().regex(new RegExp(FIRST_ARG_PATTERN)).meta({
    description: 'Dotted path of the first argument in the input, as "query.sql".',
  }).optional(),
  kind: z.enum(TOOL_KINDS).meta({ description: "How patterns match the first argument." })
    .optional(),
  class: z.enum(TOOL_CLASSES).meta({ description: "What the tool does; modes go by it." })
    .optional(),
  shell: z.enum(TOOL_SHELLS).meta({
    description: "Whose lines a command tool takes. other: PowerShell, cmd; not taken apart.",
  }).optional(),
}).refine((it) => it.shell === undefined || (it.kind ?? "command") === "command", {
  message: 'Only a tool of kind command has a "shell"',
  path: ["shell"],
}).meta({
  description: "What the policy should know about one tool.",
  if: has("shell"),
  then: { properties: { kind: { const: "command" } } },
});

const shell = z.strictObject({
  wrappers: z.array(
    z.string().regex(new RegExp(WRAPPER_PATTERN)).refine((it) => isKnownProgram(it) === undefined, {
      message: "The program is known already",
    }).meta({ not: { pattern: knownWrapperPattern() } }),
  ).meta({
    description:
      'Beginnings of commands that run what follows and need no rule of their own, as "devbox run".',
  }).optional(),
}).meta({ description: "What the policy should know about the programs of a command line." });

/**
 * What a permissions.toml may hold, as JSON has it (a TOML date-time is its text). `decodePolicy` reads the same without
 * loading zod; a law holds the two together.
 */
export const permissionsSchema: z.ZodType = z.strictObject({
  permissions: permissions.optional(),
  shell: shell.optional(),
  rule: z.array(rule).meta({
    description: "Rules in an older shape; today they are [[permissions.rules]].",
    deprecated: true,
  }).optional(),
  hooks: hooksSchema.optional(),
  tools: z.record(z.string(), tool).meta({
    description: "Tools that caliban does not know by itself, by name.",
  }).optional(),
}).refine((it) => it.rule === undefined || !hasRules(it.permissions), {
  message: "Rules are either [[rule]] or under [permissions], not both",
}).meta({
  title: "caliban permissions",
  description: "permissions.toml: which tool calls a coding agent may make.",
  allOf: ["rules", ...BUCKETS].map((key) => ({
    not: {
      required: ["rule", "permissions"],
      properties: { rule: {}, permissions: { type: "object", ...has(key) } },
    },
  })),
});

function hasRules(table: z.infer<typeof permissions> | undefined): boolean {
  return table !== undefined &&
    (["rules", ...BUCKETS] as const).some((key) => table[key] !== undefined);
}

function mode(description: string) {
  return z.enum(MODES).meta({ description });
}

function examples(description: string) {
  return z.array(z.string()).meta({ description });
}

/** The JSON Schema that asks for a key; the key is named twice because ajv's strict mode wants it declared. */
function has(key: string) {
  return { required: [key], properties: { [key]: {} } };
}

function both(one: string, other: string) {
  return { required: [one, other], properties: { [one]: {}, [other]: {} } };
}
