import type { Json, JsonObject, ToolCall, ToolProfile } from "../model/call.ts";
import type { WrittenCall, WrittenTest } from "../model/rule.ts";
import { errorAt, type FileProblem, type Problem, quoted } from "../model/problem.ts";
import { parsePattern } from "../pattern/parse_pattern.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";
import { pathStyle, type Platform } from "../policy/sources/path_style.ts";
import { nearest } from "../text/did_you_mean.ts";
import { isTooDeep, MAX_DEPTH } from "../text/json_value.ts";
import type { TestFile } from "./test_file.ts";

/** The surroundings in which a written call is read. */
export interface CallReading {
  /** The known tools. */
  readonly profiles: ToolProfiles;
  /** The workspace's absolute path: the folder of calls that name none. */
  readonly workspace: string;
  readonly platform: Platform;
}

/** A test that can be run. */
export interface TestCase {
  /** The file that it stands in. */
  readonly file: TestFile;
  /** The test as it is written there. */
  readonly test: WrittenTest;
  readonly call: ToolCall;
}

/**
 * The tests of all files in their order, with problems: tests that cannot be run (errors) and probable mistakes (warnings).
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

/** The call, or the reason why it cannot be made. */
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

/** The known tool that a misspelt name probably means; undefined for a known one. */
function nearName(tool: string, profiles: ToolProfiles): string | undefined {
  return profiles.has(tool) ? undefined : nearest(tool, profiles.known.map(({ name }) => name));
}

/**
 * Warns of an unknown tool with a known tool's name misspelt: its calls would pass for calls of that tool.
 */
function nameWarnings({ call }: WrittenTest, { profiles }: CallReading): readonly Problem[] {
  const near = nearName(call.tool, profiles);
  if (near === undefined) return [];
  const message = `Unknown tool ${quoted(call.tool)}`;
  const fault = errorAt(call.span, { id: "never-fits", message, hint: `Did you mean "${near}"?` });
  return [{ ...fault, severity: "warning" }];
}

function callFault({ call }: WrittenTest, detail: string) {
  const message = `Cannot read the call of ${quoted(call.tool)}: ${detail}`;
  return { id: "unknown-value", message } as const;
}

/** A `rule` that is no pattern is a mistake: no rule can have it. */
function ruleFaults({ rule }: WrittenTest) {
  if (rule === undefined || parsePattern(rule.value).ok) return [];
  const message = `Cannot read rule ${quoted(rule.value)}: it is not a pattern`;
  const hint = 'Write the pattern of a rule, "builtin" or "none"';
  return [errorAt(rule.span, { id: "unknown-value", message, hint })];
}

/** A call's input, or the reason why a text is not one. */
type ReadInput =
  | { readonly ok: true; readonly input: JsonObject }
  /** `detail` is a sentence, or a clause after a colon, without a final full stop. */
  | { readonly ok: false; readonly detail: string };

/**
 * The input of a text: an object if it begins as JSON (`{"`), as on the command line; otherwise the tool's first argument.
 */
export function callInput(text: string, profile: ToolProfile): ReadInput {
  if (/^\s*\{\s*"/.test(text) || /^\s*\{\s*\}\s*$/.test(text)) return jsonInput(text);
  const { name, firstArg } = profile;
  const first = firstArg?.[0];
  if (first !== undefined) return { ok: true, input: nested(first, text) };
  const why = firstArg === undefined ? "its first argument is unknown" : "it has none";
  return {
    ok: false,
    detail: `the text cannot be the first argument of ${name}: ${why}; write the input as JSON`,
  };
}

/** A dotted first argument is a path into the input. */
function nested(name: string, text: string): JsonObject {
  const [last = name, ...rest] = name.split(".").reverse();
  return rest.reduce<JsonObject>((inner, key) => ({ [key]: inner }), { [last]: text });
}

function jsonInput(text: string): ReadInput {
  if (isTooDeep(text)) return { ok: false, detail: `JSON nested deeper than ${MAX_DEPTH}` };
  try {
    const value: Json = JSON.parse(text);
    return { ok: true, input: value as JsonObject };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The parser's own message differs between runtimes.
    return { ok: false, detail: "it looks like JSON but is not valid JSON" };
  }
}
