import { type Glob, onlyText } from "../../../pattern/glob.ts";
import { parse } from "../../../shell/parse/unbash.ts";
import {
  type Check,
  example,
  type Found,
  type LintContext,
  type LintedRule,
  rule,
} from "../../check.ts";
import { foundAt } from "../../place_finding.ts";
import { commandRule } from "../../rule_specifier.ts";

/** The longest literal command that is likely to recur, in UTF-16 code units. */
const LONG = 80;

/** Shell keywords that begin or end a part of a script. */
const PARTS = /^(?:do|done|then|fi|else|elif|esac|for|while|until|case|if|in|[{}()]|;;)(?:\s|$)/;

/** Allow rules for a command that was run once. */
export const oneOff: Check = {
  id: "one-off",
  severity: "note",
  docs: {
    what: "An allow for a fragment of a script, or for one long literal command",
    why:
      "Agents write such rules when somebody answers “always” to a long command or a loop. They rarely match again, " +
      "hide the rules that matter, and may contain secrets.",
    avoid: example([rule("Bash(do echo:*)", "allow")]),
    prefer: example([rule("Bash(npm test:*)", "allow")]),
  },
  find(context) {
    return context.rules.flatMap((linted) => oneOffAt(linted, context));
  },
};

function oneOffAt(linted: LintedRule, context: LintContext): readonly Found[] {
  const { rule } = linted;
  const command = rule.action === "allow" ? commandRule(rule, context.policy.profiles) : undefined;
  if (command === undefined || command.anchor === "contains") return [];
  const hint = 'Remove it, or allow the commands that recur: "Bash(npm test:*)"';
  const whole = command.anchor === "whole" ? onlyText(command.glob) : undefined;
  const isOther = command.profile.shell === "other";
  if (!isOther && (PARTS.test(textStart(command.glob)) || isBroken(whole))) {
    return [foundAt(linted, {
      severity: "warning",
      message: "An allow for a fragment of a script, not for a complete command",
      hint,
    })];
  }
  if (whole === undefined || whole.length <= LONG && !whole.includes("\n")) return [];
  const size = whole.includes("\n") ? "several lines" : `${whole.length} characters`;
  return [foundAt(linted, {
    message: `An allow for one literal command of ${size}`,
    hint,
  })];
}

function textStart(glob: Glob): string {
  const [first] = glob;
  return first?.kind === "text" ? first.text : "";
}

/** True if a literal command is incomplete: a quote, a substitution or a loop does not end. */
function isBroken(command: string | undefined): boolean {
  return command !== undefined && (parse(command).errors ?? []).length > 0;
}
