import type { ToolProfile } from "../../model/call.ts";
import type { Specifier } from "../../pattern/parse_pattern.ts";
import { parseSpecifier } from "../../pattern/parse_specifier.ts";
import type { CompiledRule, TableOptions, ToolRule } from "./compiled_policy.ts";
import { type RuleMatcher, ruleMatcher } from "./rule_matcher.ts";
import { plainHead } from "./sound_pattern.ts";
import { touchesFiles } from "./tool_groups.ts";

/** The rule of a plain pattern for a command, whose specifier is parsed when it is first asked for; undefined for any other. */
export function plainRuleFor(
  rule: CompiledRule,
  { profile, shell, context }: TableOptions & { readonly profile: ToolProfile },
): ToolRule | undefined {
  const head = touchesFiles(profile) ? undefined : plainHead(rule.pattern, profile);
  if (head === undefined) return undefined;
  const reading = { shell: profile.shell === "other" ? profile.shell : shell, context };
  let known: Specifier | undefined;
  const specifier = () => known ??= specifierFor(rule, profile)!;
  const { action, source: { kind: source } } = rule;
  const matches = onFirstUse(() =>
    ruleMatcher(specifier(), { ...reading, profile, action, source })
  );
  const toolRule: LazyToolRule = { rule, head, matches, readAs: reading, parse: specifier };
  return Object.defineProperty(toolRule, "specifier", WHEN_ASKED) as ToolRule & LazyToolRule;
}

type LazyToolRule = Omit<ToolRule, "specifier"> & { readonly parse: () => Specifier };

/** One function for all rules, so that all have the same shape. */
const WHEN_ASKED = {
  enumerable: true,
  get(this: LazyToolRule): Specifier {
    return this.parse();
  },
};

/** A matcher that is made when it is first asked: most rules of a large policy never are. */
export function onFirstUse(make: () => RuleMatcher): RuleMatcher {
  let matcher: RuleMatcher | undefined;
  return (request) => (matcher ??= make())(request);
}

/** The specifier of a rule for a tool; undefined if it has none that the tool could be asked about. */
export function specifierFor(rule: CompiledRule, profile: ToolProfile): Specifier | undefined {
  const specifier = parseSpecifier(rule.parsed, profile);
  return specifier.ok ? specifier.value : undefined;
}
