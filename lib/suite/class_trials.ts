import type { Difference, Differences } from "../analysis/analysis.ts";
import { changedRules } from "../analysis/queries/pair_queries.ts";
import { evaluate } from "../decide/evaluate.ts";
import { callOf, type ToolCall } from "../model/call.ts";
import { CLASS_PHRASES } from "../model/class_phrases.ts";
import { namedTool } from "../pattern/parse_pattern.ts";
import { classOf } from "../pattern/parse_specifier.ts";
import type { CompiledPolicy, CompiledRule } from "../policy/compile/compiled_policy.ts";
import { sampleCalls } from "../suggest/sample_calls.ts";
import { shellQuoted } from "../text/quote.ts";

/** The most changed rules whose files and commands are tried. */
const MOST_RULES = 100;

/** Commands of a file. */
const OF_FILE: readonly ((file: string) => string)[] = [
  (file) => `cat ${file}`,
  (file) => `cp a.txt ${file}`,
  (file) => `rm ${file}`,
  (file) => `rg x ${file}`,
];

/**
 * Differences of two policies of which one has a rule for a class, found by trying commands: the examples of each class, and
 * commands about the files of changed rules. Each group has a call that `evaluate()` decides so; not every group is found.
 */
export function classDifferences(
  old: CompiledPolicy,
  now: CompiledPolicy,
  time: number,
): Differences {
  const tools = new Set([...classTools(old), ...classTools(now)]);
  const rules = changedRules(old.rules, now.rules);
  const changed = [...rules.old, ...rules.new];
  if (tools.size === 0 || changed.length === 0) return { groups: [], unknown: [] };
  const found = new Map<string, Difference>();
  for (const witness of trialCalls(changed, { tools, policy: now })) {
    const was = evaluate(old, witness, { now: time });
    const is = evaluate(now, witness, { now: time });
    if (was.action === is.action) continue;
    const group = {
      witness,
      was: { action: was.action, rule: was.rule },
      now: { action: is.action, rule: is.rule },
    };
    const key = keyOf(group);
    if (!found.has(key)) found.set(key, group);
  }
  const text = "commands that a rule for a class matches: only samples were compared";
  return { groups: [...found.values()], unknown: [{ kind: "tried", text }] };
}

/** Two groups of the same rules are one. */
export function keyOf({ was, now }: Pick<Difference, "was" | "now">): string {
  return `${was.action} ${was.rule?.index} ${now.action} ${now.rule?.index}`;
}

/** The tools that rules for classes name. */
function classTools({ rules }: CompiledPolicy): readonly string[] {
  return rules.flatMap(({ pattern, parsed }) =>
    classOf(pattern) === undefined ? [] : namedTool(parsed) ?? []
  );
}

function trialCalls(
  changed: readonly CompiledRule[],
  { tools, policy: { profiles } }: {
    readonly tools: ReadonlySet<string>;
    readonly policy: CompiledPolicy;
  },
): readonly ToolCall[] {
  const samples = changed.slice(0, MOST_RULES).flatMap(({ pattern }) =>
    sampleCalls(pattern, profiles)
  );
  const files = samples.flatMap(({ tool, input }) => {
    const { kind, firstArg } = profiles.get(tool);
    const value = kind === "path" ? input[firstArg?.[0] ?? ""] : undefined;
    return typeof value === "string" && value !== "" ? [shellQuoted(value)] : [];
  });
  const texts = [
    ...Object.values(CLASS_PHRASES).flatMap(({ examples }) => examples),
    ...files.flatMap((file) => OF_FILE.map((command) => command(file))),
  ];
  const calls = [...tools].flatMap((tool) => {
    const profile = profiles.get(tool);
    return profile.kind === "command" ? texts.flatMap((text) => callOf(profile, text) ?? []) : [];
  });
  return [...calls, ...samples.filter(({ tool }) => tools.has(tool))];
}
