import { evaluate } from "../engine/evaluate.ts";
import type { AskQuestion } from "../model/ask.ts";
import type { Rule } from "../model/rule.ts";
import type { SourceEntry } from "../model/source_entry.ts";
import type { Verdict } from "../model/verdict.ts";
import { decodePolicy } from "../policy/decode_policy.ts";
import { insertRule } from "../policy/edit_rules.ts";
import type { Policy } from "../policy/policy.ts";
import { isWorkspaceFile } from "../sources/entry_text.ts";
import { remade } from "../suggest/with_flag.ts";
import { beatenDeny } from "./beaten_deny.ts";
import type { FileScope, RuleFiles } from "./gate_parts.ts";
import type { GateState } from "./gate_state.ts";
import { mayLift } from "./may_lift.ts";
import { nameOf } from "./rule_name.ts";
import { rulesAlone } from "../suggest/rules_alone.ts";
import type { SessionRule } from "./session_rules.ts";
import type { Scene } from "./stage.ts";
import { questionsOf } from "./who_still_decides.ts";

/** Where rules are to be kept for good, and what they answered. */
export interface KeepOptions {
  /** The file's scope. */
  readonly scope: FileScope;
  /** The question that they answered. */
  readonly question: AskQuestion;
  /** What the call was decided by. */
  readonly scene: Scene;
  /** The gate's policy and rules. */
  readonly state: GateState;
  /** The files. */
  readonly files: RuleFiles | undefined;
}

/** What comes of writing rules into a file's text. */
type Planned =
  | { readonly kind: "text"; readonly text: string }
  /** They stand there already. */
  | { readonly kind: "stands" }
  /** They are not written, and why. */
  | { readonly kind: "stays"; readonly why: string };

/**
 * Writes rules to a file where they mean there what they mean in the session: an allow directly above the rule that asked
 * where that stands there, else at the end; a deny above the first rule that would beat it. Where they would mean less, or
 * would lift a deny, they stay in the session. Gives what a person must know, one sentence each; never rejects.
 */
export async function keepInFile(
  rules: readonly SessionRule[],
  options: KeepOptions,
): Promise<readonly string[]> {
  const { scope, state, files } = options;
  const entry = state.base.sources.entries.find(({ kind }) => kind === scope);
  if (files === undefined || entry === undefined) return [];
  let planned: Planned = { kind: "stands" };
  try {
    const warning = await files.edit({ scope, path: entry.path }, (text) => {
      planned = plannedText(text, { ...options, files, entry, rules });
      return planned.kind === "text" ? planned.text : undefined;
    });
    return [...warningsFor(planned, entry), ...(warning === undefined ? [] : [warning])];
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [`The answer is kept for this session only: ${detail}`];
  }
}

function warningsFor(planned: Planned, entry: SourceEntry): readonly string[] {
  if (planned.kind === "stays") {
    return [`The answer is kept for this session only: ${planned.why}`];
  }
  if (planned.kind === "stands" || !isWorkspaceFile(entry.kind) || !entry.trusted) return [];
  return [`${entry.path} is no longer as it was trusted: "caliban trust" trusts it as it is now`];
}

interface Planning extends KeepOptions {
  readonly files: RuleFiles;
  readonly entry: SourceEntry;
  readonly rules: readonly SessionRule[];
}

function plannedText(text: string, planning: Planning): Planned {
  const { rules, state: { base }, entry } = planning;
  let written = text;
  for (const rule of rules) {
    const placed = withRule(written, rule, planning);
    if (placed.kind === "stays") return placed;
    if (placed.kind === "text") written = placed.text;
  }
  // What is written is not what was trusted.
  const trusted = entry.trusted && !isWorkspaceFile(entry.kind);
  const changed: SourceEntry = {
    ...entry,
    state: "read",
    text: written,
    file: decodePolicy(written),
    trusted,
  };
  const { entries } = base.sources;
  const policy = remade(base, entries.map((each) => each === entry ? changed : each));
  if (policy === undefined) {
    return { kind: "stays", why: `${entry.path} cannot be used with it` };
  }
  const why = objection(policy, planning);
  if (why !== undefined) return { kind: "stays", why };
  return written === text ? { kind: "stands" } : { kind: "text", text: written };
}

/** Why the rules must not stand in the file: another decides there what they decide in the session, or they lift a deny. */
function objection(
  policy: Policy,
  { rules, scene, state, entry, question: { call } }: Planning,
): string | undefined {
  const now = scene.now();
  const options = now === undefined ? {} : { now };
  const inFile = evaluate(policy, call, options);
  const inSession = evaluate(state.policy, call, options);
  if (isLess(inFile, inSession)) {
    const who = inFile.rule === null ? "that no rule fits" : nameOf(inFile.rule);
    return `${who} would still decide this call`;
  }
  const allows = rules.filter(({ action }) => action === "allow");
  if (allows.length === 0) return undefined;
  const lifted = beatenDeny(state.base, { after: policy, tool: call.tool, options });
  if (lifted !== undefined) return `there it would allow what ${nameOf(lifted)} denies`;
  for (const { pattern } of allows) {
    const may = mayLift(state.base, { after: policy, pattern, path: entry.path });
    if (may !== undefined) return `there it could allow what ${nameOf(may)} denies`;
  }
  return undefined;
}

function isLess(inFile: Verdict, inSession: Verdict): boolean {
  return inSession.action === "deny"
    ? inFile.action !== "deny"
    : inFile.action === "deny" || questionsOf(inFile) > questionsOf(inSession);
}

function withRule(text: string, rule: SessionRule, planning: Planning): Planned {
  const { files, state: { base: { profiles } } } = planning;
  const asking = rule.action === "allow" ? askingIndex(text, rule, planning) : undefined;
  if (asking !== undefined) {
    const above = decodePolicy(text).rules.slice(0, asking);
    const { pattern, action } = rule;
    const stands = above.some((each) => each.action === action && each.pattern.value === pattern);
    if (stands) return { kind: "stands" };
    const result = insertRule(text, rule, { before: asking });
    return result.ok
      ? { kind: "text", text: result.text }
      : { kind: "stays", why: result.problem.message };
  }
  const added = files.add(text, { rule, first: false, profiles });
  switch (added.kind) {
    case "added":
      return { kind: "text", text: added.text };
    case "stands":
      return { kind: "stands" };
    case "refused":
      return { kind: "stays", why: added.why.problem.message };
  }
}

/** The index in the file of the last rule that asks about what the allow rule fits; undefined when none stands there. */
function askingIndex(
  text: string,
  { pattern, action }: SessionRule,
  { question, state: { base }, entry }: Planning,
): number | undefined {
  const alone = rulesAlone(base, [{ pattern, action }]);
  if (alone === undefined) return undefined;
  const covered = evaluate(alone, question.call).units.filter((unit) => unit.rule !== null);
  const askers = question.decision.verdict.units.flatMap((unit): readonly Rule[] => {
    const isCovered = covered.some((each) => each.kind === unit.kind && each.text === unit.text);
    const { rule } = unit;
    return isCovered && rule?.action === "ask" && rule.source.path === entry.path ? [rule] : [];
  });
  const indexes = decodePolicy(text).rules.flatMap((written, index) =>
    askers.some((rule) => written.action === "ask" && written.pattern.value === rule.pattern)
      ? [index]
      : []
  );
  return indexes.at(-1);
}
