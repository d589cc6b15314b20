/** The steps of action.yml, run as GitHub's runner runs them. */
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type Ended, environment, finish } from "./process.ts";
import { REPO } from "./spec_run.ts";

/** A step of the action. */
export interface ActionStep {
  /** Its name. */
  readonly name: string;
  /** Its name in expressions. */
  readonly id?: string;
  /** When it runs; always when left out. */
  readonly if?: string;
  /** Its script; absent for a step that is an action. */
  readonly run?: string;
  /** The action that it is. */
  readonly uses?: string;
  /** The inputs of that action, with expressions. */
  readonly with?: Readonly<Record<string, string>>;
  /** Its variables, with expressions. */
  readonly env?: Readonly<Record<string, string>>;
  /** The shell of its script. */
  readonly shell?: string;
}

/** The inputs and steps of action.yml. */
export interface Action {
  /** The inputs and their defaults. */
  readonly inputs: Readonly<
    Record<string, { readonly description: string; readonly default: string }>
  >;
  /** The steps, and the way that they run. */
  readonly runs: { readonly using: string; readonly steps: readonly ActionStep[] };
}

/** The action. */
export const ACTION: Action = parse(readFileSync(join(REPO, "action.yml"), "utf8"));

/** The place and the inputs of one run of the action. */
export interface ActionRun {
  /** The checkout. */
  readonly cwd: string;
  /** An empty folder for the files that the runner keeps. */
  readonly kept: string;
  /** The folder of the action, as the runner has checked it out; that of the source when left out. */
  readonly action?: string;
  /** Inputs that are given. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** The base of the pull request; absent for a run without one. */
  readonly base?: string;
  /** The number of the pull request and the API that has its comments; absent for a run without one. */
  readonly pull?: {
    readonly number: string;
    readonly api: string;
    readonly token: string;
  };
}

/** The outcome of a run. */
export interface ActionEnd {
  /** The end of each step that ran, by name. */
  readonly steps: ReadonlyMap<string, Ended>;
  /** The text that the steps wrote into the summary of the run. */
  readonly summary: string;
  /** The PATH of the steps that follow. */
  readonly path: string;
}

/** A run under way: what its steps have told the runner. */
interface Runner {
  readonly run: ActionRun;
  readonly outputs: Map<string, string>;
  path: string;
}

/** The files through which a step talks to the runner. */
const FILES = ["GITHUB_OUTPUT", "GITHUB_PATH"] as const;

/** Runs every step that its condition lets run, with a cache that an earlier run has filled. */
export async function runAction(run: ActionRun): Promise<ActionEnd> {
  const { kept } = run;
  const summary = join(kept, "summary.md");
  writeFileSync(summary, "");
  const runner: Runner = { run, outputs: new Map(), path: environment()["PATH"] ?? "" };
  const steps = new Map<string, Ended>();
  for (const step of ACTION.runs.steps) {
    if (step.if !== undefined && !evaluated(step.if, runner)) continue;
    if (step.uses === undefined) steps.set(step.name, await runScript(step, runner));
    else restore(step, runner);
  }
  return { steps, summary: readFileSync(summary, "utf8"), path: runner.path };
}

async function runScript(step: ActionStep, runner: Runner): Promise<Ended> {
  const { cwd, kept, action = REPO, pull } = runner.run;
  const script = join(kept, "step.sh");
  writeFileSync(script, step.run ?? "");
  const files = Object.fromEntries(FILES.map((name) => [name, join(kept, name)]));
  for (const path of Object.values(files)) writeFileSync(path, "");
  const env = {
    HOME: kept,
    PATH: runner.path,
    GITHUB_ACTION_PATH: action,
    GITHUB_STEP_SUMMARY: join(kept, "summary.md"),
    GITHUB_API_URL: pull?.api ?? "https://api.invalid",
    GITHUB_REPOSITORY: "owner/name",
    RUNNER_TEMP: kept,
    ...files,
    ...variables(step.env ?? {}, runner),
  };
  const words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", script];
  const ended = await finish(words, { cwd, env });
  const [outputs, paths] = FILES.map((name) => readFileSync(files[name]!, "utf8").trim());
  for (const line of outputs!.split("\n").filter((line) => line !== "")) {
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/.exec(line) ?? [];
    runner.outputs.set(`steps.${step.id}.outputs.${name}`, value);
  }
  for (const line of paths!.split("\n").filter((line) => line !== "")) {
    runner.path = `${line}:${runner.path}`;
  }
  return ended;
}

/** Plays `actions/cache`, with the packages that Deno has on this machine as what an earlier run has left. */
function restore(step: ActionStep, runner: Runner): void {
  const { path = "", key = "" } = variables(step.with ?? {}, runner);
  if (!/^actions\/cache@v\d+$/.test(step.uses!) || !/^caliban-deno-[\w.-]+$/.test(key)) {
    throw new Error(`Cannot run the step "${step.name}"`);
  }
  const packages = environment()["DENO_DIR"];
  rmSync(join(path, "packages"), { force: true });
  if (packages !== undefined) symlinkSync(packages, join(path, "packages"));
}

function variables(
  texts: Readonly<Record<string, string>>,
  runner: Runner,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ (.+?) \}\}/g, (_all, expression: string) => {
        const values = expression.split(" || ").map((word) => valueOf(word, runner));
        return values.find((value) => value !== "") ?? "";
      }),
    ]),
  );
}

/** Conditions are comparisons with texts, all of which must hold; another step's failure may be passed over. */
function evaluated(condition: string, runner: Runner): boolean {
  const clauses = /^\$\{\{ (.+) \}\}$/.exec(condition)?.[1]?.split(" && ") ?? [""];
  return clauses.every((clause) => {
    if (clause === "!cancelled()") return true;
    const [, word, sign, text] = /^(\S+) (==|!=) '([a-z]*)'$/.exec(clause) ?? [];
    if (word === undefined) throw new Error(`Cannot evaluate "${condition}"`);
    return (valueOf(word, runner) === text) === (sign === "==");
  });
}

function valueOf(word: string, { run: { inputs = {}, base = "", pull, kept }, outputs }: Runner) {
  const facts: Readonly<Record<string, string>> = {
    "github.event.pull_request.base.sha": base,
    "github.event.pull_request.number": pull?.number ?? "",
    "github.token": pull?.token ?? "",
    "runner.temp": kept,
    "runner.os": "Linux",
    "runner.arch": "X64",
    ...Object.fromEntries(outputs),
  };
  if (facts[word] !== undefined) return facts[word];
  if (word.startsWith("steps.")) return "";
  const name = /^inputs\.([a-z-]+)$/.exec(word)?.[1] ?? "";
  const known = ACTION.inputs[name];
  if (known === undefined) throw new Error(`Cannot evaluate "${word}"`);
  const value = inputs[name] ?? known.default;
  return value === "${{ github.token }}" ? facts["github.token"]! : value;
}

/** The commands in a step's log that GitHub's runner obeys: those that do not stand between `stop-commands` and its token. */
export function obeyed(log: string): readonly string[] {
  let token: string | undefined;
  const commands: string[] = [];
  for (const line of log.split(/\r\n|[\r\n]/)) {
    const text = line.trimStart();
    if (token !== undefined) {
      if (text === `::${token}::`) token = undefined;
    } else if (text.startsWith("::stop-commands::")) {
      token = text.slice("::stop-commands::".length);
    } else if (text.startsWith("::") || text.includes("##[")) {
      commands.push(text);
    }
  }
  return token === undefined ? commands : [...commands, "commands are still stopped"];
}
