import { findRepository } from "../../io/load/find_repository.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { type LintResult, lintScene } from "../../lint/lint_scene.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Finding } from "../../model/finding.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import { FINDING_FORMATS } from "../../report/lint/finding_formats.ts";
import {
  countFindings,
  type FindingReport,
  type FindingStyle,
} from "../../report/lint/finding_report.ts";
import { commandLine } from "../../text/quote.ts";
import { chooseColor } from "../choose_color.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue, flagValues, hasFlag } from "../invocation.ts";
import type { Invocation } from "../verb.ts";
import { VERSION } from "../version.ts";
import { warn } from "../warn.ts";
import { agentsOf, fixMode, formatName, knownId, maxWarnings, selectionOf } from "./flags.ts";
import { type LintScenes, openLintScenes } from "./scenes.ts";

/** Looks at the policy's files and says what it finds. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const id = flagValue(invocation, "explain");
  if (id !== undefined) return await explain(id, { invocation, runtime });
  const selection = selectionOf(invocation);
  const limit = maxWarnings(invocation);
  const mode = fixMode(invocation);
  const format = formatName(invocation);
  if (mode === "show" && format !== "text") {
    throw new UsageError("--diff prints a diff, so it takes no format");
  }
  const agents = agentsOf(invocation, selection);
  const opened = await openLintScenes(invocation, { runtime, agents });
  await sayWhenNothing(opened, runtime);
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
  const { facts } = opened;
  const color = chooseColor(runtime, { flag: flagValue(invocation, "color"), stream: "stdout" });
  const style: FindingStyle = {
    color,
    folders: facts,
    root: () => findRepository(runtime, facts.workspace) ?? facts.workspace,
    version: VERSION,
    tryCommand: (finding) => tryCommand(finding, { invocation, results, others: opened.others }),
  };
  const whole: FindingReport = {
    findings: results.flatMap(({ findings }) => findings),
    files: results.flatMap(({ files }) => files),
    fixed,
  };
  const write = await FINDING_FORMATS.find(({ name }) => name === format)!.load();
  await runtime.write("stdout", write(whole, style));
  return statusOf(results, limit);
}

/** 1 on an error or on too many warnings; notes never fail. */
function statusOf(results: readonly LintResult[], limit: number): number {
  const { errors, warnings } = countFindings(results.flatMap(({ findings }) => findings));
  return errors > 0 || warnings > limit ? 1 : EXIT.ok;
}

async function sayWhenNothing({ scenes }: LintScenes, runtime: Runtime): Promise<void> {
  if (scenes.some(({ paths }) => paths.length > 0)) return;
  await warn(runtime, {
    label: "note:",
    message: 'There is no policy file here; "caliban init" writes one',
  });
}

async function explain(
  id: string,
  { invocation, runtime }: { invocation: Invocation; runtime: Runtime },
): Promise<number> {
  if (invocation.operands.length > 0) {
    throw new UsageError("--explain looks at no file", { hint: "Leave the file out" });
  }
  const { explainText } = await import("../explain/finding.ts");
  const color = chooseColor(runtime, { flag: flagValue(invocation, "color"), stream: "stdout" });
  await runtime.write("stdout", explainText(knownId(id), color));
  return EXIT.ok;
}

/** What a command that tries a witness must say besides the call. */
interface Trying {
  /** How lint was called. */
  readonly invocation: Invocation;
  /** What it found. */
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
