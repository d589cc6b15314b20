import { type Action, callOf, strictness } from "../../../model/call.ts";
import { literalHead } from "../../../pattern/glob.ts";
import { type Check, example, type LintContext, type LintedRule, rule } from "../../check.ts";
import { foundAt, listed, ruleName, shown, tried } from "../../place_finding.ts";
import { commandRule } from "../../rule_specifier.ts";

const LITERAL = 'shell = "literal"';

/** Rules that match a command line as one string, where a shell sees several commands. */
export const wrapperBlind: Check = {
  id: "wrapper-blind",
  severity: "warning",
  docs: {
    what: `With ${LITERAL}: a rule that sudo, env, cd x && or a second command evades`,
    why:
      "A literal command is one string: the command after a wrapper or && is not examined. An allow for a beginning then " +
      "allows everything that follows it.",
    avoid: example([rule("Bash:rm *", "deny")], [LITERAL]),
    prefer: example([rule("Bash:rm *", "deny")]),
  },
  find(context) {
    return context.rules.flatMap((linted) => {
      const passed = slips(linted, context);
      const [first] = passed;
      if (first === undefined) return [];
      const { rule } = linted;
      const texts = listed(passed.map(({ text }) => `"${text}"`));
      const verb = rule.action === "allow" ? "allows" : "does not see";
      return [foundAt(linted, {
        message: `${ruleName(rule)} ${verb} ${texts}, since commands are not parsed`,
        ...shown(context, first.call),
        hint: `Remove ${LITERAL} from [permissions]`,
      })];
    });
  },
};

/** Calls that do what the rule is about, or more, and get a looser verdict than the rule's. */
function slips({ rule }: LintedRule, context: LintContext) {
  const { policy } = context;
  const command = commandRule(rule, policy.profiles);
  const isTaken = policy.settings.shell !== "literal" || command?.profile.shell === "other";
  const head = command === undefined ? "" : literalHead(command.glob).trim();
  if (command === undefined || isTaken || head === "") return [];
  const isOpen = command.anchor !== "whole" || command.glob.length > 1;
  const own = isOpen ? `${head} x` : head;
  const call = callOf(command.profile, own);
  if (call === undefined || tried(context, call).rule !== rule) return [];
  return around(own, rule.action).flatMap((text) => {
    const other = callOf(command.profile, text);
    if (other === undefined) return [];
    const verdict = tried(context, other);
    const slipped = rule.action === "allow"
      ? verdict.rule === rule
      : strictness(verdict.action) < strictness(rule.action);
    return slipped ? [{ text, call: other }] : [];
  });
}

function around(own: string, action: Action): readonly string[] {
  if (action === "allow") return [`${own} && evil`];
  return [`sudo ${own}`, `env ${own}`, `cd x && ${own}`];
}
