import type { Rule } from "../model/rule.ts";
import { matchGlob, onlyText } from "../pattern/glob.ts";
import type { CompiledRule, RuleSet, ToolRule } from "../policy/compile/compiled_policy.ts";
import { DEFAULT_TOOLS } from "../policy/compile/profiles.ts";
import type { Request } from "../policy/compile/request.ts";
import { searchedNames } from "../policy/compile/value_matcher.ts";
import type { CommandLine } from "../shell/effect.ts";
import { evaluateOperand } from "./evaluate_file.ts";
import { evaluateLine } from "./evaluate_line.ts";
import { firstMatch, type SearchStep } from "./first_match.ts";
import { furtherPaths, type NamedArgument, namedArguments } from "./named_arguments.ts";
import { isAnswer } from "./precedence.ts";
import { type EvalContext, type UnitResult, unitResult } from "./unit_result.ts";

/** The tools whose rules hold for what any call names, and the kind of what they name. */
const TOOLS = { Read: "file", Write: "file", WebFetch: "url", Bash: "command" } as const;

type RuleTool = keyof typeof TOOLS;

const ALL = Object.keys(TOOLS) as readonly RuleTool[];

const NONE: readonly UnitResult[] = [];
const NO_ARGUMENTS: readonly NamedArgument[] = [];

/** A call whose arguments are evaluated. */
interface NamedContext extends EvalContext {
  /** The allow rule that decides the call by its own rules; null if none does. */
  readonly allowing: Rule | null;
}

/**
 * Evaluates the files, URLs and commands that a call names besides those that its own rules are tried on: those below
 * undescribed keys, and the first argument of a tool that takes the same as Read, Write, WebFetch or Bash. Only written deny
 * and ask rules of these four count. An argument that no such rule objects to is left out.
 */
export function evaluateNamed(own: EvalContext, allowing: Rule | null): readonly UnitResult[] {
  const { rules, request } = own;
  const { named, isCut } = namedArguments(request.call.input, request.profile);
  if (named.length === 0 && !isCut && isOwnAlone(request)) return NONE;
  const context: NamedContext = { ...own, allowing };
  const first = firstArgument(request);
  const globs = searchedGlobs(request);
  if (first.length + globs.length + named.length === 0 && !isCut) return NONE;
  const all = [...first, ...globs, ...named];
  // The rules of a tool are compiled only for a call that names something of its kind.
  const tools = ALL.filter((tool) =>
    (isCut || all.some((each) => TOOLS[tool] === each.kind && !isOwn(each, { tool, request }))) &&
    hasObjections(tool, rules)
  );
  if (tools.length === 0) return NONE;
  const results = all.flatMap((argument) => {
    const others = tools.filter((tool) =>
      TOOLS[tool] === argument.kind && !isOwn(argument, { tool, request })
    );
    if (others.length === 0) return NONE;
    const options = { ...context.options, overlooks: overlooksFor(argument, context) };
    return others
      .flatMap((tool) => evaluateArgument(argument, { tool, context: { ...context, options } }))
      .filter((result) => isObjection(result, argument));
  });
  return isCut ? [...once(results), notRead(context, tools[0]!)] : once(results);
}

/** True if the first argument is all that other tools' rules could be about, and the call's own rules are tried on it already. */
function isOwnAlone({ first, profile }: Request): boolean {
  const { name, kind, aliasOf, searches } = profile;
  if (searches?.glob !== undefined) return false;
  if (kind === "text" || first.state !== "text") return true;
  if (kind === "command") return name === "Bash" || aliasOf === "Bash";
  return isOwnFile(profile) && DEFAULT_TOOLS.has(name);
}

function isOwnFile({ kind, class: toolClass }: Request["profile"]): boolean {
  return kind === "path" && (toolClass === "read" || toolClass === "edit");
}

/** The written rules of a tool that may object to what another one names. */
const objecting = new WeakMap<readonly ToolRule[], boolean>();

/** True if a written rule may object to what another tool names. */
function hasObjections(tool: RuleTool, rules: RuleSet): boolean {
  const written = rules.writtenRules(tool);
  let known = objecting.get(written);
  if (known === undefined) {
    known = written.some(({ rule }) => rule.action === "deny" || isAsking(rule));
    objecting.set(written, known);
  }
  return known;
}

function isAsking({ action, parsed }: CompiledRule): boolean {
  return action === "ask" && parsed.specifier !== undefined;
}

/** The first argument, if it is of a kind that other tools' rules are about; its key is empty. */
function firstArgument({ first, profile }: Request): readonly NamedArgument[] {
  const { name, kind, firstArg } = profile;
  if (first.state !== "text" || kind === "text") return NO_ARGUMENTS;
  const { text } = first;
  const own = { kind: kind === "path" ? "file" : kind, text, at: "", isCertain: true } as const;
  // The agents' own tools take a path as it is written; `file:` URLs are evaluated with the call.
  if (kind === "command" || kind === "path" && DEFAULT_TOOLS.has(name)) return [own];
  const paths = kind === "url" && /^file:/i.test(text) ? [] : furtherPaths(text);
  const at = firstArg?.[0] ?? "";
  return [
    own,
    ...paths.map((path) => ({ kind: "file", text: path, at, isCertain: false } as const)),
  ];
}

/**
 * The globs of a search that begin a name with a dot and go on with a wildcard, at any depth: one who writes `.e*` is after the
 * hidden files that a search below a folder is not asked about.
 */
function searchedGlobs(request: Request): readonly NamedArgument[] {
  const { searches } = request.profile;
  const at = searches?.glob;
  if (searches === undefined || at === undefined) return NO_ARGUMENTS;
  const searched = searchedNames(request, searches);
  const globs = (searched?.names ?? []).map((name) => name.replace(/\[[^\]]*\]/g, "*"))
    .filter((name) => /(?:^|\/)\.[^/]*[*?]/.test(name));
  return (searched?.folders ?? []).flatMap((folder) => {
    const start = folder.replace(/[*?[\]\\]/g, "\\$&");
    return [...new Set(globs)].map((glob) => ({
      kind: "file",
      text: `${start}/**/${glob.replace(/^\/+/, "")}`,
      at,
      isCertain: true,
    }));
  });
}

/** True for a first argument that the call's own rules are tried on: by the tool's name, or as files of its class. */
function isOwn(
  { at }: NamedArgument,
  { tool, request: { profile } }: { readonly tool: RuleTool; readonly request: Request },
): boolean {
  // A search only reads.
  if (at !== "") return tool === "Write" && at === profile.searches?.glob;
  if (profile.name === tool || profile.aliasOf === tool) return true;
  return isOwnFile(profile);
}

function evaluateArgument(
  { kind, text, at, folder }: NamedArgument,
  { tool, context }: { readonly tool: RuleTool; readonly context: EvalContext },
): readonly UnitResult[] {
  const via = at === "" ? null : `the argument "${at}"`;
  if (kind === "command") {
    // The line of the call itself is read as its own shell reads it.
    const own = at === "" ? context.request.line : undefined;
    return evaluateCommand(text, { via, context, line: own, folder });
  }
  const effect = {
    kind: kind === "url" ? "url" : tool === "Read" ? "read" : "write",
    text,
    via,
    depth: 0,
    checkedAgainst: "userDenies",
    isHarmless: false,
    allowTexts: [],
    denyTexts: [],
  } as const;
  const fixed = evaluateOperand({ ...effect, path: "fixed" }, context);
  const isGlob = kind === "file" && /[*?[{]/.test(text);
  const asGlob = isGlob ? evaluateOperand({ ...effect, path: "glob" }, context) : undefined;
  return [fixed, asGlob].filter((result) => result !== undefined);
}

/** Evaluates a command as a line of Bash, for any shell that runs it. */
function evaluateCommand(
  text: string,
  { via, context, line: own, folder }: {
    readonly via: string | null;
    readonly context: EvalContext;
    readonly line: CommandLine | undefined;
    readonly folder: string | undefined;
  },
): readonly UnitResult[] {
  const { rules, options } = context;
  const request = context.request.withCommand(text, folder);
  const line = own ?? request.line;
  if (!line) {
    const trace = firstMatch(rules, request, options);
    return [unitResult(trace, { request, unit: { text, kind: "command", via } })];
  }
  return evaluateLine(line, { rules, request, options }).map((result) => ({
    ...result,
    verdict: { ...result.verdict, via: result.verdict.via ?? via },
  }));
}

/**
 * The reason why a deny or ask rule does not count for an argument; it shields none below it then. A rule without a specifier
 * is about its tool: an ask does not reach further, and a deny yields to an allow rule that names the call's own tool. A rule
 * that cannot be evaluated counts for an argument that is certain, and for code with the first word of its commands.
 */
function overlooksFor(
  { text, at, isCertain }: NamedArgument,
  context: NamedContext,
): (step: SearchStep) => string | undefined {
  const { name } = context.request.profile;
  const hasFirstWord = firstWordIn(text);
  return ({ rule, match, request, isSpent }) => {
    if (rule.action === "allow" || match === "no") return undefined;
    if (rule.source.kind === "builtin") return "only written rules count for a call's arguments";
    // The call's own rules are tried on its first argument already.
    if (at === "" && matchGlob(rule.parsed.tool, name)) return "it counts for the call itself";
    if (rule.parsed.specifier === undefined && !reachesFurther(rule, context)) {
      return "it has no specifier, so it is about its own tool only";
    }
    if (match === "yes" || isCertain || isSpent) return undefined;
    return request.call.tool === "Bash" && hasFirstWord(rule)
      ? undefined
      : "it cannot be evaluated, and the argument may be of another kind";
  };
}

function reachesFurther(
  { action, parsed }: CompiledRule,
  { request: { profile }, allowing, rules }: NamedContext,
): boolean {
  if (action === "ask" || matchGlob(parsed.tool, profile.name)) return false;
  const allow = allowing === null ? undefined : rules.rules[allowing.index];
  // An answer lifts no deny, so it does not stop one here either.
  return allow === undefined || isAnswer(allow) || onlyText(allow.parsed.tool) !== profile.name;
}

/** True if a written rule denies or asks about an argument. */
function isObjection(
  { verdict, isSpent }: UnitResult,
  { text, isCertain }: NamedArgument,
): boolean {
  const { action, by, rule, kind } = verdict;
  if (rule === null || action === "allow") return false;
  if (by !== "safety" || isCertain || isSpent) return true;
  return (kind === "opaque" || kind === "command") && firstWordIn(text)(rule);
}

/** Tells whether a text has the first word of the command that a rule names. */
function firstWordIn(text: string): (rule: Rule) => boolean {
  let words: ReadonlySet<string> | undefined;
  return ({ pattern }) => {
    const word = /[\p{L}\p{N}_-]{2,}/u.exec(pattern.slice(pattern.search(/[:(]/)))?.[0];
    if (word === undefined) return false;
    return (words ??= new Set(text.split(/[^\p{L}\p{N}_-]+/u))).has(word);
  };
}

/** Each unit once: an argument may be read in two ways that come to the same. */
function once(results: readonly UnitResult[]): readonly UnitResult[] {
  if (results.length < 2) return results;
  const known = new Map<string, UnitResult>();
  for (const result of results) {
    const { kind, text, tool, rule, by } = result.verdict;
    const key = JSON.stringify([kind, text, tool, rule?.index, by]);
    if (!known.has(key)) known.set(key, result);
  }
  return [...known.values()];
}

/** The unit for an input that is not read whole: rules about what it names cannot be evaluated. */
function notRead({ rules, request }: EvalContext, tool: RuleTool): UnitResult {
  const toolRule = rules.writtenRules(tool).find(({ rule }) =>
    rule.action === "deny" || isAsking(rule)
  )!;
  const { rule } = toolRule;
  const reason =
    `the ${rule.action} rule \`${rule.pattern}\` cannot be evaluated: the input is too deep or too large`;
  return unitResult(
    { action: "ask", by: "safety", rule, toolRule, steps: [] },
    { request, unit: { text: request.call.tool, kind: "call", via: "its input" }, reason },
  );
}
