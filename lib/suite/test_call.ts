import type { ToolCall } from "../model/call.ts";
import type { FileProblem, Problem } from "../model/problem.ts";
import type { WrittenCall, WrittenTest } from "../model/written_test.ts";
import { parsePattern } from "../pattern/parse_pattern.ts";
import { nearest } from "../text/did_you_mean.ts";
import { errorAt, quoted } from "../text/problems.ts";
import { pathStyle, type Platform } from "../policy/sources/path_style.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";
import { callInput } from "./call_input.ts";
import type { TestFile } from "./test_file.ts";

/** What a written call is read by. */
export interface CallReading {
  /** What is known about tools. */
  readonly profiles: ToolProfiles;
  /** The workspace's absolute path, in which calls run that name no folder. */
  readonly workspace: string;
  /** The platform. */
  readonly platform: Platform;
}

/** A test that can be run. */
export interface TestCase {
  /** The file that it stands in. */
  readonly file: TestFile;
  /** The test as it is written there. */
  readonly test: WrittenTest;
  /** The call. */
  readonly call: ToolCall;
}

/**
 * The tests of all files in their order, and with its place what in them cannot be run (errors) and what was hardly meant
 * (warnings).
 */
export function testCases(
  files: readonly TestFile[],
  reading: CallReading,
): { readonly cases: readonly TestCase[]; readonly problems: readonly FileProblem[] } {
  const cases: TestCase[] = [];
  const problems: FileProblem[] = [];
  for (const file of files) {
    for (const test of file.tests) {
      const call = testCall(test.call, reading);
      const faults = [
        ...(typeof call === "string" ? [errorAt(test.call.span, callFault(test, call))] : []),
        ...ruleFaults(test),
        ...(typeof call === "string" ? [] : nameWarnings(test, reading)),
      ].map((fault) => ({ ...fault, path: file.path, text: file.text }));
      problems.push(...faults);
      const isBroken = faults.some(({ severity }) => severity === "error");
      if (typeof call !== "string" && !isBroken) cases.push({ file, test, call });
    }
  }
  return { cases, problems };
}

/** The call, or why there is none. */
function testCall(written: WrittenCall, reading: CallReading): ToolCall | string {
  const { workspace, platform, profiles } = reading;
  const { tool } = written;
  if (written.form === "table") {
    const { input, cwd = "" } = written;
    return { tool, input, cwd: pathStyle(platform).absolute(cwd, workspace) };
  }
  if (written.text === undefined) return { tool, input: {}, cwd: workspace };
  const read = callInput(written.text, profiles.get(tool));
  if (read.ok) return { tool, input: read.input, cwd: workspace };
  const near = nearName(tool, profiles);
  return near === undefined ? read.detail : `${read.detail}; did you mean "${near}"?`;
}

/** The known tool that a name most likely stands for; undefined for a known one. */
function nearName(tool: string, profiles: ToolProfiles): string | undefined {
  return profiles.has(tool) ? undefined : nearest(tool, profiles.known.map(({ name }) => name));
}

/** A call of a tool that there is not would pass for a call of the one that is meant. */
function nameWarnings({ call }: WrittenTest, { profiles }: CallReading): readonly Problem[] {
  const near = nearName(call.tool, profiles);
  if (near === undefined) return [];
  const message = `Tool ${quoted(call.tool)} is not known`;
  const fault = errorAt(call.span, { id: "never-fits", message, hint: `Did you mean "${near}"?` });
  return [{ ...fault, severity: "warning" }];
}

function callFault({ call }: WrittenTest, detail: string) {
  const message = `Cannot read the call of ${quoted(call.tool)}: ${detail}`;
  return { id: "unknown-value", message } as const;
}

/** A `rule` that is no pattern is a slip: no rule could ever have it. */
function ruleFaults({ rule }: WrittenTest) {
  if (rule === undefined || parsePattern(rule.value).ok) return [];
  const message = `Cannot read rule ${quoted(rule.value)}: it is no pattern`;
  const hint = 'Write the pattern of a rule, "builtin" or "none"';
  return [errorAt(rule.span, { id: "unknown-value", message, hint })];
}
