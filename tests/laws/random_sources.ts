import fc from "../support/seeded.ts";
import type { SourceKind, ToolCall } from "../../lib/model/call.ts";
import type { SourceEntry } from "../../lib/model/rule.ts";
import { appliesTo, compilePolicy } from "../../lib/policy/compile/compile_policy.ts";
import { decodePolicy } from "../../lib/policy/decode/decode_policy.ts";
import { formatInstant } from "../../lib/text/instant.ts";
import type { CompiledPolicy } from "../../lib/policy/compile/compiled_policy.ts";
import { ruleBlock } from "../../lib/policy/edit/policy_pairs.ts";
import { builtinRules, singleRule } from "../../lib/policy/sources/source_order.ts";
import { mergeSources } from "../../lib/policy/sources/merge.ts";
import { exactPattern, narrowPattern } from "../../lib/suggest/call_pattern.ts";
import { DEFAULT_TOOLS } from "../../lib/policy/compile/profiles.ts";
import { anyCall, anyRule } from "../support/arbitrary.ts";
import { CONTEXT, policyOf, type TestRule } from "../support/policy.ts";

/** The time at which calls are judged; some rules have expired by then. */
export const NOW = 100;

/** The policy of these entries; undefined when they have an error. */
export function loaded(entries: readonly SourceEntry[]): CompiledPolicy | undefined {
  const merged = mergeSources(entries, { defaultTools: [...DEFAULT_TOOLS], appliesTo });
  return compilePolicy(merged, { context: CONTEXT, cwd: CONTEXT.workspace[0]! }).policy;
}

/** An entry of a file with this text. */
export function fileEntry(
  kind: SourceKind,
  { text, trusted = kind !== "local" && kind !== "project" }: { text: string; trusted?: boolean },
): SourceEntry {
  return { kind, path: `/${kind}.toml`, state: "read", text, file: decodePolicy(text), trusted };
}

/** The entry of one flag with a rule. */
export function flagEntry({ pattern, action }: Pick<TestRule, "pattern" | "action">): SourceEntry {
  const path = `--${action}`;
  const rule = singleRule(pattern, { action, source: { kind: "cli", path, line: 1, column: 1 } });
  return { kind: "cli", path, state: "read", rules: [rule], trusted: true };
}

/** The entry of the built-in rules. */
export function builtinEntry(): SourceEntry {
  const path = "defaults/permissions.toml";
  return { kind: "builtin", path, state: "read", rules: builtinRules("/home/u"), trusted: true };
}

/** A call, and sources in which rules about it are likely. */
export interface Sources {
  /** Every place, highest first; they compile. */
  readonly entries: readonly SourceEntry[];
  /** The call. */
  readonly call: ToolCall;
  /** True if the workspace is trusted. */
  readonly trusted: boolean;
}

const { boolean, constantFrom, oneof, option, record, tuple } = fc;
const KINDS = ["managed", "flag", "local", "project", "user"] as const;
const PLAIN = policyOf([]);

/** Rules about the call itself, so that the very rule that would help stands somewhere already. */
function rulesAbout(call: ToolCall): fc.Arbitrary<TestRule> {
  const request = PLAIN.request(call);
  const patterns = [exactPattern(request), narrowPattern(request), call.tool, "*"]
    .filter((pattern) => pattern !== undefined && !/\p{Surrogate}/u.test(pattern));
  return record({
    pattern: constantFrom(...patterns as string[]),
    action: constantFrom("allow", "deny", "ask"),
    expiresAt: option(constantFrom(50, 150), { nil: undefined, freq: 4 }),
  }) as fc.Arbitrary<TestRule>;
}

/** Settings by the file they stand in; the last ones turn off what a project can say. */
const SETTINGS: Readonly<Record<(typeof KINDS)[number], readonly string[]>> = {
  managed: [
    "",
    'default_mode = "default"',
    "require_trust = false",
    "managed_only = true",
    'shell = "literal"',
  ],
  flag: ["", 'shell = "literal"', "enforce_expiry = true"],
  local: ["", 'shell = "literal"', "enforce_expiry = true"],
  project: ["", 'shell = "literal"', "enforce_expiry = true", "require_trust = false"],
  user: [
    "",
    "require_trust = false",
    "enforce_expiry = true",
    "enforce = true",
    'unmatched = "agent"',
  ],
};
const TOOL = '\n[tools.Query]\nfirst_arg = "sql"\nkind = "text"\n';
const FOREIGN = '\n[tools.PowerShell]\nfirst_arg = "line"\nkind = "command"\nshell = "other"\n';
const SHELL = '\n[shell]\nwrappers = ["rtk"]\nvariables = ["ABC"]\n';

function fileText(kind: (typeof KINDS)[number], call: ToolCall): fc.Arbitrary<string> {
  return tuple(
    constantFrom(...SETTINGS[kind]),
    fc.array(oneof(rulesAbout(call), anyRule), { maxLength: 3 }),
    constantFrom("canonical", "canonical", "canonical", "buckets", "inline"),
    fc.subarray([TOOL, FOREIGN, SHELL]),
  ).map(([setting, rules, shape, tables]) => {
    if (shape === "inline") return `permissions = { ${setting} }\n`;
    const head = setting === "" ? "" : `[permissions]\n${setting}\n\n`;
    const end = tables.join("");
    if (shape === "buckets") {
      const lists = ["deny", "ask", "allow"].map((action) => {
        const patterns = rules.filter((rule) => rule.action === action);
        return `${action} = ${JSON.stringify(patterns.map(({ pattern }) => pattern))}\n`;
      });
      return `[permissions]\n${setting}\n${lists.join("")}${end}`;
    }
    const blocks = rules.map(({ pattern, action, expiresAt }) =>
      ruleBlock({
        pattern,
        action,
        ...(expiresAt === undefined ? {} : { expiresAt: formatInstant(expiresAt) }),
      })
    );
    return head + blocks.join("\n") + end;
  });
}

/** Mostly nothing: what stands high up decides, and then nothing below it matters. */
function seldom<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  const nothing = fc.constant(undefined);
  return oneof({ weight: 4, arbitrary: nothing }, { weight: 1, arbitrary: value });
}

/** The entries that may stand in the place of a file. */
function entryOf(
  kind: (typeof KINDS)[number],
  { call, trusted }: { call: ToolCall; trusted: boolean },
): fc.Arbitrary<SourceEntry | undefined> {
  const base = { kind, path: `/${kind}.toml` };
  const isTrusted = trusted || kind !== "local" && kind !== "project";
  const text = fileText(kind, call).map((text) => fileEntry(kind, { text, trusted: isTrusted }));
  if (kind === "flag") return seldom(text);
  return oneof(
    { weight: 3, arbitrary: text },
    {
      weight: 2,
      arbitrary: fc.constant({ ...base, state: "absent", trusted: isTrusted } as const),
    },
    ...(kind === "user"
      ? [{ weight: 1, arbitrary: fc.constant({ ...base, state: "off", trusted: true } as const) }]
      : []),
  );
}

/** A call as agents mostly send it; most of the odd ones cannot be evaluated, and are nothing to be helped. */
const plainCall: fc.Arbitrary<ToolCall> = constantFrom(
  { tool: "Bash", input: { command: "git push" } },
  { tool: "Bash", input: { command: "rm -rf a" } },
  { tool: "PowerShell", input: { line: "git push; rm a" } },
  { tool: "Write", input: { path: "src/a" } },
  { tool: "Edit", input: { path: "/etc/a" } },
  { tool: "WebFetch", input: { url: "https://x.org/a" } },
  { tool: "WebFetch", input: { url: "file:///etc/a" } },
  { tool: "Query", input: { sql: "git a" } },
  { tool: "mcp__a__b", input: { k: "a" } },
);

function aboveRepository(entry: SourceEntry): SourceEntry {
  const isOurs = entry.kind === "local" || entry.kind === "project";
  return isOurs ? { ...entry, repository: "/home/u/ws/x" } : entry;
}

/** Random sources with a random call; none of them has an error. */
export const anySources: fc.Arbitrary<Sources> = tuple(
  oneof({ weight: 1, arbitrary: anyCall }, { weight: 2, arbitrary: plainCall }),
  constantFrom("trusted", "not trusted", "above the repository"),
  boolean(),
)
  .chain(([call, stance, withBuiltin]) => {
    const trusted = stance === "trusted";
    const [managed, ...files] = KINDS.map((kind) => entryOf(kind, { call, trusted }));
    return tuple(seldom(managed!), seldom(rulesAbout(call)), ...files)
      .map(([above, flag, ...below]): Sources => {
        const entries = [above, flag && flagEntry(flag), ...below, withBuiltin && builtinEntry()];
        const there = entries.filter((entry) => !!entry) as SourceEntry[];
        const isAbove = stance === "above the repository";
        return { entries: isAbove ? there.map(aboveRepository) : there, call, trusted };
      });
  })
  .filter(({ entries }) => loaded(entries) !== undefined);
