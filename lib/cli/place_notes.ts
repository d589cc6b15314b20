import type { LoadedPolicy } from "../io/load/load_policy.ts";
import type { Rule } from "../model/rule.ts";
import { placeText } from "../report/place_text.ts";
import { visible } from "../text/visible.ts";
import { SOURCES } from "../policy/sources/registry.ts";
import { sampleCalls } from "../suggest/sample_calls.ts";
import { mayMeet } from "../policy/edit/may_meet.ts";
import { beatenDenies, weakerIndex } from "../policy/edit/place_rule.ts";
import { canonicalPattern, type RuleMeaning, sameAs } from "../policy/edit/same_pattern.ts";
import type { ScopeFile } from "./scope.ts";

/** A rule that was to be added. */
export interface Added extends RuleMeaning {
  /** The file it stands in. */
  readonly target: ScopeFile;
  /** `stood`: it stood there before. `placed`: it was put where it counts. `first`: at the top, as it was wanted. */
  readonly outcome: "stood" | "placed" | "first";
}

/** The added rule among those of its file, as they now count. */
interface Scene {
  readonly added: Added;
  readonly policy: LoadedPolicy;
  /** The rules of its file that count. */
  readonly rules: readonly Rule[];
  /** Its index among them; -1 when it does not count. */
  readonly at: number;
}

/** What rules above the added one still decide, and which of those below it no longer do. */
export function placeNotes(added: Added, policy: LoadedPolicy): readonly string[] {
  const rules = fileRules(policy, added.target.path);
  const at = rules.findIndex(sameAs(added, policy.policy.profiles));
  const scene: Scene = { added, policy, rules, at };
  const decider = sampleDecider(scene);
  const notes = decider ? [deciderNote(decider, scene)] : [];
  if (at < 0) return notes;
  return [...notes, ...weakerNote(scene, decider), ...denyNotes(scene), ...copyNote(scene)];
}

function fileRules(policy: LoadedPolicy, path: string): readonly Rule[] {
  return policy.rules.filter((rule) => rule.source.path === path);
}

/** A rule that says something else and decides in place of the added one whatever it was tried with. */
function sampleDecider({ added, policy }: Scene): Rule | undefined {
  const { profiles } = policy.policy;
  const wanted = canonicalPattern(added.pattern, profiles);
  const isSame = (rule: Rule | null) =>
    rule !== null && rule.action === added.action &&
    canonicalPattern(rule.pattern, profiles) === wanted;
  const deciders = sampleCalls(added.pattern, profiles).map((call) => policy.evaluate(call).rule);
  if (deciders.some(isSame)) return undefined;
  const [first] = deciders;
  return first && first.action !== added.action ? first : undefined;
}

function deciderNote(decider: Rule, scene: Scene): string {
  const own = scene.rules[scene.at];
  const name = nameOf(decider, scene);
  return own === undefined || decider.index > own.index
    ? `the rule does not count: ${name} still decides; "caliban explain" says why`
    : `an earlier rule still decides: ${name}${wayAbove(decider, scene)}`;
}

/** A rule of the same file above that says less, where it decides some of the calls. */
function weakerNote(scene: Scene, decider: Rule | undefined): readonly string[] {
  const { added, policy: { policy: { profiles } }, rules, at } = scene;
  const index = weakerIndex(added, { rules: rules.slice(0, at), profiles });
  const weaker = index === undefined ? undefined : rules[index];
  if (weaker === undefined || weaker === decider) return [];
  const way = wayAbove(weaker, scene);
  return [`${nameOf(weaker, scene)} stands above it and still decides first what both fit${way}`];
}

/** What puts the added rule above another, where a file of the user can. */
function wayAbove(above: Rule, scene: Scene): string {
  const { added: { action, target, outcome }, policy: { policy: { profiles } } } = scene;
  const { kind, path } = above.source;
  const isOwnFile = path === target.path;
  if (!isOwnFile && !isWritable(above)) return "";
  const rules = fileRules(scene.policy, path);
  const denies = above.action === "deny" ? [] : beatenDenies(scene.added, { rules, profiles });
  if (denies.length === 0) {
    const scope = isOwnFile ? "" : `--scope ${kind} `;
    const what = outcome === "stood" ? "this" : "the new";
    return `; ${scope}--first puts ${what} rule above it`;
  }
  if (!isOwnFile) return "";
  const last = rules[denies.at(-1)!]!;
  if (last.index < above.index) return `; remove the ${action} and add it again to put it above`;
  return `; the ${action} must stay below ${
    nameOf(last, scene)
  }, or it would ask where that denies: ` +
    `move the deny above the ${above.action}, then remove the ${action} and add it again`;
}

/** The denies that a new ask decides in the place of: it was wanted first, or they stand in a lower source. */
function denyNotes(scene: Scene): readonly string[] {
  const { added, policy, rules, at } = scene;
  if (added.outcome === "stood" || added.action !== "ask") return [];
  const { profiles } = policy.policy;
  const lower = policy.rules.slice(rules[at]!.index + 1);
  const deny = lower.find((rule) =>
    rule.action === "deny" && mayMeet(added, { stricter: rule, profiles })
  );
  if (deny === undefined) return [];
  const isOwnFile = deny.source.path === added.target.path;
  const way = isOwnFile
    ? "; without --first it stays below that"
    : isWritable(deny)
    ? `; --scope ${deny.source.kind} puts it below that`
    : "";
  return [`it asks where ${nameOf(deny, scene)} denied, for what both fit${way}`];
}

function copyNote(scene: Scene): readonly string[] {
  const { added, policy, rules, at } = scene;
  if (added.outcome !== "first") return [];
  const copy = rules.slice(at + 1).find(sameAs(added, policy.policy.profiles));
  if (copy === undefined) return [];
  const place = placeText(copy.source, policy.facts);
  return [
    `the same rule further down stays, with its comments, but decides nothing more (${place})`,
  ];
}

function isWritable({ source }: Rule): boolean {
  return SOURCES.some(({ kind, writable }) => kind === source.kind && writable === "file");
}

function nameOf({ action, pattern, source }: Rule, { policy }: Scene): string {
  return `${action} ${visible(pattern)} (${placeText(source, policy.facts)})`;
}
