import { steeringPattern, VARIABLE_PATTERN, variableObjection } from "../compile/own_variables.ts";
import { z } from "zod";
import {
  ACTIONS,
  HOOK_EVENTS,
  HOOK_TYPES,
  MODE_NAMES,
  SHELL_MODES,
  TOOL_CLASSES,
  TOOL_KINDS,
  TOOL_SHELLS,
  UNMATCHED,
} from "../../model/call.ts";
import { RFC3339_PATTERN } from "../../text/instant.ts";
import { isKnownProgram, knownWrapperPattern } from "../compile/known_programs.ts";
import { DEFAULT_TOOLS } from "../compile/profiles.ts";
import { CALL_PATTERN, TOOL_NAME_PATTERN } from "../decode/decode_call.ts";
import {
  describedProgram,
  LONGEST_COMMAND,
  OWN_CLASSES,
  OWN_COMMAND_PATTERN,
} from "../decode/decode_shell.ts";
import {
  BUCKETS,
  FIRST_ARG_PATTERN,
  REPOSITORY_PATTERN,
  WRAPPER_PATTERN,
} from "../decode/table_keys.ts";

const callText = z.string().regex(new RegExp(CALL_PATTERN)).meta({
  description:
    'The tool, a colon and its first argument, as "Bash:git push"; literal, nothing is a wildcard.',
});

const callTable = z.strictObject({
  tool: z.string().regex(new RegExp(TOOL_NAME_PATTERN)).meta({ description: "The tool's name." }),
  input: z.record(z.string(), z.unknown()).meta({ description: "The tool's arguments." })
    .optional(),
  cwd: z.string().min(1).regex(/^[^\0]*$/).meta({
    description: "The folder it runs in, relative to the workspace; the workspace by default.",
  }).optional(),
}).meta({ description: "A call with its whole input." });

const test = z.strictObject({
  call: z.union([callText, callTable]).meta({ description: "The call." }),
  expect: z.enum(ACTIONS).meta({ description: "The expected decision." }),
  mode: z.enum(MODE_NAMES).meta({
    description:
      "The mode of the call; default unless given, even if the policy sets default_mode.",
  }).optional(),
  rule: z.string().meta({
    description: 'The pattern of the rule that must decide, or "builtin" or "none".',
  }).optional(),
  why: z.string().meta({ description: "The purpose of the test." }).optional(),
}).meta({ id: "writtenTest", description: "One call and the expected decision." });

/** The schema of `[[permissions.tests]]`. `decodeTests` accepts the same without loading zod. */
const testsSchema: z.ZodType = z.array(test).meta({
  description: "Policy tests, for `caliban perms test`.",
});

/** The schema of a `*.perms.toml` file. */
export const testFileSchema: z.ZodType = z.strictObject({
  tests: testsSchema.optional(),
}).meta({
  title: "caliban policy tests",
  description: "*.perms.toml: calls and the decisions expected of a policy.",
});

const hook = z.strictObject({
  type: z.enum(HOOK_TYPES).meta({ description: "The type of hook: a command." }).optional(),
  command: z.string().regex(/^[^\0]*[^\s\0][^\0]*$/).meta({
    description:
      "The command line, as a shell reads it. It runs in the workspace and has 10 seconds.",
  }),
}).meta({ id: "writtenHook", description: "One hook." });

const group = z.strictObject({
  matcher: z.string().meta({
    description: "The tools it is for: a regular expression over the whole name; empty for all.",
  }).optional(),
  hooks: z.array(hook).meta({
    description: "The hooks for these tools, which run at the same time.",
  }),
}).meta({ description: "Hooks for some tools." });

const groups = z.array(group).meta({ description: "Hooks of this event." }).optional();

/** The schema of `[hooks]`. `decodeHooks` accepts the same without loading zod. */
export const hooksSchema: z.ZodType = z.strictObject(
  Object.fromEntries(HOOK_EVENTS.map((event) => [event, groups])),
).meta({ description: "Commands that run on events of the agent." });

const ruleShape = {
  pattern: z.string().meta({
    description: 'The calls it is for, as "Bash:git *" or "Read:**/.env".',
  }),
  tool: z.string().meta({ description: 'An older name of "pattern".', deprecated: true }),
  action: z.enum(ACTIONS).meta({ description: "The action for such calls." }),
  comment: z.string().meta({ description: "For people: shown when asking and in explain." }),
  reason: z.string().meta({
    description: "For the model, so that it can try something else; deny rules only.",
  }),
  expires_at: z.string().regex(new RegExp(RFC3339_PATTERN)).meta({
    description: 'When the rule ends: RFC 3339 with a zone, as "2027-01-01T00:00:00Z".',
    format: "date-time",
  }),
  match: examples("Examples of calls that the pattern matches: the first argument of a call."),
  not_match: examples("Examples of calls that the pattern does not match."),
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
  description: "One rule; the first that matches a call decides.",
  oneOf: [has("pattern"), has("tool")],
  if: has("reason"),
  then: { properties: { action: { const: "deny" } } },
});

const bucket = z.array(z.string()).meta({
  description: "Patterns in the short form: all of deny decide first, then ask, then allow.",
  deprecated: true,
});

const permissions = z.strictObject({
  default_mode: mode("The mode to start in.").optional(),
  defaultMode: mode('An older name of "default_mode".').meta({ deprecated: true }).optional(),
  enforce: z.boolean().meta({
    description:
      "Refuse bypassPermissions, dontAsk, --auto-allow and --no-permissions (managed and user files).",
  }).optional(),
  shell: z.enum(SHELL_MODES).meta({
    description: "parsed: every command of a line is evaluated. literal: the line is one string.",
  }).optional(),
  enforce_expiry: z.boolean().meta({
    description: "An expired deny or ask rule no longer counts; an expired allow rule never does.",
  }).optional(),
  audit_log: z.boolean().meta({ description: "Append every decision to the audit log." })
    .optional(),
  require_trust: z.boolean().meta({
    description:
      "false: a project's allow rules and default_mode count without `caliban trust` (managed and user files).",
  }).optional(),
  managed_only: z.boolean().meta({
    description: "Only the allow rules of managed files count.",
  }).optional(),
  unmatched: z.enum(UNMATCHED).meta({
    description:
      "agent: hooks leave a call that no written rule matches to the agent (managed and user files).",
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
  alias_of: z.enum([...DEFAULT_TOOLS]).meta({
    description: "The tool for which this is another name: the rules of both apply to it.",
  }).optional(),
  first_arg: z.string().regex(new RegExp(FIRST_ARG_PATTERN)).meta({
    description: 'Dotted path of the first argument in the input, as "query.sql".',
  }).optional(),
  kind: z.enum(TOOL_KINDS).meta({
    description: "The way in which patterns match the first argument.",
  })
    .optional(),
  class: z.enum(TOOL_CLASSES).meta({
    description: "The kind of action that the tool takes; modes depend on it.",
  })
    .optional(),
  shell: z.enum(TOOL_SHELLS).meta({
    description:
      "The shell of a command tool. posix: bash or zsh, and the quoting of sh; a part that they read differently is " +
      "unknown. bash, zsh, sh: this one only. other: PowerShell, cmd; its lines are not parsed.",
  }).optional(),
}).refine((it) => it.shell === undefined || (it.kind ?? "command") === "command", {
  message: 'Only a tool of kind command has a "shell"',
  path: ["shell"],
}).meta({
  description: "Properties of one tool.",
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
  variables: z.array(
    z.string().max(128).regex(new RegExp(VARIABLE_PATTERN)).refine(
      (it) => variableObjection(it) === undefined,
      { message: "The variable changes what programs do" },
    ).meta({ not: { pattern: steeringPattern() } }),
  ).meta({
    description:
      "Variables that may have a plain word as value before a command, without a rule that names them, as PORT.",
  }).optional(),
  classes: z.partialRecord(
    z.enum(OWN_CLASSES as [string, ...string[]]),
    z.array(
      z.string().max(LONGEST_COMMAND).regex(new RegExp(OWN_COMMAND_PATTERN)).refine(
        (it) => describedProgram(it) === undefined,
        { message: "The program is known already" },
      ),
    ),
  ).meta({
    description:
      'Classes of commands of programs that caliban does not know, as project = ["just *"]: literal words, and perhaps a final *. ' +
      "A path such as bin/ci counts in a file of its own workspace; such a file gives read, project and service-read only.",
  }).optional(),
  repositories: z.array(z.string().regex(new RegExp(REPOSITORY_PATTERN))).meta({
    description:
      "Folders of your own repositories beside the workspace, as ~/src/*. Managed and user files only.",
  }).optional(),
}).meta({ description: "Properties of the programs in command lines." });

/**
 * The schema of permissions.toml as JSON (a TOML date-time is its text). `decodePolicy` accepts the same without loading
 * zod; a law holds the two together.
 */
export const permissionsSchema: z.ZodType = z.strictObject({
  permissions: permissions.optional(),
  shell: shell.optional(),
  rule: z.array(rule).meta({
    description: "Rules in an older format; today they are [[permissions.rules]].",
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
  return z.enum(MODE_NAMES).meta({ description });
}

function examples(description: string) {
  return z.array(z.string()).meta({ description });
}

/**
 * The JSON Schema that requires a key. The key is named twice because ajv's strict mode wants it declared.
 */
function has(key: string) {
  return { required: [key], properties: { [key]: {} } };
}

function both(one: string, other: string) {
  return { required: [one, other], properties: { [one]: {}, [other]: {} } };
}
