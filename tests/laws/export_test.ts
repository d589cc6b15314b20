import assert from "node:assert/strict";
import { test } from "node:test";
import { enough, isThorough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import type { CompiledPolicy } from "../../lib/policy/compile/compiled_policy.ts";
import { parse } from "smol-toml";
import { evaluate } from "../../lib/decide/evaluate.ts";
import { printPolicy, printPolicyJson } from "../../lib/policy/edit/print_policy.ts";
import { mergedFile } from "../../lib/policy/sources/merged_file.ts";
import { anyCall } from "../support/arbitrary.ts";
import { anySources, fileEntry, loaded, NOW } from "./random_sources.ts";

const RUNS = { numRuns: 400, seed: 11 };

/** A call that a wrapper of some of the sources covers. */
const WRAPPED = { tool: "Bash", input: { command: "rtk git push" } };

/** True if a workspace that is not trusted asks; that differs in one file, and is told. */
function hasHeldAsk({ rules }: CompiledPolicy): boolean {
  return rules.some(({ action, untrusted }) => action === "ask" && untrusted);
}

/** True if a workspace that is not trusted describes a tool; that differs in one file too, and is told. */
function hasUntrustedTool({ sources: { tools } }: CompiledPolicy): boolean {
  return [...tools.values()].some(({ isUntrusted }) => isUntrusted);
}

test("all sources as one file of --rules, without user and project, say the same about every call", () => {
  const said = new Set<string>();
  let wrapped = 0;
  fc.assert(
    fc.property(anySources, fc.array(anyCall, { maxLength: 4 }), ({ entries, call }, calls) => {
      const policy = loaded(entries)!;
      if (hasHeldAsk(policy) || hasUntrustedTool(policy)) return;
      const text = printPolicy(mergedFile(policy.sources).file);
      const builtin = entries.filter(({ kind }) => kind === "builtin");
      const again = loaded([fileEntry("flag", { text }), ...builtin]);
      assert.ok(again, text);
      if (evaluate(policy, WRAPPED, { now: NOW }).units.length > 1) wrapped++;
      for (const each of [call, ...calls, WRAPPED]) {
        const before = evaluate(policy, each, { now: NOW });
        const after = evaluate(again, each, { now: NOW });
        assert.deepEqual([after.action, after.by, after.rule?.pattern], [
          before.action,
          before.by,
          before.rule?.pattern,
        ]);
        said.add(`${before.action} ${before.by} ${before.rule?.source.kind}`);
      }
    }),
    RUNS,
  );
  assert.ok(said.size > enough(12), [...said].join(", "));
  assert.ok(wrapped > enough(50), `only ${wrapped}`);
});

test("what counts in some files only is told, and the file has it all the same", () => {
  const told = new Set<string>();
  fc.assert(
    fc.property(anySources, ({ entries }) => {
      const policy = loaded(entries)!;
      const { file: { settings }, losses } = mergedFile(policy.sources);
      const only = [
        settings.enforce?.value,
        settings.requireTrust?.value === false,
        settings.managedOnly?.value,
        policy.settings.defaultMode?.source.kind === "managed",
        settings.unmatched?.value,
        hasHeldAsk(policy),
        hasUntrustedTool(policy),
      ];
      assert.equal(losses.length, only.filter((each) => each).length);
      for (const loss of losses) told.add(loss);
    }),
    RUNS,
  );
  if (isThorough) assert.equal(told.size, 7, [...told].join("\n"));
});

test("both formats of a file say the same", () => {
  fc.assert(
    fc.property(anySources, ({ entries }) => {
      const { file } = mergedFile(loaded(entries)!.sources);
      const toml: Record<string, unknown> = parse(printPolicy(file));
      const json = JSON.parse(printPolicyJson(file));
      const { rules = [], ...settings } = (toml.permissions ?? {}) as Record<string, unknown>;
      const { rules: written, ...others } = json.permissions;
      assert.deepEqual(
        JSON.parse(JSON.stringify({ rules, settings, shell: toml.shell, tools: toml.tools })),
        {
          rules: written,
          settings: others,
          ...("shell" in json ? { shell: json.shell } : {}),
          ...("tools" in json ? { tools: json.tools } : {}),
        },
      );
    }),
    RUNS,
  );
});
