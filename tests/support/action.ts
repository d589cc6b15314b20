/** The steps of action.yml, run as GitHub's runner runs them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type Ended, finish } from "./process.ts";
import { REPO } from "./spec_run.ts";

/** A step of the action. */
export interface ActionStep {
  /** Its name. */
  readonly name: string;
  /** When it runs; always when left out. */
  readonly if?: string;
  /** Its script. */
  readonly run: string;
  /** Its variables, with expressions. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its shell. */
  readonly shell: string;
}

/** What action.yml says. */
export interface Action {
  /** The inputs and their defaults. */
  readonly inputs: Readonly<
    Record<string, { readonly description: string; readonly default: string }>
  >;
  /** How it runs. */
  readonly runs: { readonly using: string; readonly steps: readonly ActionStep[] };
}

/** The action. */
export const ACTION: Action = parse(readFileSync(join(REPO, "action.yml"), "utf8"));

/** Where and with what the action runs. */
export interface ActionRun {
  /** The checkout. */
  readonly cwd: string;
  /** An empty folder for what the runner keeps. */
  readonly kept: string;
  /** Inputs that are given. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** The base of the pull request, if it is one. */
  readonly base?: string;
}

/** What came of a run. */
export interface ActionEnd {
  /** What came of each step that ran, by name. */
  readonly steps: ReadonlyMap<string, Ended>;
  /** What was written into the summary of the run. */
  readonly summary: string;
}

/** Runs every step that its condition lets run. */
export async function runAction(run: ActionRun): Promise<ActionEnd> {
  const { cwd, kept } = run;
  const [summary, script, path] = ["summary.md", "step.sh", "path"].map((name) => join(kept, name));
  writeFileSync(summary!, "");
  writeFileSync(path!, "");
  const env = {
    HOME: kept,
    GITHUB_ACTION_PATH: REPO,
    GITHUB_STEP_SUMMARY: summary!,
    GITHUB_PATH: path!,
    RUNNER_TEMP: kept,
  };
  const steps = new Map<string, Ended>();
  for (const step of ACTION.runs.steps) {
    if (!runs(step, run)) continue;
    writeFileSync(script!, step.run);
    const words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", script!];
    steps.set(step.name, await finish(words, { cwd, env: { ...env, ...variables(step, run) } }));
  }
  return { steps, summary: readFileSync(summary!, "utf8") };
}

function variables({ env = {} }: ActionStep, run: ActionRun): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, text]) => {
      const expression = /^\$\{\{ (.+) \}\}$/.exec(text)?.[1];
      if (expression === undefined) throw new Error(`Cannot read the variable "${text}"`);
      const values = expression.split(" || ").map((word) => valueOf(word, run));
      return [name, values.find((value) => value !== "") ?? ""];
    }),
  );
}

/** Conditions are comparisons of an input, where another step's failure may be passed over. */
function runs(step: ActionStep, run: ActionRun): boolean {
  if (step.if === undefined) return true;
  const [, word = "", sign, text] =
    /^\$\{\{ (?:!cancelled\(\) && )?(\S+) (==|!=) '([a-z]+)' \}\}$/.exec(step.if) ?? [];
  return (valueOf(word, run) === text) === (sign === "==");
}

function valueOf(word: string, { inputs = {}, base = "" }: ActionRun): string {
  if (word === "github.event.pull_request.base.sha") return base;
  const name = /^inputs\.([a-z-]+)$/.exec(word)?.[1] ?? "";
  const known = ACTION.inputs[name];
  if (known === undefined) throw new Error(`Cannot evaluate "${word}"`);
  return inputs[name] ?? known.default;
}

/** What GitHub's runner obeys in a step's log: commands that do not stand between `stop-commands` and its token. */
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
