import { isAgentName } from "../agents/registry.ts";
import { compileEarly } from "../io/runtime/choose_runtime.ts";
import { FileError, type Runtime } from "../io/runtime/runtime.ts";
import { EXIT, UsageError, WriteError } from "./errors/errors.ts";
import { FAMILY, findVerb, type FoundVerb, pathsOf, type Verb } from "./args/verb.ts";
import { parseArgs } from "./args/parse_args.ts";
import { CHECK } from "./check/table.ts";
import { HOOK } from "./hook/table.ts";

/**
 * Runs one command line (without the program's name) and answers the exit status. Reports every failure on stderr with a
 * status of 64 or above. Never throws.
 */
export async function run(argv: readonly string[], runtime: Runtime): Promise<number> {
  try {
    const status = await dispatch(argv, withWriteErrors(runtime));
    return status >= EXIT.usage && isHookLine(argv) ? EXIT.stop : status;
  } catch (error) {
    if (isHookLine(argv)) {
      const { hookFailure } = await import("./hook/failure.ts");
      return await hookFailure(error, { argv, runtime });
    }
    const { reportFailure } = await import("./errors/failure.ts");
    const verbs = await allVerbs().catch(() => [CHECK, HOOK]);
    return await reportFailure(error, { argv, runtime, verbs });
  }
}

async function allVerbs(): Promise<readonly Verb[]> {
  const { VERBS } = await import("./registry.ts");
  return VERBS;
}

/**
 * The verbs that a line can name. An agent waits for the answer of `check` and `hook`, so that these load no table but their
 * own.
 */
async function verbsFor(argv: readonly string[]): Promise<readonly Verb[]> {
  if (isHookLine(argv)) return [HOOK];
  return verbWord(argv) === "check" ? [CHECK] : await allVerbs();
}

/** The first word of a line that may name a verb. */
function verbWord(argv: readonly string[]): string | undefined {
  return argv[0] === FAMILY ? argv[1] : argv[0];
}

/** Turns a FileError from writing into a WriteError, which has its own exit status. */
function withWriteErrors(runtime: Runtime): Runtime {
  return {
    ...runtime,
    async write(stream, text) {
      try {
        return await runtime.write(stream, text);
      } catch (cause) {
        throw cause instanceof FileError ? new WriteError(cause.message, { cause }) : cause;
      }
    },
  };
}

async function dispatch(argv: readonly string[], runtime: Runtime): Promise<number> {
  checkText(argv);
  const verbs = await verbsFor(argv);
  const found = findVerb(argv, verbs);
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  const asksVersion = words.some((word) => word === "--version" || word === "-V");
  const asksHelp = words.some((word) => word === "--help" || word === "-h");
  if (asksHelp || asksVersion) checkPerson(argv, runtime);
  if (asksHelp) return await showHelp(argv, { runtime, found });
  if (asksVersion) return await showVersion(runtime, found);
  if (found === undefined) {
    const [first, ...rest] = argv[0] === FAMILY ? argv.slice(1) : argv;
    if (first === "help") return await showHelp(rest, { runtime, found: findVerb(rest, verbs) });
    if (first === "version" && rest.length === 0) return await showVersion(runtime, found);
  }
  if (isGroupAlone(argv, found) && isPerson(argv, runtime)) {
    await showGroup(argv, runtime);
    return EXIT.usage;
  }
  if (found !== undefined) {
    const invocation = parseArgs(found.verb, found.args);
    if (found.verb !== CHECK && found.verb !== HOOK) {
      compileEarly();
      const { loadParserOnCall } = await import("./input/load_parser.ts");
      await loadParserOnCall();
    }
    const { run } = await found.verb.load();
    return await run(invocation, runtime, verbs);
  }
  const first = verbWord(argv);
  if (first !== undefined) throw unknownVerb(argv, verbs);
  await showGroup(argv, runtime);
  return EXIT.usage;
}

/** True for the first word of several verbs alone, where that is no whole line: `hook`, `auto`, `mcp`. */
function isGroupAlone(argv: readonly string[], found: FoundVerb | undefined): boolean {
  if (argv.length !== 1 || !GROUP_WORDS.includes(argv[0]!)) return false;
  return found === undefined || found.verb.operands.some(({ optional }) => optional !== true);
}

/** The first words of several verbs; the tests compare them with the registry. */
export const GROUP_WORDS: readonly string[] = [FAMILY, "auto", "hook", "mcp"];

/** Prints the verbs of a group, or the first screen of help, where nothing was asked for. */
async function showGroup(argv: readonly string[], runtime: Runtime): Promise<void> {
  const { generalHelp } = await import("./help.ts");
  await runtime.write("stderr", generalHelp(argv, await allVerbs()));
}

/** Throws UsageError for an argument with a NUL character or a lone surrogate, before anything reads it. */
function checkText(argv: readonly string[]): void {
  for (const [index, arg] of argv.entries()) {
    if (arg.includes("\0")) throw new UsageError(`Argument ${index + 1} contains a NUL character`);
    if (!arg.isWellFormed()) throw new UsageError(`Argument ${index + 1} is not valid Unicode`);
  }
}

/** INVARIANT: an agent that asks is answered; help would be taken for an answer by some, and for none by others. */
function checkPerson(argv: readonly string[], runtime: Runtime): void {
  if (isPerson(argv, runtime) || !argv.some(isAgentName)) return;
  throw new UsageError("Cannot show help to an agent: standard input is not a terminal");
}

/** True unless the line is one by which an agent asks. */
function isPerson(argv: readonly string[], runtime: Runtime): boolean {
  return !isHookLine(argv) || runtime.isTerminal("stdin");
}

async function showHelp(
  argv: readonly string[],
  options: { runtime: Runtime; found: FoundVerb | undefined },
): Promise<number> {
  const { runtime, found } = options;
  const { generalHelp, TOPICS, verbHelp } = await import("./help.ts");
  if (found !== undefined) {
    await runtime.write("stdout", verbHelp(found.verb, await found.verb.loadDetails?.()));
    return statusOfHelp(found);
  }
  const verbs = await allVerbs();
  const words = argv.filter((word) => word === "--all" || !word.startsWith("-"));
  const later = findVerb(words, verbs);
  if (later !== undefined) {
    return await showHelp(words, { runtime, found: later });
  }
  const named = words.filter((word) => word !== "--all");
  const [topic = ""] = named;
  const isKnown = named.length === 1 && (TOPICS.includes(topic) || GROUP_WORDS.includes(topic));
  if (named.length > 0 && !isKnown) throw unknownVerb(named, verbs);
  await runtime.write("stdout", generalHelp(words, verbs));
  return EXIT.ok;
}

async function showVersion(runtime: Runtime, found: FoundVerb | undefined): Promise<number> {
  const { versionLine } = await import("./version.ts");
  await runtime.write("stdout", versionLine(runtime));
  return found === undefined ? EXIT.ok : statusOfHelp(found);
}

/**
 * INVARIANT: a status of 0 from a verb for which it means `allow` comes from a verdict only. In `check Bash "$command"`
 * the command can be `--help`, so help requested among operands does not count as success there.
 */
function statusOfHelp({ verb, args }: FoundVerb): number {
  const operands = args.some((arg) => arg === "-" || !arg.startsWith("-"));
  return verb.statuses !== undefined && operands ? EXIT.usage : EXIT.ok;
}

function unknownVerb(argv: readonly string[], verbs: readonly Verb[]): UsageError {
  const word = verbWord(argv) ?? "";
  if (word.startsWith("-")) {
    return new UsageError(`Unknown flag "${word}" before a verb`, {
      hint: "Flags come after the verb:",
      command: "caliban perms check --json Bash ls",
    });
  }
  const paths = verbs.flatMap(pathsOf).map((path) => path.join(" "));
  const [first = "", second] = argv;
  const members = paths.filter((path) => path.startsWith(`${first} `));
  if (second !== undefined && first !== FAMILY && members.length > 0) {
    const whole = `${first} ${second}`;
    return new UsageError(`Unknown verb "${whole}"`, {
      unknown: { word: whole, known: members },
      hint: `"caliban help ${first}" lists its verbs`,
    });
  }
  const known = [...paths, FAMILY, "help", "version"];
  return new UsageError(`Unknown verb "${word}"`, { unknown: { word, known } });
}

/** The verbs that begin with `hook`; any other word is an agent. */
const OTHERS = ["try", "install", "update", "uninstall"];

/**
 * True if a command line answers an agent: `hook`, but no other verb that begins with it. INVARIANT: any failure in
 * such a line stops the agent's call, however wrong the line is.
 */
function isHookLine(argv: readonly string[]): boolean {
  return argv[0] === "hook" && !OTHERS.includes(argv[1] ?? "");
}
