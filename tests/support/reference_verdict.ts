import type { Action, ToolCall } from "../../lib/model/call.ts";
import type { Match, UnitVerdict, VerdictBy } from "../../lib/model/verdict.ts";
import { isInside } from "../../lib/pattern/path/call_path.ts";
import { filePathOf } from "../../lib/pattern/url/call_url.ts";
import { globMayName } from "../../lib/policy/compile/glob_may_name.ts";
import type {
  CompiledPolicy,
  CompiledRule,
  ToolRule,
} from "../../lib/policy/compile/compiled_policy.ts";
import { matchGlob, onlyText } from "../../lib/pattern/glob.ts";
import {
  furtherPaths,
  type NamedArgument,
  namedArguments,
} from "../../lib/decide/named_arguments.ts";
import { DEFAULT_TOOLS } from "../../lib/policy/compile/profiles.ts";
import type { CommandLine, Effect } from "../../lib/shell/effect.ts";
import type { Request } from "../../lib/policy/compile/request.ts";

/** The end of a walk, and the rule that ended it. */
export interface ReferenceEnd {
  /** The action that it came to. */
  readonly action: Action;
  /** The part that decided. */
  readonly by: VerdictBy;
  /** The rule's index; undefined when none matches. */
  readonly index: number | undefined;
}

/** A unit of the call, and the end of its walk. */
export interface ReferenceUnit extends ReferenceEnd {
  /** The kind of the unit. */
  readonly kind: UnitVerdict["kind"];
  /** Its text. */
  readonly text: string;
}

/** The answer of one rule. */
interface Said {
  readonly rule: CompiledRule;
  readonly match: Match;
}

/** The rules of a policy, all of them or those that count for an argument. */
type Rules = Pick<CompiledPolicy, "rules" | "request" | "toolRules">;

/** A verdict as SPEC 3 to 5 tell it, over the list of all rules, without an index. */
export function referenceVerdict(policy: Rules, call: ToolCall): readonly ReferenceUnit[] {
  const own = ownUnits(policy, call);
  return [...own, ...namedUnits(policy, { request: policy.request(call), own })];
}

/** The files, URLs and commands of other arguments that a written rule denies or asks about, each once. */
function namedUnits(
  policy: Rules,
  { request, own }: { request: Request; own: readonly ReferenceUnit[] },
): readonly ReferenceUnit[] {
  const end = strictestEnd(own);
  const allowing = end.action === "allow"
    ? own.find(({ index }) => index !== undefined)?.index
    : undefined;
  const literalName = allowing === undefined || answers(policy.rules[allowing]!)
    ? undefined
    : onlyText(policy.rules[allowing]!.parsed.tool);
  const { first, profile } = request;
  const isShared = ["Bash", "WebFetch"].includes(profile.name) || profile.kind === "text" ||
    profile.kind === "path" && (profile.class === "read" || profile.class === "edit");
  const named: readonly NamedArgument[] = [
    ...(first.state === "text" && !isShared
      ? [
        {
          kind: profile.kind === "path" ? "file" : profile.kind as "command" | "url",
          text: first.text,
          at: "",
          isCertain: true,
        } as const,
      ]
      : []),
    ...furtherFiles(request),
    ...namedArguments(request.call.input, profile).named,
  ];
  const found = named.flatMap(({ kind, text, at, isCertain, folder }) => {
    const counts = ({ action, parsed, source }: CompiledRule) => {
      if (action === "allow") return true;
      const isOwn = matchGlob(parsed.tool, profile.name);
      if (source.kind === "builtin" || at === "" && isOwn) return false;
      return parsed.specifier !== undefined ||
        action === "deny" && !isOwn && literalName !== profile.name;
    };
    const others: Rules = {
      rules: policy.rules,
      request: (call) => policy.request(call),
      toolRules: (tool) => policy.toolRules(tool).filter(({ rule }) => counts(rule)),
    };
    return unitsOf(others, { request, kind, text, isCertain, folder }).filter((
      { action, by, index },
    ) => index !== undefined && action !== "allow" && (by !== "safety" || isCertain));
  });
  const known = new Map(
    found.map((unit) => [JSON.stringify([unit.kind, unit.text, unit.index, unit.by]), unit]),
  );
  return [...known.values()];
}

/** The files that a first argument names besides: in another spelling, of a tool that is not known to take it as it is written. */
function furtherFiles({ first, profile }: Request): readonly NamedArgument[] {
  const { kind, name } = profile;
  const mayName = kind === "url" || kind === "path" && !DEFAULT_TOOLS.has(name);
  if (first.state !== "text" || !mayName || kind === "url" && /^file:/i.test(first.text)) return [];
  const at = profile.firstArg?.[0] ?? "";
  return furtherPaths(first.text).map((text) => ({ kind: "file", text, at, isCertain: false }));
}

/** The units of one argument: a file that is read and written, a URL, or a line of Bash. */
function unitsOf(
  policy: Rules,
  { request, kind, text, isCertain, folder }:
    & { request: Request; folder: string | undefined }
    & Omit<NamedArgument, "at" | "folder">,
): readonly ReferenceUnit[] {
  if (kind === "command") {
    const input = { command: text, ...(folder === undefined ? {} : { cwd: folder }) };
    return ownUnits(policy, { ...request.call, tool: "Bash", input })
      .map((unit) => ({ ...unit, kind: unit.kind === "call" ? "command" : unit.kind }));
  }
  const paths = kind === "file" && /[*?[{]/.test(text) ? ["fixed", "glob"] : ["fixed"];
  return (kind === "url" ? ["url"] as const : ["read", "write"] as const).flatMap((each) =>
    paths.flatMap((path) => {
      const effect = { kind: each, text, path } as Effect;
      const end = guardedEnd(policy, { unit: effect, facts: request, isCertain });
      return end === undefined ? [] : [{ kind: each, text, ...end }];
    })
  );
}

/** The units of the call by its own rules. */
function ownUnits(policy: Rules, call: ToolCall): readonly ReferenceUnit[] {
  const request = policy.request(call);
  const line = request.line;
  if (line) return referenceLine(policy, { facts: request, line });
  const { first } = request;
  const text = first.state === "text" ? first.text : call.tool;
  const whole = { kind: "call", text, ...referenceWalk(policy, request) } as const;
  const file = first.state === "text" && request.profile.kind === "url"
    ? filePathOf(request.url(first.text))
    : undefined;
  if (file === undefined) return [whole];
  const read = policy.request({ ...call, tool: "Read", input: { path: file } });
  return [whole, { kind: "read", text: file, ...referenceWalk(policy, read) }];
}

const ORDER: readonly Action[] = ["deny", "ask", "allow"];

/** The strictest of several ends, the first among equals. */
export function strictestEnd<T extends ReferenceEnd>(ends: readonly T[]): T {
  const rank = ({ action, by }: T) => `${ORDER.indexOf(action)}${by === "safety" ? "a" : "b"}`;
  return ends.toSorted((a, b) => rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0)[0]!;
}

/** The walk over all rules that speak of the tool: of a whole call, or of one unit of its line. */
export function referenceWalk(policy: Rules, request: Request): ReferenceEnd {
  return endOf(saidBy(policy.toolRules(request.profile.name), request));
}

function saidBy(toolRules: readonly ToolRule[], request: Request): readonly Said[] {
  return toolRules.map(({ rule, matches }) => ({ rule, match: matches(request) }));
}

/** True for an allow that answers questions and lifts no deny. */
function answers({ action, source: { kind } }: CompiledRule): boolean {
  return action === "allow" && (kind === "session" || kind === "command");
}

function endOf(rules: readonly Said[]): ReferenceEnd {
  const decider = rules.find(({ rule, match }) => match === "yes" && !answers(rule))?.rule;
  const before = rules.filter(({ rule }) => decider === undefined || rule.index < decider.index);
  const raised = before.findIndex(({ rule, match }) =>
    match === "indeterminate" && rule.action !== "allow"
  );
  const answer = before.find(({ rule, match }) => match === "yes" && answers(rule));
  const action = decider?.action ?? "ask";
  if (action === "deny") return { action, by: "rule", index: decider!.index };
  if (raised >= 0) return { action: "ask", by: "safety", index: before[raised]!.rule.index };
  if (action === "ask" && answer) return { action: "allow", by: "rule", index: answer.rule.index };
  return { action, by: "rule", index: decider?.index };
}

interface Lined {
  readonly facts: Request;
  readonly line: CommandLine;
}

/** Every unit of a line; what nobody guards is left out. */
function referenceLine(
  policy: Rules,
  { facts: request, line }: Lined,
): readonly ReferenceUnit[] {
  const effects = line.effects.map((effect) => inRepository(effect, request));
  const ends = effects.flatMap((effect) => {
    const end = endOfUnit(policy, { unit: effect, facts: request.of({ effect, line }) });
    return end === undefined ? [] : [{ unit: effect, end }];
  });
  // Companions stand beside a command that a rule allows, or a file that a written rule lets it read.
  const covered = ends.some(({ unit: effect, end }) =>
    end.action === "allow" && end.index !== undefined &&
    (effect.kind === "command" ||
      effect.kind === "read" && policy.rules[end.index]!.source.kind !== "builtin")
  );
  const isIdle = ends.some(({ unit: { runsNothing } }) => runsNothing === true);
  return ends.map(({ unit: effect, end }) => {
    const { kind, text } = effect;
    const about = request.of({ effect, line });
    const alone = !covered &&
      (effect.runsNothing === true || isIdle && effect.printsWords === true);
    if (
      !covered && !alone || end.action !== "ask" || end.by === "safety" ||
      !isCompanion(effect, about)
    ) {
      return { kind, text, ...end };
    }
    // Only deny rules, and ask rules with a spec, see it; alone, any ask rule that people wrote.
    const seen = saidBy(policy.toolRules(request.profile.name), about).filter(({ rule }) =>
      rule.action !== "ask" || rule.parsed.specifier !== undefined ||
      alone && rule.source.kind !== "builtin"
    );
    const again = endOf(seen);
    return { kind, text, ...again, ...(again.index === undefined ? ALLOWED : {}) };
  });
}

/** A program that takes its configuration from a repository of others runs what that names, which cannot be known. */
function inRepository(effect: Effect, request: Request): Effect {
  const { repository: used, name: _, ...rest } = effect;
  if (used === undefined) return effect;
  const kinds = used.folders.map((folder) => request.repository(folder));
  const isForeign = used.open || kinds.includes("foreign") ||
    used.mayBeMade && kinds.includes("above") ||
    request.looksForRepositories &&
      used.remotes.some((remote) => request.repository(remote) === "foreign");
  if (!isForeign) return effect;
  const { allowTexts } = used;
  const isRelative = used.folders.includes("") && allowTexts.length === 0;
  const unknown = { ...rest, kind: "opaque", isHarmless: false, allowTexts } as const;
  return isRelative ? { ...unknown, dependsOnFolder: true } : unknown;
}

const ALLOWED = { action: "allow", by: "rule" } as const;

function isCompanion({ isHarmless }: Effect, request: Request): boolean {
  return typeof isHarmless === "boolean"
    ? isHarmless
    : isHarmless.folders.every((folder) => isInside(request.path(folder)));
}

interface Judged {
  readonly unit: Effect;
  readonly facts: Request;
}

function endOfUnit(
  policy: Rules,
  { unit: effect, facts: request }: Judged,
): ReferenceEnd | undefined {
  switch (effect.kind) {
    case "command":
      return referenceWalk(policy, request);
    case "opaque":
      return unread(
        effect,
        effect.unknownFileAccess === undefined
          ? referenceWalk(policy, request)
          : endOf(inOrder(policy, unknownFile(policy, { unit: effect, facts: request }))),
      );
    case "read":
    case "write":
    case "url":
      return effect.checkedAgainst === "allRules"
        ? openedEnd(policy, { unit: effect, facts: request })
        : guardedEnd(policy, { unit: effect, facts: request });
  }
}

/** An ask about the unknown is a safety check, but for a script of a program whose trade is running it. */
function unread(effect: Effect, end: ReferenceEnd): ReferenceEnd {
  const isTrade = effect.isOrdinaryScript ||
    effect.allowTexts.some(({ interpreter }) => interpreter !== undefined);
  return end.action === "ask" && !isTrade ? { ...end, by: "safety" } : end;
}

/** The answers by index, as a list in the order of the policy's rules. */
function inOrder(policy: Rules, said: ReadonlyMap<number, Match>): readonly Said[] {
  return policy.rules.flatMap((rule) => {
    const match = said.get(rule.index);
    return match === undefined ? [] : [{ rule, match }];
  });
}

const TOOLS = {
  read: { tool: "Read", field: "path" },
  write: { tool: "Write", field: "path" },
  url: { tool: "WebFetch", field: "url" },
} as const;

function fileFacts(policy: Rules, { unit: effect, facts: request }: Judged): Request {
  const { tool, field } = TOOLS[effect.kind as keyof typeof TOOLS];
  return policy.request({ ...request.call, tool, input: { [field]: effect.text } });
}

/** True for a file that an earlier command of the line may have made a link, so that its path says nothing of where it leads. */
function mayBeLinked({ behind = [], text, path }: Effect, request: Request): boolean {
  const rootsOf = (written: string) => {
    const found = request.path(written === "" ? "." : written);
    return found.ok ? found.forms : undefined;
  };
  const files = rootsOf(path === "glob" ? text.replace(/[*?[\\{].*$/s, "") : text);
  return behind.some((changed) => {
    const folders = rootsOf(changed.path);
    if (!files || !folders) return true;
    if (changed.isTree) {
      // The files of a folder outside of the workspace, whichever these are; else those of the workspace.
      return folders.some(({ workspace }) => workspace === undefined) ||
        files.some(({ workspace }) => workspace !== undefined);
    }
    return folders.some(({ root }) =>
      files.some((file) => `${file.root}/`.startsWith(root && `${root}/`))
    );
  });
}

/** A question about a file that may be another one is none that a mode answers. */
function openedEnd(policy: Rules, judged: Judged): ReferenceEnd {
  const end = endOf(inOrder(policy, ownFile(policy, judged)));
  const isUnsure = end.action === "ask" && mayBeLinked(judged.unit, judged.facts);
  return isUnsure ? { ...end, by: "safety" } : end;
}

/** A redirection: the rules of Write or Read, and in their places the allow rules of the line that cover it. */
function ownFile(
  policy: Rules,
  { unit: effect, facts: request }: Judged,
): ReadonlyMap<number, Match> {
  const file = fileFacts(policy, { unit: effect, facts: request });
  const isLinked = mayBeLinked(effect, request);
  const said = new Map<number, Match>();
  for (const { rule, match } of saidBy(policy.toolRules(file.profile.name), file)) {
    const isBare = rule.parsed.specifier === undefined || rule.parsed.specifier === "*";
    if (!isLinked || isBare) said.set(rule.index, match);
    else if (rule.action === "allow") said.set(rule.index, "no");
    else if (rule.source.kind === "builtin" || match === "yes") said.set(rule.index, match);
    else said.set(rule.index, "indeterminate");
  }
  const line = request.part?.line.text;
  for (const toolRule of policy.toolRules(request.profile.name)) {
    const { rule, specifier } = toolRule;
    const isLine = specifier?.kind === "argument" && specifier.test.kind === "command" &&
      specifier.test.anchor === "whole" && onlyText(specifier.test.glob) === line;
    if (isLinked && specifier?.kind !== "any" && !isLine) continue;
    if (rule.action === "allow" && toolRule.matches(request) === "yes") said.set(rule.index, "yes");
  }
  return said;
}

/** A redirection to a file that is not fixed: a rule with a spec about such files cannot be evaluated. */
function unknownFile(
  policy: Rules,
  { unit: effect, facts: request }: Judged,
): ReadonlyMap<number, Match> {
  const said = new Map<number, Match>();
  for (
    const { rule, specifier } of effect.unknownFileAccess!.flatMap((kind) =>
      policy.toolRules(TOOLS[kind].tool)
    )
  ) {
    if (rule.action === "allow" || specifier === undefined) continue;
    said.set(rule.index, specifier.kind === "any" ? "yes" : "indeterminate");
  }
  for (const { rule, match } of saidBy(policy.toolRules(request.profile.name), request)) {
    said.set(rule.index, match);
  }
  return said;
}

/**
 * An operand: only rules that people wrote are asked, and only where one denies or asks about such things at all. What may be
 * of another kind is not held to rules that cannot be evaluated.
 */
function guardedEnd(
  policy: Rules,
  { unit: effect, facts: request, isCertain = true }: Judged & { readonly isCertain?: boolean },
): ReferenceEnd | undefined {
  const file = fileFacts(policy, { unit: effect, facts: request });
  const written = policy.toolRules(file.profile.name)
    .filter(({ rule }) => rule.source.kind !== "builtin");
  if (!written.some(({ rule, specifier }) => rule.action !== "allow" && specifier !== undefined)) {
    return undefined;
  }
  if (effect.path === "open") return { action: "ask", by: "rule", index: undefined };
  const said = effect.path === "glob"
    ? written.map((toolRule) => ({
      rule: toolRule.rule,
      match: globMatch(toolRule, effect.text, file),
    }))
    : saidBy(written, file);
  const end = endOf(said.filter(({ match }) => isCertain || match !== "indeterminate"));
  if (end.index !== undefined && end.action !== "allow") return end;
  if (mayBeLinked(effect, request)) return { action: "ask", by: "rule", index: undefined };
  return end.index === undefined ? { ...ALLOWED, index: undefined } : end;
}

/** A file name glob: an allow rule does not cover it, a rule about a file that it may name cannot be evaluated. */
function globMatch(
  { rule, specifier, readAs }: ToolRule,
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
