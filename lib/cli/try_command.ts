import type { LintResult } from "../lint/lint_scene.ts";
import type { ToolCall } from "../model/call.ts";
import type { Finding } from "../model/finding.ts";
import type { ToolProfiles } from "../tools/profiles.ts";
import { flagValue, flagValues, hasFlag } from "./invocation.ts";
import { commandLine } from "./quote.ts";
import type { Invocation } from "./verb.ts";

/** What a command that tries a witness must say besides the call. */
export interface Trying {
  /** How lint was called. */
  readonly invocation: Invocation;
  /** What it found. */
  readonly results: readonly LintResult[];
  /** Paths of the files that were looked at by themselves. */
  readonly others: readonly string[];
}

/** The command line that tries a finding's witness under the policy that it was found in; empty without a witness. */
export function tryCommand(
  { witness, path }: Finding,
  { invocation, results, others }: Trying,
): string {
  if (witness === undefined) return "";
  const result = results.find(({ files }) => files.some((file) => file.path === path));
  const words = inputWords(witness, result?.policy.profiles);
  const alone = others.includes(path) ? ["--rules", path, "--no-project", "--no-user"] : [];
  const flags = alone.length > 0 ? alone : givenFlags(invocation);
  return commandLine(["caliban", "check", witness.tool, ...words, ...flags]);
}

function givenFlags(invocation: Invocation): readonly string[] {
  const workspace = flagValue(invocation, "workspace");
  return [
    ...(workspace === undefined ? [] : ["--workspace", workspace]),
    ...flagValues(invocation, "rules").flatMap((path) => ["--rules", path]),
    ...["no-user", "no-project", "no-builtin"]
      .flatMap((name) => hasFlag(invocation, name) ? [`--${name}`] : []),
  ];
}

/** The first argument alone where that says it all, else the whole input as JSON. */
function inputWords(
  { tool, input }: ToolCall,
  profiles: ToolProfiles | undefined,
): readonly string[] {
  const first = profiles?.get(tool).firstArg?.[0];
  const keys = Object.keys(input);
  if (keys.length === 0) return [];
  const value = first === undefined || keys.length !== 1 ? undefined : input[first];
  // What begins with a dash is a flag, and what begins with a brace is JSON.
  return typeof value === "string" && /^[^-{]/.test(value) ? [value] : [JSON.stringify(input)];
}
