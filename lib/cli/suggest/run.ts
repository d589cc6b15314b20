import { evaluate } from "../../decide/evaluate.ts";
import { defaultMode, modeNamed } from "../../decide/modes.ts";
import { type LoadedPolicy, pathContext } from "../../io/load/load_policy.ts";
import { rememberedLooks } from "../../io/load/remembered_looks.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { lintScene } from "../../lint/lint_scene.ts";
import type { ToolCall } from "../../model/call.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import { addToText } from "../../policy/edit/add_to_text.ts";
import { SUGGEST_FORMATS } from "../../report/formats.ts";
import type { ShownCall, SuggestionsReport } from "../../report/suggest/suggestions_report.ts";
import { AskScan } from "../../suggest/ask_scan.ts";
import { type DecideContext, decideIn } from "../../suggest/check_patterns.ts";
import { ClassScan } from "../../suggest/class_scan.ts";
import { findSet, type FoundRule, type FoundSet } from "../../suggest/find_rules.ts";
import { addCommand } from "../../suggest/find_suggested_rule.ts";
import { adder, withPatterns } from "../../suggest/policy_with_texts.ts";
import { OwnToolScan } from "../../suggest/own_tools.ts";
import { type KeptCall, KeptCalls } from "../../suggest/recorded_calls.ts";
import { isExact, type RecordedCall } from "../../suite/replay_calls.ts";
import { callText } from "../../text/call_text.ts";
import { flagValue, type Invocation } from "../args/verb.ts";
import { EXIT, UsageError } from "../errors/errors.ts";
import { readRecords, recordFiles, type RecordsRead } from "../input/call_records.ts";
import { openPolicyFor, trusting } from "../input/open_policy.ts";
import { styleFor } from "../output/choose_color.ts";
import { warn } from "../output/print.ts";
import { formatName, printReport } from "../output/print_report.ts";
import { type ScopeFile, scopeFile } from "../write/scope_file.ts";
import { editRefused } from "../write/write_file.ts";

/** Witnesses shown of each rule. */
const WITNESSES = 3;

/** Finds rules for what recorded calls ask, and prints them. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const percent = numberOf("cover", { invocation, fallback: 90 });
  const max = numberOf("max", { invocation, fallback: 10 });
  // As lint does: what is not trusted yet will have to be for a rule in it to count.
  const looks = rememberedLooks(runtime);
  const loaded = await openPolicyFor(trusting(invocation), looks.runtime);
  const file = suggestTarget(loaded, { scope: flagValue(invocation, "scope"), runtime });
  const { policy } = loaded;
  const mode = modeNamed(flagValue(invocation, "permission-mode") ?? "default") ?? defaultMode;
  const deciding: DecideContext = { mode, now: runtime.now() };
  const withRule = remembered((pattern) =>
    withPatterns(policy, { patterns: [pattern], file, add: adder(policy.profiles) })?.policy
  );
  const classes = new ClassScan({ policy, options: { now: deciding.now }, withRule });
  const own = new OwnToolScan(policy);
  const scan = new AskScan({
    policy,
    classes,
    own,
    decide: (policy, call) => decideIn(policy, call, deciding),
  });
  const names = invocation.operands;
  looks.rememberBriefly();
  const first = await firstPass(
    { names, policy, runtime },
    ({ call, answer }) => scan.add(call, answer === undefined ? {} : { answer }),
  );
  const surroundings = {
    context: pathContext(looks.runtime, loaded.location),
    cwd: loaded.location.cwd,
  };
  const found = await findSet(scan.groups.groups, {
    percent,
    max,
    checking: {
      policy,
      file,
      lint: (entries) =>
        lintScene({ entries, paths: [file.path], surroundings, now: deciding.now }).findings,
      deciding,
      refused: scan.refused,
    },
    reread: (take) => nextPass({ names, policy, runtime, kept: first.kept }, take),
  });
  const report = reportOf({ scan, classes, own, first, found }, {
    loaded,
    file,
    invocation,
    deciding,
  });
  const [format, style] = [formatName(invocation), styleFor(invocation, runtime)];
  await printReport(report, { formats: SUGGEST_FORMATS, format, style, runtime });
  return first.badLines > 0 ? EXIT.badInput : EXIT.ok;
}

/** A whole number from 1 to 100. */
function numberOf(
  name: "cover" | "max",
  { invocation, fallback }: { readonly invocation: Invocation; readonly fallback: number },
): number {
  const text = flagValue(invocation, name);
  if (text === undefined) return fallback;
  const value = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= 100) return value;
  throw new UsageError(`Cannot read --${name} "${text}": expected a whole number from 1 to 100`);
}

/** The function with its results, which a few texts have. */
function remembered<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (!known.has(text)) known.set(text, make(text));
    return known.get(text)!;
  };
}

interface Found {
  readonly classes: ClassScan;
  readonly own: OwnToolScan;
  readonly scan: AskScan;
  readonly first: FirstPass;
  readonly found: FoundSet;
}

interface Shown {
  readonly loaded: LoadedPolicy;
  readonly file: ScopeFile;
  readonly invocation: Invocation;
  readonly deciding: DecideContext;
}

function reportOf({ scan, classes, own, first, found }: Found, shown: Shown): SuggestionsReport {
  const { file: { scope }, invocation } = shown;
  const workspace = flagValue(invocation, "workspace");
  const show = (calls: readonly ToolCall[]) => calls.map((call) => shownCall(call, shown));
  return {
    calls: scan.calls,
    asks: scan.asks,
    answered: found.answered,
    suggestions: found.rules.map(({ pattern, answers, examples, witnesses }: FoundRule) => ({
      pattern,
      answers,
      examples: show(examples),
      alsoAllows: show(witnesses.slice(0, WITNESSES)),
      command: addCommand({ pattern, action: "allow", scope, first: false }, { workspace }),
    })),
    classes: classes.offers(scan.refused).map(({ pattern, examples, ...offer }) => ({
      ...offer,
      pattern,
      examples: show(examples),
      command: addCommand({ pattern, action: "allow", scope, first: false }, { workspace }),
    })),
    own: own.found(),
    refused: [...found.refused].map(([pattern, fault]) => ({ pattern, ...fault }))
      .sort((a, b) => b.asks - a.asks || (a.pattern < b.pattern ? -1 : 1)),
    closed: scan.closed,
    inexact: first.inexact,
    badLines: first.badLines,
    notKept: first.kept.cut,
    dropped: scan.groups.dropped,
  };
}

function shownCall(call: ToolCall, { loaded: { policy }, deciding: { now } }: Shown): ShownCall {
  return { call, text: callText(call, evaluate(policy, call, { now }).units) };
}

/** A rule that no file contains: adding it shows if the file can be edited at all. */
const PROBE = { pattern: "Bash:caliban-suggest-probe", action: "allow" } as const;

/**
 * The file that suggested rules would go to. Throws UsageError where `--scope` must be named or its file is excluded, and
 * PolicyError for a file that `add` would not edit.
 */
function suggestTarget(
  { location, policy, sources }: LoadedPolicy,
  { scope, runtime }: { readonly scope: string | undefined; readonly runtime: Runtime },
): ScopeFile {
  const file = scopeFile(runtime, { location, scope });
  const entry = sources.entries.find(({ kind, path }) => kind === file.scope && path === file.path);
  if (entry === undefined || entry.state === "off") {
    throw new UsageError(`Cannot suggest rules for "${file.path}": a flag excludes it`, {
      hint: "Name another file with --scope, or omit the flag that excludes it",
    });
  }
  const { profiles } = policy;
  const result = addToText(entry.text ?? "", { rule: PROBE, first: false, profiles });
  if (result.kind === "refused") throw editRefused(result.why, file.path);
  return file;
}

/** The records to read, and the policy to decide them with. */
interface PassOptions {
  /** The names on the command line; none for the audit log. */
  readonly names: readonly string[];
  readonly policy: CompiledPolicy;
  readonly runtime: Runtime;
}

/** The result of the first reading of all records. */
interface FirstPass {
  /** The calls from standard input, as far as they fit in memory. */
  readonly kept: KeptCalls;
  /** Calls that are not whole, and were passed over. */
  readonly inexact: number;
  /** Lines that cannot be read. */
  readonly badLines: number;
}

/** Takes a call that is recorded, or the same one several times. */
type TakeCall = (recorded: KeptCall) => void;

/** Reads all records once and prints the unreadable lines on stderr. Throws FileError. */
async function firstPass(options: PassOptions, take: TakeCall): Promise<FirstPass> {
  const { runtime } = options;
  const kept = new KeptCalls();
  const { inexact, read } = await readAll(options, (recorded, name) => {
    if (name === "-") kept.add(recorded);
    take(recorded);
  });
  for (const message of read.warnings) await warn(runtime, { message });
  return { kept, inexact, badLines: read.bad };
}

/** Reads the files again; of standard input comes what was kept. Throws FileError. */
async function nextPass(
  options: PassOptions & Pick<FirstPass, "kept">,
  take: TakeCall,
): Promise<void> {
  for (const recorded of options.kept.calls) take(recorded);
  const names = options.names.filter((name) => name !== "-");
  if (names.length === 0 && options.names.length > 0) return;
  await readAll({ ...options, names }, take);
}

interface PassResult {
  readonly inexact: number;
  readonly read: RecordsRead;
}

async function readAll(
  { names, policy, runtime }: PassOptions,
  take: (recorded: KeptCall, name: string | undefined) => void,
): Promise<PassResult> {
  let inexact = 0;
  const read = await readRecords(await recordFiles(names, runtime), {
    runtime,
    take(recorded, index) {
      if (isExact(recorded, policy)) take(keptOf(recorded), names[index]);
      else inexact++;
    },
  });
  return { inexact, read };
}

function keptOf({ call, refused }: RecordedCall): KeptCall {
  return refused ? { call, times: 1, answer: "refused" } : { call, times: 1 };
}
