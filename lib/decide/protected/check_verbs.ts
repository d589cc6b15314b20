import { literalHead } from "../../pattern/glob.ts";
import type { CompiledPolicy, ToolRule } from "../../policy/compile/compiled_policy.ts";
import type { Request } from "../../policy/compile/request.ts";
import type { CommandLine, Effect } from "../../shell/effect.ts";
import { shortened } from "../unit_result.ts";
import { type Check, checkOf, fittingAllows } from "./safety_check.ts";
import type { CommandWrites } from "./protected_places.ts";
import { gitSetting, namesWords, textsOf, writesOf, writingVerb } from "./rule_changes.ts";

/** The context of the checks of one line. */
interface LineContext {
  readonly policy: CompiledPolicy;
  readonly request: Request;
  readonly line: CommandLine;
  /** The effects whose text names caliban. */
  readonly namingCaliban: readonly Effect[];
}

/** The context of the checks of one effect. */
interface VerbContext extends LineContext {
  /** The texts of the effect. */
  readonly texts: readonly string[];
}

/** The check of a command that writes rules or protected files without naming them. */
export function checkVerbs(effect: Effect, line: LineContext): Check | undefined {
  if (effect.kind !== "command") return undefined;
  const context = { ...line, texts: textsOf(effect) };
  return checkVerb(effect, context) ?? checkSetting(effect, context) ??
    checkWrites(effect, context);
}

/** Verbs of other programs that write what steers agents or runs by itself (`npm config set`). */
function checkWrites(
  effect: Effect,
  { policy, request, line, texts }: VerbContext,
): Check | undefined {
  const found = writesOf(texts);
  if (found === undefined) return undefined;
  const allows = fittingAllows(policy, request.of({ effect, line }));
  if (allows.some((toolRule) => namesCommand(toolRule, found))) return undefined;
  const reason = `it runs \`${found.words.join(" ")}\`, which ${found.why}`;
  return checkOf(effect, { request, reason });
}

/** True if the words of the verb stand in a rule before its first wildcard. */
function namesCommand({ specifier }: ToolRule, { words }: CommandWrites): boolean {
  if (specifier?.kind !== "argument" || specifier.test.kind !== "command") return false;
  return namesWords(literalHead(specifier.test.glob).trim().split(/\s+/), words);
}

function checkVerb(
  effect: Effect,
  { policy, request, line, texts, namingCaliban }: VerbContext,
): Check | undefined {
  // The program may be a copy of caliban, or a link to it.
  const mayBeAlias = namingCaliban.some((other) => other !== effect);
  const verb = writingVerb(texts, { mayBeAlias });
  if (verb === undefined) return undefined;
  const allows = fittingAllows(policy, request.of({ effect, line }));
  if (allows.some((toolRule) => namesVerb(toolRule, verb))) return undefined;
  const reason = `it runs \`caliban ${verb}\`, which changes the rules`;
  return checkOf(effect, { request, reason });
}

/** True if a rule names the verb before its first wildcard; rules that come with a clone do not count. */
function namesVerb({ rule, specifier }: ToolRule, verb: string): boolean {
  if (rule.source.kind === "project" || rule.source.kind === "local") return false;
  if (specifier?.kind !== "argument" || specifier.test.kind !== "command") return false;
  let test = verbTests.get(verb);
  if (test === undefined) {
    const words = verb.replace(/^perms /, "(?:perms\\s+)?").replaceAll(" ", "\\s+");
    verbTests.set(verb, test = new RegExp(`caliban\\S*\\s+${words}(?:\\s|$)`));
  }
  return test.test(literalHead(specifier.test.glob));
}

/** The tests by verbs, which are those of a table. */
const verbTests = new Map<string, RegExp>();

/** Git runs what `git config` writes; only a rule that names `config` before its first wildcard allows it. */
function checkSetting(
  effect: Effect,
  { policy, request, line, texts }: VerbContext,
): Check | undefined {
  const key = gitSetting(texts);
  if (key === undefined) return undefined;
  const allows = fittingAllows(policy, request.of({ effect, line }));
  const isNamed = allows.some(({ specifier }) =>
    specifier?.kind === "argument" && specifier.test.kind === "command" &&
    /\sconfig(?:\s|$)/.test(literalHead(specifier.test.glob))
  );
  if (isNamed) return undefined;
  const what = key === "" ? "git's configuration" : `\`${shortened(key)}\` in git's configuration`;
  return checkOf(effect, { request, reason: `it writes ${what}, which git may run` });
}
