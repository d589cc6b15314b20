import type { Action } from "../../model/action.ts";
import type { Loss } from "../../model/loss.ts";
import { tomlPair, tomlString } from "../../text/toml_text.ts";
import type { Format, FormatRule, FormatWriting, WriteContext } from "../convert/format.ts";
import { readGemini } from "./import.ts";
import { type GeminiSaid, sayGemini } from "./say.ts";
import { lossOf, partsOf } from "../convert/parts.ts";
import { distinctLosses } from "../convert/said.ts";
import { settingsLosses } from "../convert/settings_losses.ts";

const WORDS: Readonly<Record<Action, string>> = { allow: "allow", deny: "deny", ask: "ask_user" };

/** Gemini CLI: `[[rule]]` in policy files; written against @google/gemini-cli-core 0.61. */
export const GEMINI: Format = {
  name: "gemini",
  title: "Gemini CLI policy.toml",
  caveat:
    "Gemini CLI compares the text of a call, and allows by its own policies what only reads; here commands that only pass text on " +
    "(head, echo, cd, time) need no rule beside an allowed one",
  detect: (path, text) =>
    /\.gemini[\\/]/.test(path) && /\.toml$/.test(path) ||
    /^\s*\[\[rule\]\]/m.test(text) && /^\s*toolName\s*=/m.test(text),
  read: (text) => readGemini(text),
  write: writeGemini,
};

/** A rule of Gemini CLI, with those beside it that say the same. */
interface Written {
  readonly rule: FormatRule;
  readonly action: Action;
  readonly said: GeminiSaid;
}

const HIGHEST = 999;

function writeGemini(rules: readonly FormatRule[], context: WriteContext): FormatWriting {
  const { parts, losses } = partsOf(rules, context.profiles);
  const all: Loss[] = [...losses, ...settingsLosses(context.settings)];
  const lastDeny = rules.findLastIndex(({ action }) => action === "deny");
  const written = parts.map((part): Written => {
    const said = sayGemini(part);
    all.push(...said.losses);
    // An ask that fits too much would hide a deny behind it.
    const broad = said.losses.some(({ kind }) => kind === "narrowed");
    const { rule } = part;
    const action = broad && rule.action === "ask" && part.index < lastDeny ? "deny" : rule.action;
    return { rule, action, said };
  }).filter(({ said }) => said.tests.length > 0);
  const { text, left } = tablesOf(written);
  all.push(
    ...left.map((rule) =>
      lossOf({ rule }, "dropped", "there are not enough priorities for so many rules")
    ),
  );
  return {
    text: text === "" ? "# No rule of the policy can be said here.\n" : text,
    losses: distinctLosses(all),
  };
}

/** Rules of one action share a priority, since their order says nothing; each change of action takes the next one. */
function tablesOf(written: readonly Written[]): { text: string; left: readonly FormatRule[] } {
  let priority = HIGHEST;
  let action: Action | undefined;
  const tables: string[] = [];
  const left: FormatRule[] = [];
  for (const each of written) {
    if (action !== undefined && each.action !== action) priority--;
    action = each.action;
    if (priority >= 0) {
      tables.push(...each.said.tests.map((test) => tableOf(each, { test, priority })));
    } else left.push(each.rule);
  }
  return { text: tables.join("\n"), left };
}

function tableOf(
  { rule, action }: Written,
  { test, priority }: { test: GeminiSaid["tests"][number]; priority: number },
): string {
  const [tool, condition] = test;
  const isWhole = condition === undefined && ["run_shell_command", "*"].includes(tool);
  const message = action === "deny" && rule.reason !== undefined
    ? [tomlPair(["denyMessage", rule.reason])]
    : [];
  return [
    "[[rule]]",
    `toolName = ${tomlString(tool)}`,
    ...(condition === undefined ? [] : [tomlPair(condition)]),
    `decision = "${WORDS[action]}"`,
    `priority = ${priority}`,
    // Bare Bash holds redirections too.
    ...(isWhole && action === "allow" ? ["allowRedirection = true"] : []),
    ...message,
    "",
  ].join("\n");
}
