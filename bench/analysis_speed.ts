import process from "node:process";
import "../lib/shell/parse/loaded_parser.ts";
import { createAnalysis } from "../lib/analysis/create_analysis.ts";
import { timedDifferences } from "../lib/analysis/timed_differences.ts";
import { lintScene, scenePolicy } from "../lib/lint/lint_scene.ts";
import { decodePolicy } from "../lib/policy/decode/decode_policy.ts";
import { builtinRules } from "../lib/policy/sources/source_order.ts";
import type { Analysis } from "../scripts/performance/figures.ts";
import {
  type BenchRule,
  hardRules,
  nameRules,
  teamRules,
  textOf,
  twoChanged,
} from "./analysis_lists.ts";

/**
 * `deno run -A bench/analysis_speed.ts [--json] [LIST:COUNT[:TASK]]…`: what lint and diff cost, in seconds of CPU and MB at the peak, each
 * in a process of its own: the least seconds of five, and the most MB. LIST: `team`, `hard`, `names`. TASK: `lint`, `diff` (two rules
 * changed), `ask` (every question about every rule).
 */
const LISTS: Readonly<Record<string, (count: number) => readonly BenchRule[]>> = {
  team: teamRules,
  hard: hardRules,
  names: nameRules,
};

const TASKS = ["lint", "diff"];

const TIME = Date.UTC(2026, 0);

/** Other work of the machine makes a run longer, never shorter. */
const RUNS = 5;

const isJson = Deno.args.includes("--json");
const ARGS = Deno.args.filter((arg) => arg !== "--json");

if (ARGS[0] === "--one") runOne(ARGS.slice(1));
else {
  const wanted = ARGS.length > 0 ? ARGS : ["team:1000", "team:10000", "hard:3000", "names:1600"];
  for (const each of wanted) {
    const [list = "", count = "", ...tasks] = each.split(":");
    for (const task of tasks.length > 0 ? tasks : TASKS) await measure([list, count, task]);
  }
}

/** Measures in processes of their own, each of which has a peak of its own. */
async function measure(what: readonly string[]): Promise<void> {
  const uses: Analysis[] = [];
  for (let run = 0; run < RUNS; run++) {
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "-A", import.meta.filename!, "--one", ...what],
      stderr: "inherit",
    }).output();
    if (code !== 0) Deno.exit(code);
    uses.push(JSON.parse(new TextDecoder().decode(stdout)));
  }
  const least = uses.reduce((one, other) => other.seconds < one.seconds ? other : one);
  const use = { ...least, mb: Math.max(...uses.map(({ mb }) => mb)) };
  console.log(isJson ? JSON.stringify(use) : lineOf(use));
}

function lineOf({ task, rules, list, seconds, mb, result }: Analysis): string {
  return `${task} ${rules} ${list}: ${seconds.toFixed(2)} s, ${mb.toFixed(0)} MB; ${result}`;
}

function runOne([list = "", count = "", task = ""]: readonly string[]): void {
  const rules = LISTS[list]?.(Number(count));
  if (rules === undefined) throw new RangeError(`No such list: ${list}`);
  const start = process.cpuUsage();
  const result = resultOf(task, rules);
  const { user, system } = process.cpuUsage(start);
  const mb = process.resourceUsage().maxRSS / 1024;
  const seconds = (user + system) / 1e6;
  const use: Analysis = { task, rules: rules.length, list, seconds, mb, result };
  console.log(JSON.stringify(use));
}

function resultOf(task: string, rules: readonly BenchRule[]): string {
  switch (task) {
    case "lint":
      return counted(lintScene(sceneOf(rules)).findings.map(({ id }) => id));
    case "diff": {
      const [old, now] = [rules, twoChanged(rules)].map((each) => scenePolicy(sceneOf(each)));
      const { groups, unknown } = timedDifferences(old!, now!, TIME);
      return `${groups.length} groups, ${unknown.length} not compared`;
    }
    case "ask": {
      const policy = scenePolicy(sceneOf(rules));
      const analysis = createAnalysis(policy, { now: TIME });
      return counted(policy.rules.flatMap((rule) => [
        `reachability ${analysis.reachability(rule).kind}`,
        `redundancy ${analysis.redundancy(rule).kind}`,
        `equivalent ${analysis.equivalent(rule).length > 0}`,
      ]));
    }
    default:
      throw new RangeError(`No such task: ${task}`);
  }
}

function sceneOf(rules: readonly BenchRule[]): Parameters<typeof lintScene>[0] {
  const path = "/workspace/.caliban/permissions.toml";
  const text = textOf(rules);
  const file = decodePolicy(text);
  return {
    entries: [
      { kind: "project", path, state: "read", text, file, trusted: true },
      {
        kind: "builtin",
        path: "defaults/permissions.toml",
        state: "read",
        rules: builtinRules("/home/u"),
        trusted: true,
      },
    ],
    paths: [path],
    surroundings: {
      context: {
        platform: "linux",
        workspace: ["/workspace"],
        home: ["/home/u"],
        ignoreCase: false,
        isSystemProgram: () => true,
      },
      cwd: "/workspace",
    },
    now: TIME,
  };
}

function counted(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
}
