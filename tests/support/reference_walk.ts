import { type Action, strictestOf } from "../../lib/model/action.ts";
import type { ToolCall } from "../../lib/model/call.ts";
import type { Match } from "../../lib/model/match.ts";
import type { UnitVerdict, VerdictBy } from "../../lib/model/verdict.ts";
import { isInside } from "../../lib/pattern/path_facts.ts";
import { filePathOf } from "../../lib/pattern/url_facts.ts";
import { couldName } from "../../lib/policy/could_name.ts";
import type { Policy } from "../../lib/policy/policy.ts";
import type { CompiledRule, Entry } from "../../lib/policy/rule_table.ts";
import type { CommandLine, Unit } from "../../lib/shell/unit.ts";
import type { Facts } from "../../lib/tools/facts.ts";

/** How a walk ends, and at which rule. */
export interface ReferenceEnd {
  /** What it says. */
  readonly action: Action;
  /** Who says it. */
  readonly by: VerdictBy;
  /** The rule's index; undefined when none fits. */
  readonly index: number | undefined;
}

/** What is judged by itself, and how its walk ends. */
export interface ReferenceUnit extends ReferenceEnd {
  /** What it is. */
  readonly kind: UnitVerdict["kind"];
  /** Its text. */
  readonly text: string;
}

/** What one rule says of something. */
interface Said {
  readonly rule: CompiledRule;
  readonly match: Match;
}

/** A verdict as SPEC 3 to 5 tell it, over the list of all rules, without an index. */
export function referenceVerdict(policy: Policy, call: ToolCall): readonly ReferenceUnit[] {
  const facts = policy.facts(call);
  const line = policy.line(facts);
  if (line) return referenceLine(policy, { facts, line });
  const { first } = facts;
  const text = first.state === "text" ? first.text : call.tool;
  const whole = { kind: "call", text, ...referenceWalk(policy, facts) } as const;
  const file = first.state === "text" && facts.profile.kind === "url"
    ? filePathOf(facts.url(first.text))
    : undefined;
  if (file === undefined) return [whole];
  const read = policy.facts({ ...call, tool: "Read", input: { path: file } });
  return [whole, { kind: "read", text: file, ...referenceWalk(policy, read) }];
}

/** The strictest of several ends, the first among equals. */
export function strictestEnd<T extends ReferenceEnd>(ends: readonly T[]): T {
  return strictestOf(ends, (end) => end);
}

/** The walk over all rules that speak of the tool: of a whole call, or of one unit of its line. */
export function referenceWalk(policy: Policy, facts: Facts): ReferenceEnd {
  return endOf(saidBy(policy.entries(facts.profile.name), facts));
}

function saidBy(entries: readonly Entry[], facts: Facts): readonly Said[] {
  return entries.map(({ rule, matches }) => ({ rule, match: matches(facts) }));
}

function endOf(rules: readonly Said[]): ReferenceEnd {
  const answers = ({ action, source: { kind } }: CompiledRule) =>
    action === "allow" && (kind === "session" || kind === "command");
  const decider = rules.find(({ rule, match }) => match === "yes" && !answers(rule))?.rule;
  const before = rules.filter(({ rule }) => decider === undefined || rule.index < decider.index);
  const raised = before.findIndex(({ rule, match }) =>
    match === "unknown" && rule.action !== "allow"
  );
  const answer = before.find(({ rule, match }) => match === "yes" && answers(rule));
  const action = decider?.action ?? "ask";
  if (action === "deny") return { action, by: "rule", index: decider!.index };
  if (raised >= 0) return { action: "ask", by: "safety", index: before[raised]!.rule.index };
  if (action === "ask" && answer) return { action: "allow", by: "rule", index: answer.rule.index };
  return { action, by: "rule", index: decider?.index };
}

interface Lined {
  readonly facts: Facts;
  readonly line: CommandLine;
}

/** Every unit of a line; what nobody guards is left out. */
function referenceLine(policy: Policy, { facts, line }: Lined): readonly ReferenceUnit[] {
  const ends = line.units.flatMap((unit) => {
    const end = endOfUnit(policy, { unit, facts: facts.of({ unit, line }) });
    return end === undefined ? [] : [{ unit, end }];
  });
  const covered = ends.some(({ unit, end }) =>
    unit.kind === "command" && end.action === "allow" && end.index !== undefined
  );
  return ends.map(({ unit, end }) => {
    const { kind, text } = unit;
    const about = facts.of({ unit, line });
    if (!covered || end.action !== "ask" || end.by === "safety" || !isCompanion(unit, about)) {
      return { kind, text, ...end };
    }
    // Only deny rules, and ask rules with a spec, see it.
    const seen = saidBy(policy.entries(facts.profile.name), about).filter(({ rule }) =>
      rule.action !== "ask" || rule.parsed.spec !== undefined
    );
    const again = endOf(seen);
    return { kind, text, ...again, ...(again.index === undefined ? ALLOWED : {}) };
  });
}

const ALLOWED = { action: "allow", by: "rule" } as const;

function isCompanion({ companion }: Unit, facts: Facts): boolean {
  return typeof companion === "boolean"
    ? companion
    : companion.folders.every((folder) => isInside(facts.path(folder)));
}

interface Judged {
  readonly unit: Unit;
  readonly facts: Facts;
}

function endOfUnit(policy: Policy, { unit, facts }: Judged): ReferenceEnd | undefined {
  switch (unit.kind) {
    case "command":
      return referenceWalk(policy, facts);
    case "opaque":
      return unread(
        unit,
        unit.opens === undefined
          ? referenceWalk(policy, facts)
          : endOf(inOrder(policy, unknownFile(policy, { unit, facts }))),
      );
    case "read":
    case "write":
    case "url":
      return unit.judged === "own"
        ? endOf(inOrder(policy, ownFile(policy, { unit, facts })))
        : guardedEnd(policy, { unit, facts });
  }
}

/** What cannot be known is no question that a mode answers; a script of a program whose trade is running it is one. */
function unread(unit: Unit, end: ReferenceEnd): ReferenceEnd {
  const isTrade = unit.quiet || unit.covers.some(({ trade }) => trade !== undefined);
  return end.action === "ask" && !isTrade ? { ...end, by: "safety" } : end;
}

/** What is said by index, as a list over the whole policy. */
function inOrder(policy: Policy, said: ReadonlyMap<number, Match>): readonly Said[] {
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

function fileFacts(policy: Policy, { unit, facts }: Judged): Facts {
  const { tool, field } = TOOLS[unit.kind as keyof typeof TOOLS];
  return policy.facts({ ...facts.call, tool, input: { [field]: unit.text } });
}

/** A redirection: the rules of Write or Read, and in their places the allow rules of the line that cover it. */
function ownFile(policy: Policy, { unit, facts }: Judged): ReadonlyMap<number, Match> {
  const file = fileFacts(policy, { unit, facts });
  const said = new Map<number, Match>();
  for (const { rule, match } of saidBy(policy.entries(file.profile.name), file)) {
    said.set(rule.index, match);
  }
  for (const { rule, match } of saidBy(policy.entries(facts.profile.name), facts)) {
    if (rule.action === "allow" && match === "yes") said.set(rule.index, "yes");
  }
  return said;
}

/** A redirection to a file that is not fixed: a rule with a spec about such files cannot be evaluated. */
function unknownFile(policy: Policy, { unit, facts }: Judged): ReadonlyMap<number, Match> {
  const said = new Map<number, Match>();
  for (const { rule, spec } of unit.opens!.flatMap((kind) => policy.entries(TOOLS[kind].tool))) {
    if (rule.action === "allow" || spec === undefined) continue;
    said.set(rule.index, spec.kind === "any" ? "yes" : "unknown");
  }
  for (const { rule, match } of saidBy(policy.entries(facts.profile.name), facts)) {
    said.set(rule.index, match);
  }
  return said;
}

/** An operand: only rules that people wrote are asked, and only where one denies or asks about such things at all. */
function guardedEnd(policy: Policy, { unit, facts }: Judged): ReferenceEnd | undefined {
  const file = fileFacts(policy, { unit, facts });
  const written = policy.entries(file.profile.name)
    .filter(({ rule }) => rule.source.kind !== "builtin");
  if (!written.some(({ rule, spec }) => rule.action !== "allow" && spec !== undefined)) {
    return undefined;
  }
  if (unit.path === "open") return { action: "ask", by: "rule", index: undefined };
  const end = endOf(
    unit.path === "glob"
      ? written.map((entry) => ({ rule: entry.rule, match: globMatch(entry, unit.text, file) }))
      : saidBy(written, file),
  );
  return end.index === undefined ? { ...ALLOWED, index: undefined } : end;
}

/** A file name glob: an allow rule does not cover it, a rule about a file that it may name cannot be evaluated. */
function globMatch({ rule, spec, reading }: Entry, glob: string, facts: Facts): Match {
  if (spec === undefined) return "no";
  if (spec.kind === "any") return "yes";
  if (rule.action === "allow") return "no";
  return couldName(glob, { spec, facts, context: reading?.context }) ? "unknown" : "no";
}
