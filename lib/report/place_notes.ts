import type { ToolCall } from "../model/call.ts";
import type { Rule } from "../model/rule.ts";
import type { Verdict } from "../model/verdict.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { type Folders, placeText } from "./place_text.ts";
import { visible } from "../text/visible.ts";
import { SOURCES } from "../policy/sources/source_order.ts";
import type { WritableFile } from "../suggest/policy_with_rules.ts";
import { sampleCalls } from "../suggest/sample_calls.ts";
import { mayOverlap } from "../policy/edit/may_overlap.ts";
import { beatenDenies, weakerIndex } from "../policy/edit/place_among.ts";
import { hasSameMeaning, type RuleMeaning } from "../policy/edit/place_rule.ts";
import { canonicalText } from "../pattern/print_pattern.ts";

/** The policy after the rule was added. */
export interface AddedTo {
  readonly policy: CompiledPolicy;
  /** The folders that paths are shown relative to. */
  readonly location: Folders;
  /** Evaluates a call now. */
  evaluate(call: ToolCall): Verdict;
}

/** A rule that was to be added. */
export interface Added extends RuleMeaning {
  /** The file it stands in. */
  readonly target: WritableFile;
  /** `stood`: it stood there before. `placed`: it was put where it counts. `first`: at the top, as it was wanted. */
  readonly outcome: "stood" | "placed" | "first";
}

/** The added rule among those of its file, as they now count. */
interface Scene {
  readonly added: Added;
  readonly loaded: AddedTo;
  /** The rules of its file that count. */
  readonly rules: readonly Rule[];
  /** Its index among them; -1 when it does not count. */
  readonly at: number;
}

/** Notes on rules above the added one that still decide, and on rules below it that no longer do. */
export function placeNotes(added: Added, loaded: AddedTo): readonly string[] {
  const rules = fileRules(loaded, added.target.path);
  const at = rules.findIndex(hasSameMeaning(added, loaded.policy.profiles));
  const scene: Scene = { added, loaded, rules, at };
  const decider = sampleDecider(scene);
  const notes = decider ? [deciderNote(decider, scene)] : [];
  if (at < 0) return notes;
  return [...notes, ...weakerNote(scene, decider), ...denyNotes(scene), ...copyNote(scene)];
}

function fileRules({ policy }: AddedTo, path: string): readonly Rule[] {
  return policy.rules.filter((rule) => rule.source.path === path);
}

/** A rule with another action that decides every sample call in place of the added one. */
function sampleDecider({ added, loaded }: Scene): Rule | undefined {
  const { profiles } = loaded.policy;
  const wanted = canonicalText(added.pattern, profiles);
  const isSame = (rule: Rule | null) =>
    rule !== null && rule.action === added.action &&
    canonicalText(rule.pattern, profiles) === wanted;
  const verdicts = sampleCalls(added.pattern, profiles).map((call) => loaded.evaluate(call));
  // A rule that cannot be evaluated for a call (`python3` alone reads its code) decides nothing about the others.
  const deciders = verdicts.flatMap(({ by, rule }) => by === "safety" ? [] : [rule]);
  if (deciders.some(isSame)) return undefined;
  const [first] = deciders;
  return first && first.action !== added.action ? first : undefined;
}

function deciderNote(decider: Rule, scene: Scene): string {
  const own = scene.rules[scene.at];
  const name = nameOf(decider, scene);
  return own === undefined || decider.index > own.index
    ? `the rule has no effect: ${name} still decides; "caliban explain" says why`
    : `an earlier rule still decides: ${name}${wayAbove(decider, scene)}`;
}

/** A note on a less strict rule above in the same file, if it decides some of the calls. */
function weakerNote(scene: Scene, decider: Rule | undefined): readonly string[] {
  const { added, loaded: { policy: { profiles, settings: { wrappers } } }, rules, at } = scene;
  const index = weakerIndex(added, { rules: rules.slice(0, at), profiles, wrappers });
  const weaker = index === undefined ? undefined : rules[index];
  if (weaker === undefined || weaker === decider) return [];
  const way = wayAbove(weaker, scene);
  return [`${nameOf(weaker, scene)} precedes it and still decides the calls that both match${way}`];
}

/** The way to put the added rule above another, if the user can edit the file. */
function wayAbove(above: Rule, scene: Scene): string {
  const { added: { action, target, outcome }, loaded: { policy: { profiles, settings } } } = scene;
  const { kind, path } = above.source;
  const isOwnFile = path === target.path;
  if (!isOwnFile && !isWritable(above)) return "";
  const rules = fileRules(scene.loaded, path);
  if (above.action === "deny") return "; remove or narrow that rule if it should not";
  // At the top of its file an allow would stand above denials that it should not lift.
  if (action === "allow" && rules.some((rule) => rule.action === "deny")) {
    return "; to change that, put it above that rule in the file, and below the denials";
  }
  const denies = beatenDenies(scene.added, { rules, profiles, wrappers: settings.wrappers });
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

/** A note on a deny that a new ask precedes: it was added first, or the deny is in a lower source. */
function denyNotes(scene: Scene): readonly string[] {
  const { added, loaded, rules, at } = scene;
  if (added.outcome === "stood" || added.action !== "ask") return [];
  const { profiles, settings: { wrappers } } = loaded.policy;
  const lower = loaded.policy.rules.slice(rules[at]!.index + 1);
  const deny = lower.find((rule) =>
    rule.action === "deny" && mayOverlap(added, { stricter: rule, profiles, wrappers })
  );
  if (deny === undefined) return [];
  const isOwnFile = deny.source.path === added.target.path;
  const way = isOwnFile
    ? "; without --first it stays below that rule"
    : isWritable(deny)
    ? `; --scope ${deny.source.kind} puts it below that rule`
    : "";
  return [`it asks where ${nameOf(deny, scene)} denied, for calls that both match${way}`];
}

function copyNote(scene: Scene): readonly string[] {
  const { added, loaded, rules, at } = scene;
  if (added.outcome !== "first") return [];
  const copy = rules.slice(at + 1).find(hasSameMeaning(added, loaded.policy.profiles));
  if (copy === undefined) return [];
  const place = placeText(copy.source, loaded.location);
  return [
    `the same rule further down remains, with its comments, but no longer decides anything (${place})`,
  ];
}

function isWritable({ source }: Rule): boolean {
  return SOURCES.some(({ kind, writable }) => kind === source.kind && writable === "file");
}

function nameOf({ action, pattern, source }: Rule, { loaded }: Scene): string {
  return `${action} ${visible(pattern)} (${placeText(source, loaded.location)})`;
}
