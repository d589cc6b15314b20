import { findPolicyLocation, type PolicyLocation } from "../../io/load/policy_location.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import type { FileProblem, Span } from "../../model/problem.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { formatPolicy } from "../../policy/edit/format_policy.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { policyFromToml } from "../../policy/sources/policy_from_toml.ts";
import { pathText } from "../../report/place_text.ts";
import { readTestFile, TEST_FILE_END } from "../../suite/test_file.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { EXIT, InputError, UsageError } from "../errors/errors.ts";
import { readAll } from "../input/read_call.ts";
import { warn } from "../output/print.ts";
import { scopeFile } from "../write/scope_file.ts";
import { boundOf, writePolicyFile } from "../write/write_file.ts";

/** The status of `--check` where a file is not in canonical form. */
const UNFORMATTED = 1;

/** A text with its canonical form, neither with a byte order mark. */
interface Formatted {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The comments for which something is left as it is. */
  readonly kept: readonly Span[];
}

/** Formats files, or standard input. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const { operands } = invocation;
  const check = hasFlag(invocation, "check");
  if (operands.includes("-")) {
    if (operands.length > 1) {
      throw new UsageError("Standard input is formatted alone: omit the files");
    }
    return await formatStdin(runtime, { check });
  }
  const named = flagValue(invocation, "workspace");
  const location = findPolicyLocation(runtime, named === undefined ? {} : { workspace: named });
  const paths = operands.length > 0
    ? pathsOf(operands, { runtime, location })
    : defaultPaths(runtime, location);
  if (paths.length === 0) {
    const message = 'No policy file found; "caliban init" creates one';
    await warn(runtime, { label: "note:", message });
    return EXIT.ok;
  }
  const texts = paths.map((path) => ({ path, text: withoutMark(runtime.readText(path)) }));
  const all = formatted(texts);
  const changed = all.filter(({ before, after }) => before !== after);
  if (!check) { for (const each of changed) await write(each, { location, runtime }); }
  const word = check ? "Not formatted:" : "Formatted";
  const lines = changed.map(({ path }) => `${word} ${pathText(path, location)}\n`);
  await runtime.write("stdout", lines.join(""));
  for (const { path, kept } of all) {
    await tellKept(kept, { runtime, name: pathText(path, location) });
  }
  if (!check || changed.length === 0) return EXIT.ok;
  const message = '"caliban perms fmt" writes them in canonical form';
  await warn(runtime, { label: "note:", message });
  return UNFORMATTED;
}

async function formatStdin(
  runtime: Runtime,
  { check }: { readonly check: boolean },
): Promise<number> {
  const whole = await readAll(runtime, { ignoreBOM: true });
  const text = withoutMark(whole);
  const name = "standard input";
  const [{ after, kept }] = formatted([{ path: name, text }]) as [Formatted];
  await tellKept(kept, { runtime, name });
  if (check) return after === text ? EXIT.ok : UNFORMATTED;
  await runtime.write("stdout", whole.slice(0, whole.length - text.length) + after);
  return EXIT.ok;
}

/** Tells of the comments that would ignore other findings in canonical form. */
async function tellKept(
  kept: readonly Span[],
  { runtime, name }: { readonly runtime: Runtime; readonly name: string },
): Promise<void> {
  for (const { line, column } of kept) {
    const message =
      `${name}:${line}:${column}: the table or list of this comment is left as it is, for lint would find ` +
      "other things in its canonical form; move the comment to the line above the rule that it is about";
    await warn(runtime, { label: "note:", message });
  }
}

/** The texts in canonical form. Throws PolicyError with the problems of all. */
function formatted(
  texts: readonly { readonly path: string; readonly text: string }[],
): readonly Formatted[] {
  const problems: FileProblem[] = [];
  const results = texts.flatMap(({ path, text }): readonly Formatted[] => {
    const isTests = path.endsWith(TEST_FILE_END);
    const result = isTests
      ? formatPolicy(text, (each) => readTestFile(each, path))
      : formatPolicy(text);
    if (!result.ok) {
      problems.push(...result.problems.map((problem) => ({ ...problem, path, text })));
    } else if (!isTests) problems.push(...patternProblems(text, path));
    return result.ok ? [{ path, before: text, after: result.text, kept: result.kept }] : [];
  });
  if (problems.length > 0) throw new PolicyError(problems);
  return results;
}

/** The problems of a policy's patterns. */
function patternProblems(text: string, path: string): readonly FileProblem[] {
  try {
    policyFromToml(text, { path });
    return [];
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    return error.problems.filter(({ severity }) => severity === "error");
  }
}

async function write(
  { path, before, after }: Formatted,
  writing: { readonly location: PolicyLocation; readonly runtime: Runtime },
): Promise<void> {
  const within = boundOf(path, writing.location);
  await writePolicyFile({ path, within, newFolders: 0 }, (now) => {
    if (now === before) return after;
    throw new InputError(`Cannot format "${path}": it has changed since it was read`, {
      hint: "The file was not written; run the command again",
    });
  }, writing);
}

function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, "");
}

/** The absolute paths of named files, each once. Throws FileError for one that is not there. */
function pathsOf(
  names: readonly string[],
  { runtime, location }: { readonly runtime: Runtime; readonly location: PolicyLocation },
): readonly string[] {
  const paths = names.map((name) => {
    const path = pathStyle(location.platform).absolute(name, location.cwd);
    if (runtime.stat(path) !== undefined) return path;
    const message = `Cannot read "${name}": there is no such file`;
    throw new FileError(message, { path, fault: "not-found" });
  });
  return [...new Set(paths)];
}

/** The policies of the workspace that are there. */
function defaultPaths(runtime: Runtime, location: PolicyLocation): readonly string[] {
  return ["project", "local"]
    .map((scope) => scopeFile(runtime, { location, scope }).path)
    .filter((path) => runtime.stat(path) !== undefined);
}
