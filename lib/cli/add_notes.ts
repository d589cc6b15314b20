import { openPolicy } from "../io/load_policy.ts";
import type { LoadedPolicy } from "../io/load_policy.ts";
import type { Runtime } from "../io/runtime.ts";
import type { Action } from "../model/action.ts";
import type { ToolCall } from "../model/call.ts";
import type { Rule } from "../model/rule.ts";
import type { SourceKind } from "../model/source.ts";
import { literalGlob, onlyText, printGlob } from "../pattern/glob.ts";
import { parsePattern } from "../pattern/parse_pattern.ts";
import { parseSpec } from "../pattern/parse_spec.ts";
import { patternOf, printPattern } from "../pattern/print_pattern.ts";
import { indented } from "../report/decision_text.ts";
import { placeText } from "../report/place_text.ts";
import { visible } from "../report/visible.ts";
import { SOURCES } from "../sources/registry.ts";
import { sampleCalls } from "../suggest/sample_calls.ts";
import type { ToolProfiles } from "../tools/profiles.ts";
import { policyOptions } from "./policy_flags.ts";
import { commandLine } from "./quote.ts";
import { canonicalPattern } from "./same_pattern.ts";
import type { ScopeFile } from "./scope.ts";
import type { Invocation } from "./verb.ts";

/** Stands for a blank at which a line must not end, as in a command to paste. */
const JOINED = "\u00a0";

/** A rule that was just added. */
export interface Added {
  /** Its pattern. */
  readonly pattern: string;
  /** Its action. */
  readonly action: Action;
  /** The file it stands in. */
  readonly target: ScopeFile;
}

/** Says on stderr what a person may not expect of a rule that was added: what still shadows it, and what it misses. */
export async function addNotes(
  added: Added,
  { invocation, runtime }: { invocation: Invocation; runtime: Runtime },
): Promise<void> {
  const policy = await openPolicy(runtime, policyOptions(invocation));
  const notes = [...shadowNotes(added, policy), ...bareNotes(added, policy.policy.profiles)];
  for (const note of notes) {
    const lines = indented(note, " ".repeat("note: ".length)).join("\n").replaceAll(JOINED, " ");
    await runtime.write("stderr", `note: ${lines.trimStart()}\n`);
  }
}

/** An earlier rule that decides every sample call of the new one. */
function shadowNotes(added: Added, policy: LoadedPolicy): readonly string[] {
  const { profiles } = policy.policy;
  const wanted = canonicalPattern(added.pattern, profiles);
  const isNew = (rule: Rule | null) =>
    rule !== null && rule.action === added.action &&
    canonicalPattern(rule.pattern, profiles) === wanted;
  const deciders = sampleCalls(added.pattern, profiles).map((call: ToolCall) =>
    policy.evaluate(call).rule
  );
  const [first] = deciders;
  if (deciders.length === 0 || first === undefined || deciders.some(isNew)) return [];
  if (first === null || first.action === added.action) return [];
  const place = placeText(first.source, policy.facts);
  const decider = `${first.action} ${visible(first.pattern)} (${place})`;
  if (rankOf(first.source.kind) > rankOf(added.target.scope)) {
    return [`the rule does not count: ${decider} still decides; "caliban explain" says why`];
  }
  return [`an earlier rule still decides: ${decider}${wayAbove(first, added)}`];
}

/** What puts the new rule above the one that decides, where a file of the user can. */
function wayAbove({ source }: Rule, { target }: Added): string {
  if (source.kind === target.scope) return "; --first puts the new rule above it";
  const writable = SOURCES.some(({ kind, writable }) =>
    kind === source.kind && writable === "file"
  );
  return writable ? `; --scope ${source.kind} --first puts the new rule above it` : "";
}

function rankOf(kind: SourceKind): number {
  return SOURCES.findIndex((source) => source.kind === kind);
}

/** `git push *` allows nothing without its space. */
function bareNotes({ pattern, action }: Added, profiles: ToolProfiles): readonly string[] {
  if (action !== "allow") return [];
  const read = parsePattern(pattern);
  const tool = read.ok ? onlyText(read.value.tool) : undefined;
  if (!read.ok || tool === undefined) return [];
  const spec = parseSpec(read.value, profiles.get(tool));
  if (!spec.ok || spec.value.kind !== "first" || spec.value.test.kind !== "command") return [];
  const { glob, reach } = spec.value.test;
  const head = reach === "whole" && /^(.*\S) \*$/s.exec(printGlob(glob))?.[1];
  if (!head || /[*?]/.test(head.replace(/\\./g, ""))) return [];
  const prefix = printPattern(
    patternOf(read.value.tool, {
      kind: "first",
      test: { kind: "command", reach: "prefix", glob: literalGlob(head) },
    }),
  );
  return [
    `this fits "${visible(head)}" + space + anything, not "${visible(head)}" alone; ${
      commandLine([prefix]).replaceAll(" ", JOINED)
    } fits both`,
  ];
}
