import { findRepository } from "../../io/git/repository.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { type LintResult, lintScene } from "../../lint/lint_scene.ts";
import type { Finding } from "../../model/finding.ts";
import { LINT_FORMATS } from "../../report/formats.ts";
import {
  countFindings,
  type FindingReport,
  type FindingStyle,
} from "../../report/lint/finding_report.ts";
import { commandLine } from "../../text/quote.ts";
import { colorFor } from "../output/choose_color.ts";
import { UsageError } from "../errors/errors.ts";
import { EXIT } from "../errors/exit_status.ts";
import { flagValue, flagValues, hasFlag } from "../args/invocation.ts";
import type { Invocation } from "../args/verb.ts";
import { VERSION } from "../version.ts";
import { warn } from "../output/print.ts";
import { agentsOf, fixMode, knownId, maxWarnings, selectionOf } from "./flags.ts";
import { inputWords } from "../output/call_command.ts";
import { formatName, printReport } from "../output/print_report.ts";
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
  const opened = await openLintScenes(invocation, { runtime, agents });
  await noteNoFiles(opened, runtime);
  if (mode !== "look") {
    const { runFixes } = await import("./fix.ts");
    const { results, fixed, shown } = await runFixes(opened, { selection, mode, runtime });
    if (shown) return statusOf(results, limit);
    return await report({ results, fixed }, { opened, format, limit, invocation, runtime });
  }
  const results = opened.scenes.map((scene) => lintScene(scene, selection));
  return await report({ results, fixed: [] }, { opened, format, limit, invocation, runtime });
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
  const color = colorFor(invocation, runtime);
  const style: FindingStyle = {
    color,
    folders: location,
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
