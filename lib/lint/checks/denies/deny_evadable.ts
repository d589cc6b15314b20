import type { Glob } from "../../../pattern/glob.ts";
import type { CompiledRule } from "../../../policy/compile/compiled_policy.ts";
import { type Check, example, type LintContext, rule } from "../../check.ts";
import { foundAt, listed, ruleName, shown, tried } from "../../place_finding.ts";
import { respelled } from "../../respell.ts";
import { type CommandRule, commandRule } from "../../rule_specifier.ts";
import { callOf } from "../../../model/call.ts";

/** Deny rules that another spelling of the command evades. */
export const denyEvadable: Check = {
  id: "deny-evadable",
  severity: "warning",
  docs: {
    what:
      "A deny on a command that another spelling evades: rm -rf and rm -fr, rm -r -f, long options",
    why:
      "A list of forbidden spellings is never complete. The finding shows spellings that are not denied, for programs " +
      "whose other spellings are known; if the rules ask about all of them, it is a note.",
    avoid: example([rule("Bash:rm -rf *", "deny")]),
    prefer: example([rule("Bash(rm:*)", "deny")]),
  },
  find(context) {
    const { rules, policy: { profiles } } = context;
    return rules.flatMap((linted) => {
      const { rule } = linted;
      const command = rule.action === "deny" ? commandRule(rule, profiles) : undefined;
      const missed = command === undefined ? [] : evasions(command, { rule, context });
      const first = missed.find(({ action }) => action === "allow") ?? missed[0];
      if (first === undefined) return [];
      const allowed = missed.filter(({ action }) => action === "allow");
      const texts = (allowed.length > 0 ? allowed : missed).map(({ text }) => `"${text}"`);
      return [foundAt(linted, {
        ...(allowed.length > 0 ? {} : { severity: "note" as const }),
        message: `${ruleName(rule)} does not stop ${listed(texts)}, ${
          first.action === "allow"
            ? `which ${texts.length === 1 ? "is" : "are"} allowed`
            : "about which the rules only ask"
        }`,
        ...shown(context, first.call),
        hint: "Deny or ask about the whole program, and allow its harmless commands above it",
      })];
    });
  },
};

interface Evading {
  readonly rule: CompiledRule;
  readonly context: LintContext;
}

/** The other spellings that are not denied; empty if the rule does not deny its own. */
function evasions({ glob, anchor, profile }: CommandRule, { rule, context }: Evading) {
  const words = wordsOf(glob);
  const operand = anchor === "whole" && glob.length === 1 ? undefined : "x";
  const own = callOf(profile, [...words, ...(operand === undefined ? [] : [operand])].join(" "));
  if (own === undefined || tried(context, own).rule !== rule) return [];
  return respelled(words, operand).flatMap((text) => {
    const call = callOf(profile, text);
    const action = call === undefined ? "deny" : tried(context, call).action;
    return call === undefined || action === "deny" ? [] : [{ text, call, action }];
  });
}

/** The words of the literal text at the beginning of a glob, behind a leading wildcard. */
function wordsOf(glob: Glob): readonly string[] {
  const text = glob.find(({ kind }) => kind === "text");
  return text?.kind === "text" ? text.text.trim().split(/\s+/) : [];
}
