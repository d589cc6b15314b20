import type { Match } from "../model/verdict.ts";
import { onlyText } from "../pattern/glob.ts";
import { ANY_NAME, DEEP, shownGlob } from "../pattern/path/shell_glob.ts";
import { globMayName } from "../policy/compile/glob_may_name.ts";
import type { Request } from "../policy/compile/request.ts";
import type { ToolRule } from "../policy/compile/compiled_policy.ts";
import type { Effect } from "../shell/effect.ts";
import { namesClass } from "./classes/class_search.ts";
import { isSecretFile } from "./classes/secret_files.ts";
import {
  amongAll,
  firstMatchIn,
  type MatchTrace,
  NO_MATCH,
  type SearchOptions,
} from "./first_match.ts";
import { strictestOf } from "./precedence.ts";
import { representatives } from "./trials/rules_behind_bound.ts";
import { mayBeRelinked } from "./settle_effect.ts";
import { objectorAmong, writtenAmong } from "./trials/file_objectors.ts";
import { globCost } from "./trials/trial_budget.ts";
import {
  type EvalContext,
  shortened,
  type Shown,
  type UnitResult,
  unitResult,
} from "./unit_result.ts";

/** The tool whose rules speak of such a file or URL. */
const TOOLS = { read: "Read", write: "Write", url: "WebFetch" } as const;

export type FileEffect = Effect & { readonly kind: keyof typeof TOOLS };

/** True for the effects on files and URLs. */
export function isFileEffect(effect: Effect): effect is FileEffect {
  const { kind } = effect;
  return kind === "read" || kind === "write" || kind === "url";
}

/**
 * Evaluates a file that a redirection opens, or that a program writes besides its purpose, as a call of Write or Read, by
 * the same rules; an allow rule of the shell tool that covers the effect counts in its place.
 */
export function evaluateFile(effect: FileEffect, context: EvalContext): UnitResult {
  const { rules, options } = context;
  const { request, isSecret } = ofItsClass(effect, context);
  const file = fileRequest(effect, request);
  const isRelinked = mayBeRelinked(effect, request);
  const known = (toolRule: ToolRule) => isRelinked ? relinked(toolRule, request) : toolRule;
  const ofFile = (toolRule: ToolRule): ToolRule =>
    isSecret && toolRule.rule.action === "allow" ? { ...toolRule, matches: () => "no" } : toolRule;
  const merged = (own: readonly ToolRule[], ofShell: readonly ToolRule[]) => {
    const byIndex = new Map(own.map((toolRule) => [toolRule.rule.index, known(ofFile(toolRule))]));
    for (const toolRule of ofShell.map(known)) {
      const { rule, specifier } = toolRule;
      const isAbout = rule.action === "allow" || specifier?.kind === "class";
      if (!isAbout || byIndex.get(rule.index)?.matches(file) === "yes") continue;
      byIndex.set(rule.index, asTried(toolRule, () => toolRule.matches(request)));
    }
    return inOrder(byIndex);
  };
  const rest = restIn(options);
  const trace = firstMatchIn(rules, file, {
    options,
    list: {
      candidates: isRelinked
        ? merged(rest(rules.toolRules(file.profile.name)), rest(rules.candidates(request)))
        : merged(rest(rules.candidates(file)), rest(rules.candidates(request))),
      all: () => {
        const { profile: { name } } = request;
        return amongAll(rules, merged(rules.toolRules(file.profile.name), rules.toolRules(name)));
      },
    },
  });
  const unit = shown(effect);
  if (!isRelinked || trace.action !== "ask") return unitResult(trace, { request: file, unit });
  const reason = `an earlier command may make \`${shortened(effect.text)}\` a link`;
  return unitResult({ ...trace, by: "safety" }, { request: file, unit, reason });
}

/**
 * The request of a redirection, and whether it reads an environment, memory, a device or a history where rules name classes: then it
 * is of the class `secret`, and no rule about files alone allows it.
 */
function ofItsClass(
  { kind, text }: FileEffect,
  { rules, request }: EvalContext,
): { readonly request: Request; readonly isSecret: boolean } {
  const { part } = request;
  const isSecret = kind === "read" && part !== undefined &&
    namesClass(rules.candidates(request)) && isSecretFile(text, request);
  if (!isSecret) return { request, isSecret };
  const search = { name: "secret", classes: ["secret"], whyOpen: () => undefined } as const;
  return { request: request.of({ ...part, search }), isSecret };
}

/** A rule as it reads a file that may be another one: a specifier names none then, but for a rule that is the whole line. */
function relinked(toolRule: ToolRule, { part }: Request): ToolRule {
  const { rule, specifier, matches } = toolRule;
  if (specifier === undefined || specifier.kind === "any") return toolRule;
  if (rule.action === "allow") {
    const test = specifier.kind === "argument" ? specifier.test : undefined;
    const line = test?.kind === "command" && test.anchor === "whole" ? onlyText(test.glob) : "";
    return line === part?.line.text ? toolRule : { ...toolRule, matches: () => "no" };
  }
  if (rule.source.kind === "builtin") return toolRule;
  return { ...toolRule, matches: (file) => matches(file) === "yes" ? "yes" : "indeterminate" };
}

/**
 * Decides a redirection to an unknown file: by the rules of the shell tool, and by those that deny or ask about files, which
 * cannot be evaluated if they have a specifier.
 */
export function matchUnknownFile(
  { unknownFileAccess = [] }: Effect,
  { rules, request, options }: EvalContext,
): MatchTrace {
  const rest = restIn(options);
  const ofFiles = unknownFileAccess.flatMap((kind) => rest(rules.toolRules(TOOLS[kind])))
    .filter(({ rule, specifier }) => rule.action !== "allow" && specifier);
  const merged = (own: readonly ToolRule[]) => {
    const byIndex = new Map(own.map((toolRule) => [toolRule.rule.index, toolRule]));
    for (const toolRule of ofFiles) {
      const { rule: { index }, specifier } = toolRule;
      const match: Match = specifier?.kind === "any" ? "yes" : "indeterminate";
      if (!byIndex.has(index)) byIndex.set(index, { ...toolRule, cost: 1, matches: () => match });
    }
    return inOrder(byIndex);
  };
  return firstMatchIn(rules, request, {
    options,
    list: {
      candidates: merged(rest(rules.candidates(request))),
      all: () => amongAll(rules, merged(rules.toolRules(request.profile.name))),
    },
  });
}

/** Leaves out the rules that stand behind the bound of trials; a full trace has all. */
function restIn(
  { budget, trace }: SearchOptions,
): (rules: readonly ToolRule[]) => readonly ToolRule[] {
  return (rules) => budget?.isSpent && trace !== "full" ? representatives(rules) : rules;
}

/** The same rule with another answer. A literal, since a spread calls the getter that some rules have for a specifier, which is slow. */
function asTried(
  { rule, specifier, head, also, cost, readAs }: ToolRule,
  matches: ToolRule["matches"],
): ToolRule {
  return { rule, specifier, head, also, matches, cost, readAs };
}

function inOrder(byIndex: ReadonlyMap<number, ToolRule>): readonly ToolRule[] {
  return [...byIndex.values()].sort((a, b) => a.rule.index - b.rule.index);
}

/**
 * Evaluates a file that a program reads or writes as its purpose: only by rules that people wrote, and without one it is
 * allowed. Undefined if no deny or ask rule is about files of that kind.
 */
export function evaluateOperand(effect: FileEffect, context: EvalContext): UnitResult | undefined {
  const { rules, options } = context;
  const written = rules.writtenRules(TOOLS[effect.kind]);
  const objector = objectorAmong(written, context);
  if (!objector) return undefined;
  const request = fileRequest(effect, context.request);
  const unit = shown(effect);
  if (effect.path === "open") {
    const reason = `the ${OPENED[effect.kind]} is not fixed (${effect.text}), and ` +
      `\`${objector.rule.pattern}\` may match it`;
    return unitResult(NO_MATCH, { request, unit, reason });
  }
  const isGlob = effect.path === "glob";
  const found = isGlob ? context.request.expand(effect.text) : undefined;
  // A pattern of a program that matches nothing names no file; a glob of a shell is then a name itself.
  const isNone = found?.length === 0 && effect.mayLookUp && shownGlob(effect.text) !== effect.text;
  const names = isNone ? [shownGlob(effect.text)] : found ?? [];
  const named = names.length > 0 ? evaluateGlobbed(names, { effect, context }) : undefined;
  // Nothing that the line does before changes what it names, or one of the names decides already.
  if (named && (effect.mayLookUp || named.verdict.action !== "allow")) return named;
  const matchOf = matcherBy(effect, request);
  const asGlob = (toolRule: ToolRule): ToolRule =>
    matchOf
      ? { ...toolRule, cost: globCost(toolRule, effect.text), matches: () => matchOf(toolRule) }
      : toolRule;
  const candidates = matchOf
    ? restIn(options)(written).map(asGlob)
    : writtenAmong(rules.candidates(request));
  const trace = firstMatchIn(rules, request, {
    options,
    list: { candidates, all: () => amongAll(rules, written.map(asGlob)) },
  });
  if (trace.rule !== null && trace.action !== "allow") return unitResult(trace, { request, unit });
  if (mayBeRelinked(effect, context.request)) {
    const reason = `an earlier command may make \`${shortened(effect.text)}\` a link, and ` +
      `\`${objector.rule.pattern}\` may match the file that it leads to`;
    return unitResult(NO_MATCH, { request, unit, reason });
  }
  if (trace.rule !== null) return unitResult(trace, { request, unit });
  const reason = "no deny or ask rule matches it";
  return unitResult({ ...trace, action: "allow" }, { request, unit, reason });
}

/** Evaluates the files that a glob names now, each with its real path; the strictest counts. */
function evaluateGlobbed(
  names: readonly string[],
  { effect, context }: { readonly effect: FileEffect; readonly context: EvalContext },
): UnitResult {
  const { mayLookUp: _, ...glob } = effect;
  const results = names.flatMap((text) => {
    const result = evaluateOperand({ ...glob, text, path: "fixed" }, context);
    return result ? [result] : [];
  });
  const strictest = strictestOf(results, ({ verdict }) => verdict);
  if (strictest.verdict.action !== "allow") return strictest;
  const reason = `no deny or ask rule matches a file that it names (${names.length})`;
  const { text, path } = shown(effect);
  return {
    ...strictest,
    verdict: { ...strictest.verdict, text, ...(path ? { path } : {}), reason },
  };
}

/** The match of a rule with files that the line names by a glob or a folder; undefined for a file of a fixed name. */
function matcherBy(
  { path, text }: FileEffect,
  request: Request,
): ((toolRule: ToolRule) => Match) | undefined {
  if (path === "glob") return (toolRule) => globMatch(toolRule, text, request);
  if (path !== "below") return undefined;
  const folder = text.replace(/\/+$/, "");
  const inFolder = (names: string) =>
    request.withTool(request.profile.name, { path: folder === "." ? names : `${folder}/${names}` });
  const files = [inFolder(SOME_NAME), inFolder(`${SOME_NAME}/${SOME_NAME}`)];
  const escaped = folder.replace(/[\\*?[\]{}]/g, "\\$&");
  const glob = `${escaped}/${DEEP}${ANY_NAME}`;
  return (toolRule) => {
    const matches = files.map((file) => toolRule.matches(file));
    if (matches.every((match) => match === "yes")) return "yes";
    if (toolRule.rule.action === "allow") return "no";
    const named = globMatch(toolRule, glob, request);
    return matches.some((match) => match !== "no") ? "indeterminate" : named;
  };
}

/** A name that no rule spells, for a file whose name is not known. */
export const SOME_NAME = "\uF8FD";

const OPENED = {
  read: "file that the line reads",
  write: "file that the line writes",
  url: "URL that the line fetches",
} as const;

/** The match of a rule with a file name glob: certain only without a specifier that could tell its files apart. */
function globMatch(
  { specifier, rule, readAs }: ToolRule,
  glob: string,
  request: Request,
): Match {
  if (specifier === undefined) return "no";
  if (specifier.kind === "any") return "yes";
  if (rule.action === "allow") return "no";
  return globMayName(glob, { specifier, request, context: readAs?.context })
    ? "indeterminate"
    : "no";
}

/** The file or URL of an effect as a call of the tool whose rules speak of it. */
export function fileRequest({ kind, text }: FileEffect, request: Request): Request {
  return kind === "url"
    ? request.withTool(TOOLS.url, { url: text })
    : request.withPath(TOOLS[kind], text);
}

function shown({ kind, text, via, depth, path }: Effect): Shown {
  // Safety checks look a write up by its text.
  return { kind, text: kind === "read" ? shownGlob(text) : text, via, depth, path };
}
