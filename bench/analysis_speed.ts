import process from "node:process";
import type { Action } from "../lib/model/call.ts";
import { createAnalysis } from "../lib/analysis/create_analysis.ts";
import { differences } from "../lib/analysis/differences.ts";
import { policyFromToml } from "../lib/policy/sources/policy_from_toml.ts";
import { teamRules } from "./analysis_lists.ts";

/** `deno run -A bench/analysis_speed.ts [count]…`: measures every question about a large policy, in CPU seconds. */
const counts = Deno.args.length > 0 ? Deno.args.map(Number) : [1_000, 10_000];
for (const count of counts) {
  const rules = teamRules(count);
  askEverything(count, rules);
  compare(rules);
}

function askEverything(count: number, rules: ReturnType<typeof teamRules>): void {
  const policy = policyOf(rules);
  const kinds = new Map<string, number>();
  const analysis = createAnalysis(policy);
  const times = (["reachability", "redundancy", "equivalent"] as const).map((question) =>
    timed(question, () => {
      for (const rule of policy.rules) {
        const answer = analysis[question](rule);
        const kind = "kind" in answer ? answer.kind : answer.length === 0 ? "none" : "some";
        kinds.set(`${question} ${kind}`, (kinds.get(`${question} ${kind}`) ?? 0) + 1);
      }
    })
  );
  console.log(`${count} rules: ${times.join(", ")}`);
  console.log(`  ${[...kinds].map(([kind, number]) => `${kind} ${number}`).join(", ")}`);
}

/** Two policies that differ in 20 rules: some are gone, some turned, some moved to the end. */
function compare(rules: ReturnType<typeof teamRules>): void {
  const step = Math.floor(rules.length / 21);
  const now = rules.flatMap((rule, at) => {
    if (at === 0 || at % step !== 0 || at > 20 * step) return [rule];
    return at % 3 === 0
      ? []
      : [{ ...rule, action: rule.action === "deny" ? "allow" : "deny" } as const];
  });
  const [before, after] = [policyOf(rules), policyOf(now)];
  let found: ReturnType<typeof differences> | undefined;
  const time = timed("differences", () => found = differences(before, after));
  console.log(
    `  ${time}: ${found?.groups.length} groups; ${
      found?.unknown.map(({ text }) => text).join("; ")
    }`,
  );
}

function policyOf(rules: readonly { readonly action: Action; readonly pattern: string }[]) {
  return policyFromToml(
    rules.map(({ action, pattern }) =>
      `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n`
    ).join(""),
  );
}

function timed(name: string, run: () => void): string {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return `${name} ${((user + system) / 1e6).toFixed(2)} s`;
}
