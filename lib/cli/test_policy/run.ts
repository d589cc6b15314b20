import { modeNamed } from "../../decide/modes.ts";
import type { ToolCall } from "../../model/call.ts";
import type { WrittenTest } from "../../model/rule.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import { findRepository } from "../../io/git/repository.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { countsOf, runSuite } from "../../suite/run_suite.ts";
import { type Change, percentOf, type SuiteReport } from "../../suite/suite_report.ts";
import { leftOutOf } from "../../suite/team_sources.ts";
import { commandLine } from "../../text/quote.ts";
import { formatName, printReport } from "../output/print_report.ts";
import { TEST_FORMATS } from "../../report/formats.ts";
import { styleFor } from "../output/choose_color.ts";
import { EXIT, UsageError } from "../errors/errors.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { warn } from "../output/print.ts";
import { boundOf } from "../write/write_file.ts";
import { type LoadedSuite, loadSuite } from "./load.ts";

/** The request of a command line, apart from its sources. */
interface Asked {
  readonly invocation: Invocation;
  readonly format: string;
  /** The least coverage, in percent. */
  readonly least: number;
}

/** Runs the tests, once or whenever something changes. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const asked = { invocation, format: formatName(invocation), least: leastOf(invocation) };
  if (!hasFlag(invocation, "watch")) return await runOnce(asked, runtime);
  if (hasFlag(invocation, "update") || asked.format !== "text") {
    throw new UsageError("--watch excludes --update and every format but text");
  }
  const { listingFor, watch } = await import("./watch.ts");
  return await watch((recording) => runOnce(asked, recording), {
    runtime,
    listing: listingFor(invocation, runtime),
  });
}

/** The workspace of a file with tests; null for the user's own and for one that was named elsewhere. */
function workspaceOf(
  path: string,
  { location, sources: { entries } }: LoadedPolicy,
): string | null {
  const isOwn = entries.some((entry) => entry.kind === "user" && entry.path === path);
  return isOwn ? null : boundOf(path, location);
}

async function runOnce(asked: Asked, runtime: Runtime): Promise<number> {
  const suite = await loadSuite(asked.invocation, runtime);
  const outcome = outcomeOf(suite, runtime);
  if (countsOf(outcome).all === 0) {
    if (!hasFlag(asked.invocation, "permit-no-tests")) throw nothingToTest(asked.invocation);
    if (asked.format === "text" && asked.least === 0) {
      await runtime.write("stdout", "no tests\n");
      return EXIT.ok;
    }
  }
  if (!hasFlag(asked.invocation, "update")) {
    return await printSuite(suite, { outcome, updated: [], asked, runtime });
  }
  const { updateFiles } = await import("./update.ts");
  const updated = await updateFiles(outcome.cases, {
    within: (path) => workspaceOf(path, suite.policy),
    location: suite.policy.location,
    runtime,
  });
  if (updated.length === 0) return await printSuite(suite, { outcome, updated, asked, runtime });
  // The report is about the files as they are now.
  const again = await loadSuite(asked.invocation, runtime);
  return await printSuite(again, { outcome: outcomeOf(again, runtime), updated, asked, runtime });
}

function outcomeOf({ policy, cases, reading, examples }: LoadedSuite, runtime: Runtime) {
  return runSuite(policy.policy, cases, { reading, examples, now: runtime.now() });
}

interface SuiteRun extends Pick<SuiteReport, "outcome"> {
  readonly updated: readonly Change[];
  readonly asked: Asked;
  readonly runtime: Runtime;
}

/** False if there is no such file; true for one that may not be looked for. */
function mayBeThere(path: string, runtime: Runtime): boolean {
  try {
    return runtime.stat(path) !== undefined;
  } catch (error) {
    if (error instanceof FileError) return true;
    throw error;
  }
}

async function printSuite(
  { policy, files }: LoadedSuite,
  { outcome, updated, asked, runtime }: SuiteRun,
): Promise<number> {
  const { invocation, format, least } = asked;
  const { profiles } = policy.policy;
  const report: SuiteReport = {
    files,
    outcome,
    updated,
    entries: policy.sources.entries,
    leftOut: hasFlag(invocation, "all-sources") ? [] : leftOutOf(policy.sources, {
      rules: hasFlag(invocation, "rules") ? "named" : "none",
    }).filter((path) => mayBeThere(path, runtime)),
    folders: { ...policy.location, from: policy.location.cwd },
    root: () => findRepository(runtime, policy.location.workspace) ?? policy.location.workspace,
    explain: (each) => explainCommand(each, { invocation, runtime, profiles }),
  };
  const style = styleFor(invocation, runtime);
  await printReport(report, { formats: TEST_FORMATS, format, style, runtime });
  const percent = percentOf(outcome);
  if (percent < least) {
    await warn(runtime, {
      message: `the tests cover ${percent}% of the rules; --min-coverage is ${least}%`,
    });
  }
  return countsOf(outcome).failed > 0 || percent < least ? FAILED : EXIT.ok;
}

/** The exit status when a test failed. */
const FAILED = 1;

function leastOf(invocation: Invocation): number {
  const text = flagValue(invocation, "min-coverage");
  if (text === undefined) return 0;
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text);
  throw new UsageError(`Cannot read --min-coverage "${text}": expected a whole number up to 100`);
}

/** A run that tests nothing must not look as if everything passed. */
function nothingToTest({ operands }: Invocation): FileError {
  const message = operands.length > 0
    ? "Cannot find a test: the named files have no tests"
    : "Cannot find a test: no *.perms.toml beside or below .caliban has tests, and no rule has examples";
  return new FileError(message, { path: "*.perms.toml", fault: "not-found" });
}

/** The context of `explainCommand`. */
interface ExplainOptions {
  /** The line that the tests run by. */
  readonly invocation: Invocation;
  readonly runtime: Runtime;
  readonly profiles: ToolProfiles;
}

/** Flags of the line that explain takes too. */
const SAME = ["workspace", "rules", "no-project", "no-builtin"];

/** The command that explains a call as it was tested, except that explain cannot ignore the local rules. */
function explainCommand(
  { call, test }: { readonly call: ToolCall; readonly test: WrittenTest },
  { invocation, runtime, profiles }: ExplainOptions,
): string {
  const words = [call.tool, ...inputWords(call, profiles)];
  const isTeam = !invocation.flags.some(({ name }) => name === "all-sources");
  const hasNoUser = isTeam || invocation.flags.some(({ name }) => name === "no-user");
  const flags = [
    ...(hasNoUser ? ["--no-user"] : []),
    "--trust",
    ...invocation.flags.flatMap(({ name, value }) =>
      SAME.includes(name) ? [`--${name}`, ...(value === undefined ? [] : [value])] : []
    ),
    ...(call.cwd === undefined || call.cwd === runtime.cwd() ? [] : ["--cwd", call.cwd]),
    ...(test.mode === undefined ? [] : ["--permission-mode", test.mode]),
    ...(test.mode !== undefined && modeNamed(test.mode)?.liftsDenials
      ? ["--allow-dangerously-skip-permissions"]
      : []),
  ];
  const isPlain = words.every((word) => !word.startsWith("-"));
  return commandLine([
    "caliban",
    "explain",
    ...(isPlain ? [...words, ...flags] : [...flags, "--", ...words]),
  ]);
}

/** The first argument where the input is nothing else, and it would not be read as JSON or as standard input. */
function inputWords({ tool, input }: ToolCall, profiles: ToolProfiles): readonly string[] {
  const keys = Object.keys(input);
  if (keys.length === 0) return [];
  const [first] = profiles.get(tool).firstArg ?? [];
  const isAlone = keys.length === 1 && keys[0] === first;
  const text = first !== undefined && isAlone ? input[first] : undefined;
  const isText = typeof text === "string" && text !== "-" && !/^\s*\{/.test(text);
  return [isText ? text : JSON.stringify(input)];
}
