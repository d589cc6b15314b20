import { asksBySpecifier } from "../decide/precedence.ts";
import type { Decision, UnitDecision } from "../model/verdict.ts";
import { literalGlob, printGlob } from "../pattern/glob.ts";
import { printPathGlob } from "../pattern/path/path_glob.ts";
import { DEFAULT_PORTS } from "../pattern/url/call_url.ts";
import { checkPattern } from "../policy/compile/compile_policy.ts";
import type { Request } from "../policy/compile/request.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import type { Effect } from "../shell/effect.ts";
import type { PatternChoice, SuggestablePattern } from "./ask_groups.ts";
import { exactPattern } from "./call_pattern.ts";
import { isAnswerable, patternsFor } from "./suggest_rules.ts";

/**
 * The reason why no rule is suggested for a call: `refused`: a person refused it; `safety`: a safety check asks; `written`:
 * an ask rule with a specifier asks, on purpose; `managed`: a managed rule asks; `unknown`: its effects are unknown;
 * `no-pattern`: only a long exact text would match it.
 */
export type Closed = "refused" | "safety" | "written" | "managed" | "unknown" | "no-pattern";

/** All reasons, in the order in which they are reported. */
export const CLOSED: readonly Closed[] = [
  "refused",
  "safety",
  "written",
  "managed",
  "unknown",
  "no-pattern",
];

/** The rules that a call needs, or the reason why it gets none. */
export type AskedCall =
  | { readonly kind: "open"; readonly choices: readonly PatternChoice[] }
  | { readonly kind: "closed"; readonly why: Closed };

/** The longest first argument suggested as an exact pattern, in UTF-16 code units. */
const LONGEST = 80;

/** The rules that would answer a call; undefined if the decision is not to ask. */
export function askedCall(policy: CompiledPolicy, decision: Decision): AskedCall | undefined {
  if (decision.decision !== "ask") return undefined;
  const asking = decision.units.filter((unit) => unit.decision === "ask");
  const why = asking.map(closedBy).find((reason) => reason !== undefined);
  if (why !== undefined) return { kind: "closed", why };
  const choices = new Map<string, PatternChoice>();
  const about = { policy, decision, whole: policy.request(decision.verdict.call) };
  for (const unit of withoutCompanions(asking, about)) {
    const choice = choiceOf(unit, about);
    if (choice === undefined) return { kind: "closed", why: "no-pattern" };
    choices.set(choice.patterns.map(({ pattern }) => pattern).join("\n"), choice);
  }
  return { kind: "open", choices: [...choices].sort(byKey).map(([, choice]) => choice) };
}

/** True if a call is denied, or asks for a reason that no suggestion should answer. */
export function isOffLimits(policy: CompiledPolicy, decision: Decision): boolean {
  if (decision.decision === "allow") return false;
  const asked = askedCall(policy, decision);
  return asked === undefined || asked.kind === "closed" && asked.why !== "no-pattern";
}

function byKey(
  [one]: readonly [string, PatternChoice],
  [other]: readonly [string, PatternChoice],
): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function closedBy(unit: UnitDecision): Closed | undefined {
  const { kind, by, decidedBy, check, rule, path } = unit;
  if (check !== undefined) return "safety";
  if (path === "open" || path === "glob" || path === "below") return "unknown";
  if (by === "safety" || decidedBy === "safety") return kind === "opaque" ? "unknown" : "safety";
  if (rule?.source.kind === "managed") return "managed";
  if (asksBySpecifier(unit)) return "written";
  return isAnswerable(unit) ? undefined : "safety";
}

interface About {
  readonly policy: CompiledPolicy;
  readonly decision: Decision;
  /** The call of the decision. */
  readonly whole: Request;
}

/**
 * The units without those that need no rule next to another command, unless there are no others.
 */
function withoutCompanions(
  asking: readonly UnitDecision[],
  { whole: { line }, decision: { verdict } }: About,
): readonly UnitDecision[] {
  const effects = line?.effects ?? [];
  const others = asking.filter((unit) => {
    const own = effects.find((each) => isSame(each, unit));
    return own === undefined || own.isHarmless === false;
  });
  const isCovered = others.some(({ kind }) => kind === "command") ||
    verdict.units.some(({ kind, action, rule }) =>
      kind === "command" && action === "allow" && rule !== null
    );
  return isCovered ? others : asking;
}

function isSame(effect: Effect, { kind, text, via, depth }: UnitDecision): boolean {
  return effect.kind === kind && effect.text === text && effect.via === via &&
    effect.depth === depth;
}

/** The patterns that answer one unit; undefined if none does. */
function choiceOf(unit: UnitDecision, { policy, whole }: About): PatternChoice | undefined {
  const first = policy.profiles.get(unit.tool).firstArg?.[0];
  const request = unit.kind === "call" || first === undefined
    ? whole
    : whole.withTool(unit.tool, { [first]: unit.text });
  const { profile } = request;
  const isLine = unit.kind === "command" || unit.kind === "opaque";
  const found: readonly SuggestablePattern[] = isLine || profile.kind === "command"
    ? commandPatterns(patternsFor(unit, { policy, request: whole }), exactPattern(request))
    : request.first.state === "text" && profile.kind === "path"
    ? [
      ...kept(exactPattern(request), "file"),
      ...folderPatterns(request).map((pattern) => ({ pattern, kind: "folder" as const })),
    ]
    : request.first.state === "text" && profile.kind === "url"
    ? hostPatterns(request)
    : profile.name.startsWith("mcp__")
    ? [{ pattern: printGlob(literalGlob(profile.name)), kind: "tool" }]
    : patternsFor(unit, { policy, request: whole }).flatMap((pattern) => kept(pattern, "literal"));
  const { profiles } = policy;
  const unique = new Map(found.flatMap((each) => {
    const { error, warning } = checkPattern(each.pattern, { action: "allow", profiles });
    return error || warning !== undefined ? [] : [[each.pattern, each] as const];
  }));
  return unique.size === 0 ? undefined : { patterns: [...unique.values()] };
}

/**
 * The exact command if it is short, and the program with its sub-command if `narrowPattern` returns it.
 */
function commandPatterns(
  narrow: readonly string[],
  exact: string | undefined,
): readonly SuggestablePattern[] {
  const prefixes = narrow.filter((pattern) => pattern.endsWith(":*)"));
  const literals = narrow.filter((pattern) => !pattern.endsWith(":*)"));
  return [
    ...[exact, ...literals].flatMap((pattern) => kept(pattern, "literal")),
    ...prefixes.map((pattern) => ({ pattern, kind: "prefix" as const })),
  ];
}

/** Hosts that hand out a machine's credentials: link-local addresses, and names of cloud metadata services. */
const CREDENTIALS = /^(?:169\.254\.|\[fe[89ab]|\[fd00:ec2:|metadata\.|instance-data(?:\.|$))/;

function hostPatterns(
  request: ReturnType<CompiledPolicy["request"]>,
): readonly SuggestablePattern[] {
  if (request.first.state !== "text") return [];
  const url = request.url(request.first.text);
  if (!url.ok || url.host === "" || !/^https?$/.test(url.scheme)) return [];
  if (CREDENTIALS.test(url.host)) return [];
  const tool = printGlob(literalGlob(request.call.tool));
  const port = url.port === DEFAULT_PORTS[url.scheme] ? "" : `:${url.port}`;
  // Not "domain:", because the owners of its subdomains are unknown (`s3.amazonaws.com`, `github.io`).
  return [{ pattern: `${tool}:${url.scheme}://${url.host}${port}/*`, kind: "host" }];
}

/** The pattern if it is short enough to read and has no hidden characters. */
function kept(
  pattern: string | undefined,
  kind: "file" | "literal",
): readonly SuggestablePattern[] {
  if (pattern === undefined || pattern.length > LONGEST && kind === "literal") return [];
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(pattern) ? [] : [{ pattern, kind }];
}

/** The most folders above a file to suggest: a deeper one is narrow enough. */
const MOST = 12;

/**
 * Patterns for the folders around a call's file, the narrowest first: `Edit:src/a/**`, `Edit:src/**`. Never the whole
 * workspace; empty for a file at its top or outside of it, and if a link gives the file two names.
 */
function folderPatterns(request: Request): readonly string[] {
  const { first, profile } = request;
  if (profile.kind !== "path" || first.state !== "text") return [];
  const path = request.path(first.text);
  if (!path.ok) return [];
  const names = new Set(path.forms.map(({ workspace }) => workspace));
  const [name] = names;
  if (names.size !== 1 || name === undefined) return [];
  const folders = name.split("/").slice(0, -1);
  const tool = printGlob(literalGlob(request.call.tool));
  return folders.map((_, at) => `${tool}:${folderGlob(folders.slice(0, folders.length - at))}`)
    .slice(0, MOST);
}

function folderGlob(folders: readonly string[]): string {
  const text = `${printPathGlob([{ kind: "text", text: folders.join("/") }])}/**`;
  // Other beginnings of a pattern have a meaning: `~`, `!`, a key and `=`.
  return /^[\w.][\w.-]*\//.test(text) ? text : `./${text}`;
}
