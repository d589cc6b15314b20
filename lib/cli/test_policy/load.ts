import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import { openTeamPolicy } from "../../io/load/load_team_policy.ts";
import { isLinkedOut, unquotedProblems } from "../../io/load/linked_out.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { problemText } from "../../report/problem_text.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { type CallReading, type TestCase, testCases } from "../../suite/test_call.ts";
import { readTestFile, type TestFile } from "../../suite/test_file.ts";
import { colorFor } from "../output/choose_color.ts";
import { openPolicyFor, policyOptions, trusting } from "../input/open_policy.ts";
import { printPolicyWarnings } from "../input/policy_warnings.ts";
import { hasFlag, type Invocation } from "../args/verb.ts";
import { inOrder } from "../../model/problem.ts";

/** A policy with its tests, ready to run. */
export interface LoadedSuite {
  readonly policy: LoadedPolicy;
  /** The files with tests; policies only where they have some. */
  readonly files: readonly TestFile[];
  readonly cases: readonly TestCase[];
  /** The context in which examples are read. */
  readonly reading: CallReading;
  /** True if the rules' own examples count: not where files are named. */
  readonly examples: "checked" | "left out";
}

/** Loads the policy and the tests that the line names. Throws PolicyError with everything that is wrong in test files. */
export async function loadSuite(invocation: Invocation, runtime: Runtime): Promise<LoadedSuite> {
  const policy = await openPolicyOf(invocation, runtime);
  const { workspace, platform } = policy.location;
  const named = invocation.operands;
  const paths = await testPaths(named, { workspace, runtime });
  const read = paths.map((path) => {
    const each = readTestFile(runtime.readText(path), path);
    if (!isLinkedOut(runtime, path, policy.location)) return each;
    const problems = unquotedProblems(each.problems).map((problem) => ({
      ...problem,
      path,
      text: "",
    }));
    return { ...each, problems };
  });
  const inline = named.length > 0 ? [] : inlineTests(policy);
  const files = [...inline, ...read.map(({ file }) => file)];
  const reading = { profiles: policy.policy.profiles, workspace, platform };
  const { cases, problems } = testCases(files, reading);
  const found = [...read.flatMap((each) => each.problems), ...problems];
  if (found.some(({ severity }) => severity === "error")) {
    throw new PolicyError(inOrder(found, files.map(({ path }) => path)));
  }
  const color = colorFor(invocation, runtime, "stderr");
  for (const each of found) await runtime.write("stderr", problemText(each, { color }));
  return { policy, files, cases, reading, examples: named.length > 0 ? "left out" : "checked" };
}

async function openPolicyOf(invocation: Invocation, runtime: Runtime): Promise<LoadedPolicy> {
  if (hasFlag(invocation, "all-sources")) return await openPolicyFor(trusting(invocation), runtime);
  const policy = await openTeamPolicy(runtime, policyOptions(invocation));
  await printPolicyWarnings(policy, { invocation, runtime, tell: "all" });
  return policy;
}

/** The paths of the test files, each once, in the order of the line, or sorted where nothing is named. */
async function testPaths(
  named: readonly string[],
  { workspace, runtime }: { readonly workspace: string; readonly runtime: Runtime },
): Promise<readonly string[]> {
  // Loads the Node layer, which a bundle has in files of its own.
  const { findTestFiles, testFilesBelow } = await import("../../io/load/find_test_files.ts");
  if (named.length === 0) return withoutRepeats(findTestFiles(workspace), runtime);
  const style = pathStyle(runtime.platform);
  const paths = named.flatMap((word) => {
    const path = style.absolute(word, runtime.cwd());
    const kind = runtime.stat(path);
    if (kind === undefined) throw missing(word, { path, what: "there is no such file" });
    if (kind !== "directory") return [path];
    const found = testFilesBelow(path);
    if (found.length > 0) return found;
    throw missing(word, { path, what: "the folder has no *.perms.toml" });
  });
  return withoutRepeats(paths, runtime);
}

/** Removes paths of the same file, in other spellings or through links too. */
function withoutRepeats(paths: readonly string[], runtime: Runtime): readonly string[] {
  const kept = new Map<string, string>();
  for (const path of paths) {
    const real = runtime.realPath(path) ?? path;
    if (!kept.has(real) || path === real) kept.set(real, path);
  }
  return [...kept.values()];
}

function missing(
  word: string,
  { path, what }: { readonly path: string; readonly what: string },
): FileError {
  return new FileError(`Cannot read "${word}": ${what}`, { path, fault: "not-found" });
}

/** The policies that have tests of their own, highest first. */
function inlineTests({ sources }: LoadedPolicy): readonly TestFile[] {
  return sources.entries.flatMap(({ state, path, text = "", file }) => {
    const tests = file?.tests ?? [];
    return state === "read" && tests.length > 0 ? [{ path, text, tests }] : [];
  });
}
