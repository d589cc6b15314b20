import CASES from "../cases/agents/switches.json" with { type: "json" };
import type { AgentName } from "../../lib/agents/registry.ts";
import type { PlaceScope } from "../../lib/agents/settings/agent_settings.ts";

/** Files with an agent's settings, by path; JSON as a value. */
type Files = Readonly<Record<string, unknown>>;

/** Settings around an installed hook, and their effect in the real agent. */
export interface SwitchCase {
  readonly agent: AgentName;
  readonly name: string;
  /** The settings that have the hook; the person's by default. */
  readonly scope?: PlaceScope;
  /** Files below the project. */
  readonly project?: Files;
  /** Files below the home. */
  readonly home?: Files;
  /** Files by absolute paths. */
  readonly machine?: Files;
  /** True if the agent passes over the hook. */
  readonly off: boolean;
  /** True if the effect was read in the agent's source, for it cannot be run. */
  readonly read?: true;
}

/** The settings that were tried. */
export const SWITCH_CASES = CASES as unknown as readonly SwitchCase[];

/** The text of a file of a case; `HOOK` is the installed command and `PROJECT` the folder. */
export function switchText(
  value: unknown,
  { command, project }: { readonly command: string; readonly project: string },
): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.replaceAll('"HOOK"', () => JSON.stringify(command)).replaceAll(
    "PROJECT",
    () => project,
  );
}
