import { type Glob, onlyText } from "../../pattern/glob.ts";
import { parse } from "../../shell/parse/syntax.ts";
import { example, rule } from "../example.ts";
import type { Check, Found } from "../check.ts";
import { foundAt } from "../found_at.ts";
import type { LintContext, LintedRule } from "../lint_context.ts";
import { commandRule } from "../rule_spec.ts";

/** A longer command to the letter hardly comes again, in UTF-16 code units. */
const LONG = 80;

/** Words of the shell that begin or end a part of a script. */
const PARTS = /^(?:do|done|then|fi|else|elif|esac|for|while|until|case|if|in|[{}()]|;;)(?:\s|$)/;

/** Allow rules for one command that was run once. */
export const oneOff: Check = {
  id: "one-off",
  severity: "note",
  docs: {
    what: "An allow for a piece of a script, or for one long command to the letter",
    why:
      "Agents leave such rules behind when somebody answers “always” to a long command or a loop. They hardly ever fit " +
      "again, hide the rules that matter, and may hold secrets.",
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
  const hint = 'Remove it, or write what is to be allowed again and again: "Bash(npm test:*)"';
  const whole = command.anchor === "whole" ? onlyText(command.glob) : undefined;
  const isOther = command.profile.shell === "other";
  if (!isOther && (PARTS.test(textStart(command.glob)) || isBroken(whole))) {
    return [foundAt(linted, {
      severity: "warning",
      message: "An allow for a piece of a script: no whole command looks like this",
      hint,
    })];
  }
  if (whole === undefined || whole.length <= LONG && !whole.includes("\n")) return [];
  const size = whole.includes("\n") ? "several lines" : `${whole.length} characters`;
  return [foundAt(linted, {
    message: `An allow for one command of ${size}, to the letter`,
    hint,
  })];
}

function textStart(glob: Glob): string {
  const [first] = glob;
  return first?.kind === "text" ? first.text : "";
}

/** Whether a command to the letter is no whole command: a quote, a substitution or a loop does not end. */
function isBroken(command: string | undefined): boolean {
  return command !== undefined && (parse(command).errors ?? []).length > 0;
}
