import { AGENT_NAMES } from "../../agents/registry.ts";
import { FINDING_IDS } from "../../lint/registry.ts";
import { DEFAULT_TOOLS } from "../../policy/compile/profiles.ts";
import type { Verb, WordList } from "../args/verb.ts";
import { bashCompletions } from "./bash.ts";
import { fishCompletions } from "./fish.ts";
import { powershellCompletions } from "./powershell.ts";
import { zshCompletions } from "./zsh.ts";

/** The scripts by shell; the names are those that the verb's table offers. */
const SCRIPTS = {
  bash: bashCompletions,
  zsh: zshCompletions,
  fish: fishCompletions,
  powershell: powershellCompletions,
} as const;

/** A shell that there is a script for. */
export type Shell = keyof typeof SCRIPTS;

export function isShell(word: string): word is Shell {
  return Object.hasOwn(SCRIPTS, word);
}

/** The script that completes caliban's command line in a shell; ends in a newline. */
export function completionScript(shell: Shell, verbs: readonly Verb[]): string {
  return SCRIPTS[shell](verbs.map(withWords));
}

const WORDS: Readonly<Record<Exclude<WordList, "patterns">, readonly string[]>> = {
  agents: AGENT_NAMES,
  findings: FINDING_IDS,
  tools: [...DEFAULT_TOOLS].filter((name) => /^\w+$/.test(name)),
};

/** The verb with the words of its lists as choices. */
function withWords(verb: Verb): Verb {
  return {
    ...verb,
    operands: verb.operands.map(withChoices),
    flags: verb.flags.map(withChoices),
  };
}

function withChoices<
  T extends { readonly completes?: WordList; readonly choices?: readonly string[] },
>(
  each: T,
): T {
  const { completes } = each;
  return completes === undefined || completes === "patterns"
    ? each
    : { ...each, choices: WORDS[completes] };
}
