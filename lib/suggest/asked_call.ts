import { asksBySpec } from "../decide/modes/asks_by_spec.ts";
import type { Decision, UnitDecision } from "../model/decision.ts";
import { literalGlob, printGlob } from "../pattern/glob.ts";
import { printPathGlob } from "../pattern/path/path_glob.ts";
import { OWN_PORTS } from "../pattern/url/url_facts.ts";
import { checkPattern } from "../policy/compile/compile_policy.ts";
import type { Request } from "../policy/compile/facts.ts";
import type { Policy } from "../policy/compile/policy.ts";
import type { Effect } from "../shell/unit.ts";
import type { Candidate, Need } from "./candidate.ts";
import { exactPattern } from "./exact_pattern.ts";
import { isAnswerable, patternsFor } from "./suggest_rules.ts";

/**
 * Why no rule is suggested for a call: `refused`: a person said no to it; `safety`: a safety check asks; `written`: an ask rule with a spec does, so that
 * somebody wanted to be asked; `managed`: a managed rule does; `unknown`: what it does cannot be known; `no-pattern`: only a
 * long text to the letter would fit it.
 */
export type Closed = "refused" | "safety" | "written" | "managed" | "unknown" | "no-pattern";

/** All reasons, in the order in which they are told. */
export const CLOSED: readonly Closed[] = [
  "refused",
  "safety",
  "written",
  "managed",
  "unknown",
  "no-pattern",
];

/** What a call that is asked about would need. */
export type AskedCall =
  | { readonly kind: "open"; readonly needs: readonly Need[] }
  | { readonly kind: "closed"; readonly why: Closed };

/** A longer first argument to the letter is not suggested, in UTF-16 code units. */
const LONGEST = 80;

/** What would answer a call; undefined when it is not asked about. */
export function askedCall(policy: Policy, decision: Decision): AskedCall | undefined {
  if (decision.decision !== "ask") return undefined;
  const asking = decision.units.filter((unit) => unit.decision === "ask");
  const why = asking.map(closedBy).find((reason) => reason !== undefined);
  if (why !== undefined) return { kind: "closed", why };
  const needs = new Map<string, Need>();
  for (const unit of withoutCompanions(asking, { policy, decision })) {
    const need = needOf(unit, { policy, decision });
    if (need === undefined) return { kind: "closed", why: "no-pattern" };
    needs.set(need.candidates.map(({ pattern }) => pattern).join("\n"), need);
  }
  return { kind: "open", needs: [...needs].sort(byKey).map(([, need]) => need) };
}

/** Whether a call is denied, or asked about by what no suggestion should answer. */
export function isOffLimits(policy: Policy, decision: Decision): boolean {
  if (decision.decision === "allow") return false;
  const asked = askedCall(policy, decision);
  return asked === undefined || asked.kind === "closed" && asked.why !== "no-pattern";
}

function byKey([one]: readonly [string, Need], [other]: readonly [string, Need]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function closedBy(unit: UnitDecision): Closed | undefined {
  const { kind, by, decidedBy, check, rule, path } = unit;
  if (check !== undefined) return "safety";
  if (path === "open" || path === "glob") return "unknown";
  if (by === "safety" || decidedBy === "safety") return kind === "opaque" ? "unknown" : "safety";
  if (rule?.source.kind === "managed") return "managed";
  if (asksBySpec(unit)) return "written";
  return isAnswerable(unit) ? undefined : "safety";
}

interface About {
  readonly policy: Policy;
  readonly decision: Decision;
}

/** The units without those that need no rule of their own beside another command, unless there are no others. */
function withoutCompanions(
  asking: readonly UnitDecision[],
  { policy, decision: { verdict } }: About,
): readonly UnitDecision[] {
  const effects = policy.line(policy.request(verdict.call))?.units ?? [];
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

/** What answers one unit; undefined where no pattern does. */
function needOf(unit: UnitDecision, { policy, decision }: About): Need | undefined {
  const { call } = decision.verdict;
  const first = policy.profiles.get(unit.tool).firstArg?.[0];
  const own = unit.kind === "call" || first === undefined
    ? call
    : { ...call, tool: unit.tool, input: { [first]: unit.text } };
  const request = policy.request(own);
  const { profile } = request;
  const isLine = unit.kind === "command" || unit.kind === "opaque";
  const found: readonly Candidate[] = isLine || profile.kind === "command"
    ? commandCandidates(patternsFor(unit, { policy, call }), exactPattern(request))
    : request.first.state === "text" && profile.kind === "path"
    ? [
      ...kept(exactPattern(request), "file"),
      ...folderPatterns(request).map((pattern) => ({ pattern, kind: "folder" as const })),
    ]
    : request.first.state === "text" && profile.kind === "url"
    ? hostCandidates(request)
    : own.tool.startsWith("mcp__")
    ? [{ pattern: printGlob(literalGlob(own.tool)), kind: "tool" }]
    : patternsFor(unit, { policy, call }).flatMap((pattern) => kept(pattern, "literal"));
  const { profiles } = policy;
  const unique = new Map(found.flatMap((each) => {
    const { error, warning } = checkPattern(each.pattern, { action: "allow", profiles });
    return error || warning !== undefined ? [] : [[each.pattern, each] as const];
  }));
  return unique.size === 0 ? undefined : { candidates: [...unique.values()] };
}

/** Commands: to the letter where that is short, and by program and sub-command where `narrowPattern` says so. */
function commandCandidates(
  narrow: readonly string[],
  exact: string | undefined,
): readonly Candidate[] {
  const prefixes = narrow.filter((pattern) => pattern.endsWith(":*)"));
  const literals = narrow.filter((pattern) => !pattern.endsWith(":*)"));
  return [
    ...[exact, ...literals].flatMap((pattern) => kept(pattern, "literal")),
    ...prefixes.map((pattern) => ({ pattern, kind: "prefix" as const })),
  ];
}

/** Hosts that hand out a machine's credentials: link-local addresses, and names of cloud metadata services. */
const CREDENTIALS = /^(?:169\.254\.|\[fe[89ab]|\[fd00:ec2:|metadata\.|instance-data(?:\.|$))/;

function hostCandidates(request: ReturnType<Policy["request"]>): readonly Candidate[] {
  if (request.first.state !== "text") return [];
  const url = request.url(request.first.text);
  if (!url.ok || url.host === "" || !/^https?$/.test(url.scheme)) return [];
  if (CREDENTIALS.test(url.host)) return [];
  const tool = printGlob(literalGlob(request.call.tool));
  const port = url.port === OWN_PORTS[url.scheme] ? "" : `:${url.port}`;
  // Not "domain:", for whose the subdomains are is not known (`s3.amazonaws.com`, `github.io`).
  return [{ pattern: `${tool}:${url.scheme}://${url.host}${port}/*`, kind: "host" }];
}

/** A pattern that is short enough to be read, and holds nothing hidden. */
function kept(pattern: string | undefined, kind: "file" | "literal"): readonly Candidate[] {
  if (pattern === undefined || pattern.length > LONGEST && kind === "literal") return [];
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(pattern) ? [] : [{ pattern, kind }];
}

/** More folders above a file than these are not looked at: a deeper one is narrow enough. */
const MOST = 12;

/**
 * Patterns for the folders that a call's file stands in, the narrowest first: `Edit:src/a/**`, `Edit:src/**`. Never the
 * whole workspace; empty for a file at its top or outside of it, and where a link gives it two names.
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
  // What else a pattern could begin with has a meaning of its own: `~`, `!`, a key and `=`.
  return /^[\w.][\w.-]*\//.test(text) ? text : `./${text}`;
}
