import { namedTool } from "../../../pattern/parse_pattern.ts";
import { editDistance } from "../../../text/did_you_mean.ts";
import { tomlString } from "../../../text/toml_text.ts";
import {
  type Check,
  example,
  type Found,
  type LintContext,
  type LintedRule,
  rule,
} from "../../check.ts";
import { foundAt, ruleName } from "../../place_finding.ts";
import { ruleSpecifier } from "../../rule_specifier.ts";
import { mcpMeant } from "./mcp_name.ts";

/** Unknown tools, and specifiers that have nothing to be compared with. */
export const unknownTool: Check = {
  id: "unknown-tool",
  severity: "warning",
  docs: {
    what:
      "A tool name that resembles a known one (bash, Reads), or a specifier with nothing to compare",
    why:
      "Tool names are case-sensitive. A rule for a tool that does not exist matches nothing; a deny or ask whose specifier " +
      "has nothing to compare turns every allow for that tool into a question.",
    avoid: example([rule("bash:git status", "allow"), rule("TodoWrite:secret*", "deny")]),
    prefer: example([rule("Bash:git status", "allow"), rule("WebSearch:query=*secret*", "deny")]),
  },
  find(context) {
    return context.rules.flatMap((linted) => {
      const name = namedTool(linted.rule.parsed);
      if (name === undefined || mcpMeant(linted.rule, context.policy.profiles) !== undefined) {
        return [];
      }
      return misspelt(linted, { name, context }) ?? incomparable(linted, { name, context }) ?? [];
    });
  },
};

interface Naming {
  readonly name: string;
  readonly context: LintContext;
}

function misspelt(linted: LintedRule, { name, context }: Naming): readonly Found[] | undefined {
  const { profiles } = context.policy;
  if (profiles.has(name) || name.startsWith("mcp__")) return undefined;
  const near = profiles.known.map((known) => known.name).find((known) => isSlip(name, known));
  if (near === undefined) return undefined;
  const { rule, written } = linted;
  const pattern = near + rule.pattern.slice(rule.pattern.search(/[:(]|$/));
  return [foundAt(linted, {
    message: `${ruleName(rule)} is for the unknown tool "${name}"`,
    hint: `Did you mean "${near}"?`,
    fix: {
      title: `Write "${pattern}"`,
      verdicts: "changes",
      edits: [{ span: written.pattern.span, text: tomlString(pattern) }],
    },
  })];
}

/** True if a name is probably another one misspelt: few letters differ, ignoring case. */
function isSlip(name: string, known: string): boolean {
  const most = known.length < 8 ? 1 : 2;
  return Math.abs(name.length - known.length) <= most &&
    editDistance(name.toLowerCase(), known.toLowerCase()) <= most;
}

function incomparable(linted: LintedRule, { name, context }: Naming): readonly Found[] | undefined {
  const { rule } = linted;
  const found = ruleSpecifier(rule, context.policy.profiles);
  if (found?.specifier.kind !== "argument") return undefined;
  const { specifier, profile: { firstArg, fields, searches } } = found;
  const isFile = searches !== undefined && specifier.test.kind === "path";
  if (firstArg === undefined) {
    return [foundAt(linted, {
      message: `${ruleName(rule)} compares the first argument of ${name}, which is unknown`,
      hint: `Name a field (${name}:key=…), or set first_arg under [tools.${name}]`,
    })];
  }
  if (firstArg.length > 0 || isFile) return undefined;
  const field = fields[0];
  return [foundAt(linted, {
    message: `${ruleName(rule)} has a specifier, but ${name} has no first argument`,
    hint: field === undefined ? `Write ${name} alone` : `Name a field, as ${name}:${field}=…`,
  })];
}
