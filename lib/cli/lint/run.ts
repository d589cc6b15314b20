import type { AgentName } from "../../agents/registry.ts";
import { findRepository } from "../../io/git/repository.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { agentGap } from "../../lint/checks/denies/agent_gap.ts";
import { type LintResult, lintScene } from "../../lint/lint_scene.ts";
import { FINDING_IDS } from "../../lint/registry.ts";
import type { Selection } from "../../lint/run_checks.ts";
import type { Finding } from "../../model/problem.ts";
import { LINT_FORMATS } from "../../report/formats.ts";
import {
  countFindings,
  type FindingReport,
  type FindingStyle,
} from "../../report/lint/finding_report.ts";
import { commandLine } from "../../text/quote.ts";
import { flagValue, flagValues, hasFlag, type Invocation } from "../args/verb.ts";
import { EXIT, UsageError } from "../errors/errors.ts";
import { inputWords } from "../output/call_notes.ts";
import { colorFor, styleFor } from "../output/choose_color.ts";
import { warn } from "../output/print.ts";
import { formatName, printReport } from "../output/print_report.ts";
import { type Progress, startProgress } from "../output/progress.ts";
import { VERSION } from "../version.ts";
import { agentNamed } from "../write/agent_settings.ts";
import { type LintScenes, openLintScenes } from "./scenes.ts";

/** Checks the policy's files and prints the findings. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const id = flagValue(invocation, "explain");
  if (id !== undefined) return await explain(id, { invocation, runtime });
  const selection = selectionOf(invocation);
  const limit = maxWarnings(invocation);
  const mode = fixMode(invocation);
  const format = formatName(invocation);
  if (mode === "show" && format !== "text") {
    throw new UsageError("--diff prints a diff and takes no format");
  }
  const agents = agentsOf(invocation, selection);
  const found = await openLintScenes(invocation, { runtime, agents });
  await noteNoFiles(found, runtime);
  const { opened, progress } = withProgress(found, { format, mode, runtime });
  if (mode !== "look") {
    const { runFixes } = await import("./fix.ts");
    const { results, fixed, shown } = await runFixes(opened, {
      selection,
      mode,
      runtime,
      progress,
    });
    await progress.clear();
    if (shown) return statusOf(results, limit);
    return await report({ results, fixed }, { opened, format, limit, invocation, runtime });
  }
  const results = opened.scenes.map((scene) => lintScene(scene, selection));
  await progress.clear();
  return await report({ results, fixed: [] }, { opened, format, limit, invocation, runtime });
}

/** The steps of the analysis for each rule; most rules have fewer. */
const STEPS = 3;

/** The scenes with a progress that their analyses tell; those of fixes are made again and again. */
function withProgress(
  opened: LintScenes,
  { format, mode, runtime }: { format: string; mode: FixMode; runtime: Runtime },
): { readonly opened: LintScenes; readonly progress: Progress } {
  const rules = opened.scenes.flatMap(({ entries }) => entries)
    .reduce((sum, { rules = [], file }) => sum + (file?.rules ?? rules).length, 0);
  let steps = 0;
  const progress = startProgress(runtime, {
    noun: "questions about rules",
    part: () => mode === "look" ? steps / (STEPS * rules) : undefined,
    stride: 8,
    isOff: format !== "text" && format !== "json",
  });
  const onStep = () => progress.tick(++steps);
  return {
    opened: { ...opened, scenes: opened.scenes.map((scene) => ({ ...scene, onStep })) },
    progress,
  };
}

interface Reporting {
  readonly opened: LintScenes;
  readonly format: string;
  readonly limit: number;
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

async function report(
  { results, fixed }: { results: readonly LintResult[]; fixed: readonly Finding[] },
  { opened, format, limit, invocation, runtime }: Reporting,
): Promise<number> {
  const { location } = opened;
  const color = styleFor(invocation, runtime);
  const style: FindingStyle = {
    color,
    folders: { ...location, from: location.cwd },
    root: () => findRepository(runtime, location.workspace) ?? location.workspace,
    version: VERSION,
    tryCommand: (finding) => tryCommand(finding, { invocation, results, others: opened.others }),
  };
  const whole: FindingReport = {
    findings: results.flatMap(({ findings }) => findings),
    files: results.flatMap(({ files }) => files),
    fixed,
  };
  await printReport(whole, { formats: LINT_FORMATS, format, style, runtime });
  return statusOf(results, limit);
}

/** 1 on an error or on too many warnings; notes never fail. */
function statusOf(results: readonly LintResult[], limit: number): number {
  const { errors, warnings } = countFindings(results.flatMap(({ findings }) => findings));
  return errors > 0 || warnings > limit ? 1 : EXIT.ok;
}

async function noteNoFiles({ scenes }: LintScenes, runtime: Runtime): Promise<void> {
  if (scenes.some(({ paths }) => paths.length > 0)) return;
  await warn(runtime, {
    label: "note:",
    message: 'No policy file found; "caliban init" creates one',
  });
}

async function explain(
  id: string,
  { invocation, runtime }: { invocation: Invocation; runtime: Runtime },
): Promise<number> {
  if (invocation.operands.length > 0) {
    throw new UsageError("--explain takes no file", { hint: "Omit the file" });
  }
  const { explainText } = await import("./explain_finding.ts");
  const color = colorFor(invocation, runtime);
  await runtime.write("stdout", explainText(knownId(id), color));
  return EXIT.ok;
}

/** The context of a command that tries a witness. */
interface Trying {
  /** The command line of lint. */
  readonly invocation: Invocation;
  readonly results: readonly LintResult[];
  /** Paths of the files that were looked at by themselves. */
  readonly others: readonly string[];
}

/** The command line that tries a finding's witness under the policy that it was found in; empty without a witness. */
function tryCommand(
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

const AGENT_GAP = agentGap.id;

/** The treatment of fixes: ignored, shown as a diff, or written. */
type FixMode = "look" | "show" | "write";

/** The findings that `--select` and `--ignore` want. Throws UsageError for an id that there is not. */
function selectionOf(invocation: Invocation): Selection {
  const select = idsOf(invocation, "select");
  const ignore = idsOf(invocation, "ignore");
  return { ...(select.length === 0 ? {} : { select }), ignore };
}

/** The agents that `--agent` names, each once. Throws UsageError for an unknown one, and where a finding needs one. */
function agentsOf(
  invocation: Invocation,
  { select = [] }: Selection,
): readonly AgentName[] {
  const agents = [...new Set(flagValues(invocation, "agent").map(agentNamed))];
  if (agents.length > 0 || !select.includes(AGENT_GAP)) return agents;
  throw new UsageError(`${AGENT_GAP} needs an agent: name it with --agent`, {
    hint: "For example:",
    command: `caliban perms lint --select ${AGENT_GAP} --agent codex`,
  });
}

/** Checks and returns an id. Throws UsageError for an unknown finding. */
function knownId(id: string): string {
  if (FINDING_IDS.includes(id)) return id;
  throw new UsageError(`Unknown finding "${id}"`, {
    unknown: { word: id, known: FINDING_IDS },
    hint: `The findings are: ${FINDING_IDS.join(", ")}`,
  });
}

/** The number of warnings to accept. Throws UsageError for a value that is not a whole number. */
function maxWarnings(invocation: Invocation): number {
  const value = flagValue(invocation, "max-warnings") ?? "0";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new UsageError(
    `Flag "--max-warnings" cannot be "${value}": expected a whole number from 0`,
  );
}

/** The mode that `--fix` and `--diff` select. Throws UsageError for `--diff` alone. */
function fixMode(invocation: Invocation): FixMode {
  const diff = hasFlag(invocation, "diff");
  if (hasFlag(invocation, "fix")) return diff ? "show" : "write";
  if (!diff) return "look";
  throw new UsageError("--diff needs --fix", {
    hint: "Give both:",
    command: "caliban perms lint --fix --diff",
  });
}

/** The ids of a flag, in the order given; between two commas there must be one. */
function idsOf(invocation: Invocation, flag: string): readonly string[] {
  return flagValues(invocation, flag)
    .flatMap((value) => value.split(","))
    .map((id) => knownId(id.trim()));
}
