import type { ToolCall } from "../model/call.ts";
import type { CompiledRule } from "../policy/compile/rule_table.ts";
import type { Precision, Reachability } from "./analysis.ts";
import { comparesTexts, coversAlways, narrowest, precisionOf, speaksPlainly } from "./extent.ts";
import { type Budget, findWord } from "./automata/find_words.ts";
import { instances } from "./languages/instances.ts";
import { leastWord } from "./automata/least_word.ts";
import { smallestCover } from "./smallest_cover.ts";
import { isDecided } from "./replay.ts";
import type { RuleSpace } from "./rule_space.ts";
import { findCall } from "./automata/search.ts";
import type { State } from "./automata/state.ts";
import type { ToolCalls, ToolEntry } from "./languages/tool_calls.ts";

/** Whether the rule ever decides. */
export function reachOf(rule: CompiledRule, space: RuleSpace): Reachability {
  const blocked = notAsked(rule, space);
  if (blocked !== undefined) return { kind: "unknown", why: blocked };
  const budget = space.budget();
  const always = space.alikeOrBare(rule).find((earlier) => coversAlways(earlier, { rule, space }));
  if (always) return alwaysShadowed(rule, { always, space, budget });
  const all = space.toolsOf(rule).map((tool) => reachOfTool(rule, { tool, space, budget }));
  const reached = all.find(({ kind }) => kind === "reached");
  if (reached?.kind === "reached") return reached;
  const tried = instances(rule, space).find((call) => decides(call, { rule, space }));
  if (tried) return { kind: "reached", witness: tried };
  const unknown = all.find(({ kind }) => kind === "unknown");
  if (unknown?.kind === "unknown") return unknown;
  if (!space.complete) return { kind: "unknown", why: TOO_MANY };
  const shadowed = all.filter((each) => each.kind === "shadowed");
  if (shadowed.length === 0) {
    // Where nothing is known of what it compares, it fits nothing, and yet makes a question of every call.
    return space.toolsOf(rule).some((tool) => raisesAll(rule, { tool, space }))
      ? { kind: "unknown", why: "what it compares is not known of its tool" }
      : { kind: "never" };
  }
  return smallestCover(rule, {
    space,
    extent: narrowest(shadowed.map(({ extent }) => extent)),
    witness: shadowed[0]!.witness,
    parts: shadowed,
  });
}

/** Why nothing is said about a rule at all. */
export function notAsked(rule: CompiledRule, space: RuleSpace): string | undefined {
  if (space.isExpired(rule)) return "it has expired and no longer counts";
  return space.hasAnswers
    ? "allows of a session only answer questions, which is not analysed"
    : undefined;
}

type ToolReach =
  | Extract<Reachability, { kind: "reached" | "unknown" }>
  | { readonly kind: "nothing" }
  | {
    readonly kind: "shadowed";
    readonly extent: Precision;
    readonly witness: ToolCall;
    readonly calls: ToolCalls;
    readonly entry: ToolEntry;
  };

interface About {
  readonly tool: string;
  readonly space: RuleSpace;
  readonly budget: Budget;
}

function reachOfTool(rule: CompiledRule, { tool, space, budget }: About): ToolReach {
  const calls = space.calls(tool);
  if (!calls) {
    return { kind: "unknown", why: `an argument of ${tool} is compared in two ways` };
  }
  const entry = calls.of(rule);
  if (!entry || entry.yes === calls.nothing) return { kind: "nothing" };
  const all = [calls.domain, entry.yes] as const;
  const proves = (call: ToolCall) => decides(call, { rule, space });
  // Mostly the shortest of its own words is in no other rule's way.
  const own = leastWord(all, OWN_STEPS);
  if (own !== undefined && own !== "spent") {
    const call = calls.callOf(own);
    if (proves(call)) return { kind: "reached", witness: call };
  }
  const found = findCall({ all, none: before(entry, calls) }, { calls, budget, proves });
  switch (found.kind) {
    case "call":
      return { kind: "reached", witness: found.call };
    case "spent":
      return { kind: "unknown", why: TOO_LONG };
    case "odd":
      return {
        kind: "unknown",
        why: `calls as ${JSON.stringify(found.call.input)} are more than they show`,
      };
    case "none":
      return reachedBeyond(entry, { calls, budget, proves }) ??
        shadowedOrNothing(entry, { calls, space, budget });
  }
}

/** Calls that are not looked at, since something else of them is compared in another way, may still show it. */
function reachedBeyond(
  entry: ToolEntry,
  { calls, budget, proves }: {
    calls: ToolCalls;
    budget: Budget;
    proves: (call: ToolCall) => boolean;
  },
): ToolReach | undefined {
  const fitted = findWord({ all: [calls.domain, entry.yes], none: [] }, budget);
  if (fitted !== undefined && !comparesTexts(entry, calls)) return undefined;
  const wide = [{ all: [entry.yes], none: before(entry, calls) }, { all: [entry.yes], none: [] }];
  for (const query of wide) {
    const own = { left: Math.min(budget.left, OWN_STEPS * 5) };
    const found = findCall(query, { calls, budget: own, proves });
    if (found.kind === "call") return { kind: "reached", witness: found.call };
  }
  return undefined;
}

/** How many steps may be spent on a first guess. */
const OWN_STEPS = 20_000;

/** Why a search ended early. */
export const TOO_LONG = "finding out would take too long";

/** Why not every tool was looked at. */
export const TOO_MANY = "its tools are too many to name";

/** Why a text is not looked at as any text. */
export const IN_TWO_WAYS = "a field is compared both as a text and as a path or URL";

function shadowedOrNothing(
  entry: ToolEntry,
  { calls, space, budget }: { calls: ToolCalls; space: RuleSpace; budget: Budget },
): ToolReach {
  const extent = precisionOf(calls.arguments);
  if (comparesTexts(entry, calls)) return { kind: "unknown", why: IN_TWO_WAYS };
  const word = findWord({ all: [calls.domain, entry.yes], none: [] }, budget);
  if (word === "spent") return { kind: "unknown", why: TOO_LONG };
  if (word === undefined) {
    return isWhole(entry, { calls, space })
      ? { kind: "nothing" }
      : { kind: "unknown", why: `it speaks of no ${extent}` };
  }
  if (space.shellOf(calls.tool) === "parsed" && !speaksPlainly(entry, calls)) {
    return { kind: "unknown", why: "what it names runs or opens more than one command" };
  }
  return { kind: "shadowed", extent, witness: calls.callOf(word), calls, entry };
}

/** What decides before an entry: earlier rules that fit and, but for a deny, those that cannot be evaluated. */
export function before(entry: ToolEntry, calls: ToolCalls): readonly State[] {
  const earlier = calls.near(entry).filter(({ place }) => place < entry.place);
  const unknown = entry.rule.action === "deny" ? [] : calls.unknownsBetween(0, entry.place);
  return [...earlier.map(({ yes }) => yes), ...unknown];
}

function decides(
  call: ToolCall,
  { rule, space }: { rule: CompiledRule; space: RuleSpace },
): boolean {
  return isDecided(call, {
    policy: space.view,
    rule,
    options: space.options,
  });
}

/** Shadowed for every call, so no search is needed but for a call to show; one that fits none at all is no shadow. */
function alwaysShadowed(
  rule: CompiledRule,
  { always, space, budget }: { always: CompiledRule; space: RuleSpace; budget: Budget },
): Reachability {
  let provenEmpty = space.complete;
  for (const tool of space.toolsOf(rule)) {
    const calls = space.calls(tool);
    const entry = calls?.of(rule);
    if (!calls || !entry) {
      provenEmpty &&= calls !== undefined;
      continue;
    }
    const word = findWord({ all: [calls.domain, entry.yes], none: [] }, budget);
    if (word !== undefined && word !== "spent") {
      return {
        kind: "shadowed",
        by: [always],
        precision: "every call",
        witness: calls.callOf(word),
      };
    }
    provenEmpty &&= word === undefined && isWhole(entry, { calls, space });
  }
  if (provenEmpty) return { kind: "never" };
  const witness = instances(rule, space).find((call) => fits(call, { rule, space }));
  return witness
    ? { kind: "shadowed", by: [always], precision: "every call", witness }
    : { kind: "unknown", why: "no call is known that it fits" };
}

function fits(call: ToolCall, { rule, space }: { rule: CompiledRule; space: RuleSpace }): boolean {
  const toolRule = space.calls(call.tool)?.of(rule)?.entry;
  return toolRule?.matches(space.policy.request(call)) === "yes";
}

/** Whether an entry that fits none of the looked-at calls fits none at all. */
function isWhole(
  entry: ToolEntry,
  { calls, space }: { calls: ToolCalls; space: RuleSpace },
): boolean {
  const extent = precisionOf(calls.arguments);
  if (extent === "every call") return true;
  // An allow fits a file by what its path comes to, and on Windows some names are left out.
  return extent === "plain paths" && entry.rule.action === "allow" &&
    space.policy.context.platform !== "windows" && !comparesTexts(entry, calls);
}

/** Whether the rule can be evaluated for no call of the tool. */
function raisesAll(
  rule: CompiledRule,
  { tool, space }: { tool: string; space: RuleSpace },
): boolean {
  return space.calls(tool)?.of(rule)?.unknown === space.automata.whatever;
}
