import assert from "node:assert/strict";
import { test } from "node:test";
import { noLooser } from "../../lib/analysis/no_looser.ts";
import { timedDifferences } from "../../lib/analysis/timed_differences.ts";
import { answerEvent } from "../../lib/agents/hook/answer_event.ts";
import type { AgentEvent } from "../../lib/agents/hook/hook_protocol.ts";
import { decideInMode } from "../../lib/decide/decide.ts";
import { evaluateCall } from "../../lib/decide/evaluate.ts";
import { defaultMode, MODES } from "../../lib/decide/modes.ts";
import { type Action, strictness, type ToolCall } from "../../lib/model/call.ts";
import type { SourceEntry } from "../../lib/model/rule.ts";
import type { CompiledPolicy } from "../../lib/policy/compile/compiled_policy.ts";
import { isWorkspaceFile } from "../../lib/policy/sources/entry_text.ts";
import { anyCall } from "../support/arbitrary.ts";
import { enough, slowRuns } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import { anySources, fileEntry, loaded, NOW } from "./random_sources.ts";

const RUNS = { numRuns: slowRuns(2_000), seed: 13 };

/** The sources with the workspace's files as a clone brings them, and those without them. */
function beforeTrust(entries: readonly SourceEntry[]) {
  const own = entries.filter(({ kind }) => isWorkspaceFile(kind));
  const cloned = entries.map((entry) =>
    isWorkspaceFile(entry.kind) ? { ...entry, trusted: false } : entry
  );
  const policy = loaded(cloned);
  const without = loaded(entries.filter((entry) => !own.includes(entry)));
  assert.ok(policy !== undefined && without !== undefined);
  return { policy, without, cloned };
}

/** True if a managed or user file lets a project's rules count without trust. */
function isOpen(entries: readonly SourceEntry[]): boolean {
  return entries.some(({ kind, file }) =>
    (kind === "user" || kind === "managed") && file?.settings.requireTrust?.value === false
  );
}

/** A call's decision in every mode, and for a call of a hook; each answer by its name. */
function answersTo(policy: CompiledPolicy, call: ToolCall): ReadonlyMap<string, Action> {
  const evaluation = evaluateCall(policy, call, { now: NOW });
  const event: AgentEvent = { name: "PreToolUse", calls: [call], readings: [], folders: [] };
  const modes = MODES.flatMap((mode) => {
    const { action, isOrdinary } = answerEvent(event, { policy, others: [], mode, now: NOW });
    // An agent that is left alone may do what it likes.
    const rank: Action = isOrdinary ? "allow" : action;
    return [
      [mode.name, decideInMode(policy, evaluation, mode).decision],
      [`hook in ${mode.name}`, rank],
    ] as const;
  });
  return new Map([["rules", evaluation.verdict.action], ...modes]);
}

/** The mode in which a policy starts, as the calls of a gate meet it. */
function startOf(policy: CompiledPolicy, call: ToolCall): Action {
  const name = policy.settings.defaultMode?.value;
  const mode = MODES.find((each) => each.name === name) ?? defaultMode;
  return decideInMode(policy, evaluateCall(policy, call, { now: NOW }), mode).decision;
}

test("a random project file that nobody has trusted loosens no answer, in no mode", () => {
  let stricter = 0, compared = 0;
  fc.assert(
    fc.property(anySources, fc.array(anyCall, { maxLength: 4 }), ({ entries, call }, calls) => {
      if (isOpen(entries)) return;
      const { policy, without } = beforeTrust(entries);
      for (const each of [call, ...calls]) {
        const [before, after] = [answersTo(without, each), answersTo(policy, each)];
        for (const [name, action] of before) {
          const now = after.get(name)!;
          assert.ok(
            strictness(now) >= strictness(action),
            `${name}: ${action} became ${now} for ${JSON.stringify(each)}`,
          );
          if (now !== action) stricter++;
          compared++;
        }
        assert.ok(strictness(startOf(policy, each)) >= strictness(startOf(without, each)));
      }
    }),
    RUNS,
  );
  assert.ok(compared > enough(15_000) && stricter > enough(150), `${stricter} of ${compared}`);
});

/** The sources with the project's file replaced by this text; undefined if that has an error. */
function edited(
  entries: readonly SourceEntry[],
  edit: (text: string) => string,
): { readonly old: CompiledPolicy; readonly now: CompiledPolicy } | undefined {
  const trusted = entries.map((entry) => ({ ...entry, trusted: true }));
  const old = loaded(trusted);
  const now = loaded(
    trusted.map((entry) =>
      entry.kind === "project" && entry.state === "read"
        ? fileEntry("project", { text: edit(entry.text ?? "") })
        : entry
    ),
  );
  return old && now && { old, now };
}

const BLOCK = /(?=\[\[permissions\.rules\]\])/;

/** An edit of a file: one block dropped, moved or put twice, an action changed, a rule added, or an end moved. */
const anyEdit: fc.Arbitrary<(text: string) => string> = fc.tuple(
  fc.constantFrom("drop", "swap", "action", "add", "end", "add", "action"),
  fc.nat(),
  fc.constantFrom("allow", "deny", "ask"),
  fc.constantFrom("Bash:git *", "Bash", "*", "Write:src/**", "WebFetch:domain:x.org", "Bash(rm:*)"),
).map(([kind, seed, action, pattern]) => (text) => {
  const blocks = text.split(BLOCK);
  const at = seed % blocks.length;
  switch (kind) {
    case "drop":
      return blocks.toSpliced(at, 1).join("");
    case "swap":
      return [...blocks.slice(0, at), ...blocks.slice(at).toReversed()].join("");
    case "action":
      return blocks.with(at, blocks[at]!.replace(/action = "\w+"/, `action = "${action}"`)).join(
        "",
      );
    case "end":
      return blocks.with(at, blocks[at]!.replace(/00:050Z|1970/, "2030")).join("");
    default: {
      const rule = `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\n\n`;
      return /^\[\[|^$/.test(text) ? blocks.toSpliced(at, 0, rule).join("") : text + rule;
    }
  }
});

test("what is proven to be no looser answers no call more leniently, in no mode, now or later", () => {
  let proven = 0, changed = 0;
  fc.assert(
    fc.property(
      anySources,
      fc.array(anyEdit, { minLength: 1, maxLength: 2 }),
      fc.array(anyCall, { maxLength: 6 }),
      ({ entries, call }, edits, calls) => {
        const both = edited(entries, (text) => edits.reduce((all, edit) => edit(all), text));
        if (both === undefined) return;
        const { old, now } = both;
        if (noLooser(old, now, NOW).kind !== "proven") return;
        proven++;
        const { groups } = timedDifferences(old, now, NOW);
        const looser = groups.filter(({ was, now }) =>
          strictness(now.action) < strictness(was.action)
        );
        assert.deepEqual(looser, []);
        if (groups.length > 0) changed++;
        for (const each of [call, ...calls]) {
          const [before, after] = [answersTo(old, each), answersTo(now, each)];
          for (const [name, action] of before) {
            const is = after.get(name)!;
            const text = `${name}: ${action} became ${is} for ${JSON.stringify(each)}`;
            assert.ok(strictness(is) >= strictness(action), text);
          }
        }
      },
    ),
    { numRuns: slowRuns(600), seed: 17 },
  );
  assert.ok(proven > enough(24) && changed > enough(2), `${changed} of ${proven}`);
});
