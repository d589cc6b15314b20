import type { Analysis, Precision } from "../../lib/analysis/analysis.ts";
import { createAnalysis } from "../../lib/analysis/create_analysis.ts";
import { differences } from "../../lib/analysis/differences.ts";
import { meaning, pairOf } from "../../lib/analysis/outcome.ts";
import { evaluate } from "../../lib/decide/evaluate.ts";
import type { ToolCall } from "../../lib/model/call.ts";
import type {
  CompiledPolicy,
  CompiledRule,
  ToolRule,
} from "../../lib/policy/compile/compiled_policy.ts";
import type { Request } from "../../lib/policy/compile/request.ts";
import { compiledOf, type PolicyOptions, type TestRule } from "../support/policy.ts";
import type { Random } from "../support/random.ts";
import { randomRules, type World } from "./analysis_worlds.ts";

/** The count of answers, and the wrong ones. */
export interface Tally {
  /** Policies looked at. */
  policies: number;
  /** Answers by question and kind. */
  readonly answers: Map<string, number>;
  /** The answers that some call disagrees with; witnesses that do not replay among them. */
  readonly wrong: string[];
}

/** An empty tally. */
export function newTally(): Tally {
  return { policies: 0, answers: new Map(), wrong: [] };
}

/** A random policy that compiles. */
export function randomPolicy(
  world: World,
  random: Random,
): { policy: CompiledPolicy; rules: readonly TestRule[] } {
  for (;;) {
    const rules = randomRules(world, random);
    const { policy } = compiledOf(rules, world.options);
    if (policy) return { policy, rules };
  }
}

/** Holds every answer about one policy to all calls of its world. */
export function checkPolicy(
  { policy, rules }: { policy: CompiledPolicy; rules: readonly TestRule[] },
  { world, tally }: { world: World; tally: Tally },
): void {
  tally.policies++;
  const analysis = createAnalysis(policy);
  const verdicts = world.calls.map((call) => evaluate(policy, call));
  for (const rule of policy.rules) {
    // Rules about files are held to the calls of other worlds.
    if (world.name === "classes" && !rule.pattern.startsWith("Bash")) continue;
    const about = { policy, rules, rule, world, tally, analysis, verdicts };
    checkReach(about);
    checkNeed(about);
    checkCrossings(about);
  }
}

/** Holds the differences of two policies to all calls of their world. */
export function checkPair(
  old: { policy: CompiledPolicy; rules: readonly TestRule[] },
  { now, world, tally }: {
    now: { policy: CompiledPolicy; rules: readonly TestRule[] };
    world: World;
    tally: Tally;
  },
): void {
  tally.policies++;
  const { groups, unknown } = differences(old.policy, now.policy);
  const tell = (kind: string) => tally.answers.set(kind, (tally.answers.get(kind) ?? 0) + 1);
  tell(groups.length === 0 ? "diff same" : "diff groups");
  // Commands of a class, and the files that they name, are tried and said to be.
  const isOpen = unknown.some(({ kind }) => kind === "open" || world.name === "classes");
  if (isOpen) tell("diff unknown");
  const lists = [old, now].map(({ rules }) =>
    rules.map((rule) => `${rule.action} ${rule.pattern}`).join("; ")
  );
  const fail = (what: string, call: ToolCall) =>
    tally.wrong.push(
      `${world.name}: diff: ${what}: [${lists.join("] [")}] on ${JSON.stringify(call)}`,
    );
  const groupOf = (call: ToolCall) => {
    const was = evaluate(old.policy, call);
    const is = evaluate(now.policy, call);
    return was.action === is.action ? undefined : pairOf(was, is);
  };
  const found = new Set(groups.map(({ witness, was, now: is }) => {
    const [before, after] = [evaluate(old.policy, witness), evaluate(now.policy, witness)];
    const isTold = was.rule === before.rule && was.action === before.action &&
      is.rule === after.rule && is.action === after.action;
    if (!isTold || groupOf(witness) === undefined) fail("witness", witness);
    return groupOf(witness);
  }));
  for (const call of world.calls) {
    const group = groupOf(call);
    if (group !== undefined && !found.has(group) && !isOpen) {
      fail("miss", call);
      return;
    }
  }
  // Without a word about what was not compared, there is no difference anywhere.
  const other = unknown.length > 0 || groups.length > 0
    ? undefined
    : world.others?.find((call) => groupOf(call) !== undefined);
  if (other) fail("claims to be complete", other);
}

/** A policy beside another: some rules taken out, put in, moved or turned. */
export function changedPolicy(
  { rules }: { rules: readonly TestRule[] },
  { world, random }: { world: World; random: Random },
): { policy: CompiledPolicy; rules: readonly TestRule[] } {
  for (;;) {
    const list = [...rules];
    for (let times = 1 + random.below(2); times > 0; times--) {
      const at = random.below(list.length);
      const kind = random.below(4);
      if (kind === 0 && list.length > 1) list.splice(at, 1);
      else if (kind === 1) list.splice(at, 0, randomRules(world, random)[0]!);
      else if (kind === 2) list.push(...list.splice(at, 1));
      else list[at] = { ...list[at]!, action: random.pick(["allow", "deny", "ask"]) };
    }
    const { policy } = compiledOf(list, world.options);
    if (policy) return { policy, rules: list };
  }
}

interface About {
  readonly policy: CompiledPolicy;
  readonly rules: readonly TestRule[];
  readonly rule: CompiledRule;
  readonly world: World;
  readonly tally: Tally;
  readonly analysis: Analysis;
  readonly verdicts: readonly ReturnType<typeof evaluate>[];
}

function checkReach(about: About): void {
  const { policy, rule, world, analysis, verdicts } = about;
  const reachability = analysis.reachability(rule);
  count(about, `reach ${reachability.kind}`);
  const decides = (verdict: ReturnType<typeof evaluate>) =>
    verdict.units.some((unit) => unit.rule?.index === rule.index && unit.by === "rule");
  const fits = (call: ToolCall) => {
    const request = policy.request(call);
    return policy.toolRules(call.tool).some((toolRule) =>
      toolRule.rule === rule &&
      (toolRule.matches(request) === "yes" || isOfClass(toolRule, request))
    );
  };
  const found = world.calls.find((_, at) => decides(verdicts[at]!));
  switch (reachability.kind) {
    case "reached":
      if (!decides(evaluate(policy, reachability.witness))) {
        wrong(about, "reach: witness", reachability.witness);
      }
      return;
    case "shadowed": {
      if (found) wrong(about, "reach: false alarm", found);
      const other = othersOf(reachability, world).find((call) => decides(evaluate(policy, call)));
      if (other) wrong(about, "reach: not every call", other);
      if (reachability.by.length === 0) wrong(about, "reach: by nothing", reachability.witness);
      if (!fits(reachability.witness)) {
        wrong(about, "reach: witness does not fit", reachability.witness);
      }
      const open = world.calls.find((call) =>
        fits(call) && !isTaken(call, { ...about, by: reachability.by })
      );
      if (open) wrong(about, "reach: by too few", open);
      return;
    }
    case "never": {
      const fitting = world.calls.find(fits);
      if (fitting) wrong(about, "reach: never", fitting);
      return;
    }
    case "unknown":
      return;
  }
}

/** True for a command of the class that a rule names; it may not be covered. */
function isOfClass({ specifier }: ToolRule, { parsedLine }: Request): boolean {
  const [traits] = parsedLine?.effects.map((effect) => effect.traits?.()) ?? [];
  return specifier?.kind === "class" && traits?.classes.includes(specifier.name) === true;
}

function isTaken(
  call: ToolCall,
  { policy, rule, by }: About & { by: readonly unknown[] },
): boolean {
  const request = policy.request(call);
  return policy.toolRules(call.tool).some((toolRule) => {
    if (!by.includes(toolRule.rule)) return false;
    if (isOfClass(toolRule, request)) return true;
    const match = toolRule.matches(request);
    return match === "yes" ||
      match === "indeterminate" && toolRule.rule.action !== "allow" && rule.action !== "deny";
  });
}

function checkNeed(about: About): void {
  const { rules, rule, world, analysis, verdicts } = about;
  const redundancy = analysis.redundancy(rule);
  count(about, `need ${redundancy.kind}`);
  const { policy: less } = compiledOf(rules.filter((_, at) => at !== rule.index), world.options);
  if (!less) return wrong(about, "need: cannot compile", { tool: "", input: {} });
  const differs = (call: ToolCall, before = evaluate(about.policy, call)) =>
    meaning(before) !== meaning(evaluate(less, call));
  if (redundancy.kind === "needed" && !differs(redundancy.witness)) {
    wrong(about, "need: witness", redundancy.witness);
  }
  if (redundancy.kind === "redundant") {
    const found = world.calls.find((call, at) => differs(call, verdicts[at]!));
    if (found) wrong(about, "need: false alarm", found);
    const other = othersOf(redundancy, world).find((call) => differs(call));
    if (other) wrong(about, "need: not every call", other);
  }
}

function checkCrossings(about: About): void {
  const { policy, rule, world, analysis, verdicts } = about;
  const fits = (call: ToolCall, one: CompiledRule) => {
    const request = policy.request(call);
    return policy.toolRules(call.tool).some((toolRule) =>
      toolRule.rule === one && toolRule.matches(request) === "yes"
    );
  };
  const decides = ({ units }: ReturnType<typeof evaluate>, one: CompiledRule) =>
    units.some((unit) => unit.rule?.index === one.index && unit.by === "rule");
  const crossings = new Map(
    Array.from(analysis.partialOverlaps(rule, () => true), (each) => [each.rule, each]),
  );
  for (const earlier of policy.rules) {
    const overlap = crossings.get(earlier);
    count(about, `crossing ${overlap ? "yes" : "no"}`);
    if (overlap) {
      const { witness, beyond } = overlap;
      const holds = fits(witness, rule) &&
        evaluate(policy, witness).rule?.index === earlier.index;
      if (!holds || earlier.index >= rule.index) wrong(about, "crossing: witness", witness);
      const isFitted = fits(beyond, earlier) || decides(evaluate(policy, beyond), earlier);
      if (!isFitted || fits(beyond, rule)) wrong(about, "crossing: beyond", beyond);
    } else if (earlier.index < rule.index) {
      const shared = world.calls.find((call, at) =>
        fits(call, rule) && fits(call, earlier) && verdicts[at]!.rule?.index === earlier.index &&
        verdicts[at]!.by === "rule"
      );
      const isBeyond = world.calls.some((call, at) =>
        (fits(call, earlier) || decides(verdicts[at]!, earlier)) && !fits(call, rule)
      );
      const isTried = [rule, earlier].some(({ pattern }) => pattern.includes("(@")) ||
        world.name === "classes";
      if (shared && isBeyond && !isTried) wrong(about, "crossing: miss", shared);
    }
  }
}

/** The calls that only an answer about every call speaks of. */
function othersOf(
  { precision }: { readonly precision: Precision },
  { others }: World,
): readonly ToolCall[] {
  return precision === "every call" ? others ?? [] : [];
}

function count({ tally }: About, key: string): void {
  tally.answers.set(key, (tally.answers.get(key) ?? 0) + 1);
}

function wrong({ tally, rules, rule, world }: About, what: string, call: ToolCall): void {
  const list = rules.map(({ action, pattern, kind, reason }) =>
    `${action} ${pattern}${kind ? ` (${kind})` : ""}${reason ? " !" : ""}`
  );
  tally.wrong.push(
    `${world.name}: ${what}: rule ${rule.index} of [${list.join("; ")}] on ${JSON.stringify(call)}`,
  );
}

/** The options of a world's policies. */
export type WorldOptions = PolicyOptions;
