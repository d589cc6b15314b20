import type { Runtime } from "../../io/runtime/runtime.ts";
import { lintScene } from "../../lint/lint_scene.ts";
import { canonicalText } from "../../pattern/print_pattern.ts";
import type { RuleMeaning } from "../../policy/edit/place_rule.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import type { Invocation } from "../args/verb.ts";
import { openLintScenes } from "../lint/scenes.ts";

/** The checks that say what a rule lets by; the others are about its place among rules, which `add` has notes on. */
const RISKS: readonly string[] = [
  "broad-allow",
  "allows-exec",
  "leaky-prefix",
  "self-modifying",
  "secret-readable",
  "mcp-name",
];

/** The warnings that lint has about a rule that was added to a file (absolute path), one sentence each. */
export async function riskNotes(
  { pattern, action, path }: Pick<RuleMeaning, "pattern" | "action"> & { readonly path: string },
  { invocation, runtime, profiles }: {
    readonly invocation: Invocation;
    readonly runtime: Runtime;
    readonly profiles: ToolProfiles;
  },
): Promise<readonly string[]> {
  const { scenes: [scene] } = await openLintScenes({ ...invocation, operands: [] }, {
    runtime,
    agents: [],
  });
  if (scene === undefined) return [];
  const { findings } = lintScene({ ...scene, paths: [path] }, { select: RISKS });
  const wanted = canonicalText(pattern, profiles);
  return findings.flatMap(({ id, severity, message, rule }) =>
    severity === "warning" && rule?.action === action &&
      canonicalText(rule.pattern, profiles) === wanted
      ? [`${message}; see "caliban perms lint --explain ${id}"`]
      : []
  );
}
