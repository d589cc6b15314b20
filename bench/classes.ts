/**
 * Measures the cost of classes: `deno run -A bench/classes.ts`, or `bun --no-env-file bench/classes.ts`. The same fresh lines are decided by rules for
 * programs, by these and a rule for a class that none of them is of, and by rules for classes alone; the difference for each unit
 * is what a class costs. Quote figures of one run: machines are noisy.
 */
import { evaluate } from "../lib/decide/evaluate.ts";
import type { CompiledPolicy } from "../lib/policy/compile/compiled_policy.ts";
import { filesOf } from "../tests/support/files_of.ts";
import { ownRepository } from "../tests/support/own_repository.ts";
import { policyOf, type TestRule } from "../tests/support/policy.ts";

/** Commands of one unit; `N` becomes a number, so that no line comes twice. */
const FORMS = [
  "cat src/N.ts",
  "head -N src/a.ts",
  "grep -n wordN src/a.ts",
  "wc -l src/N.ts",
  "sed -n N,9p src/a.ts",
  "git log --oneline -N",
  "git show HEAD~N:src/a.ts",
  "npm test N",
  "ls -la src/N",
  "sort -uN src/a.ts",
];

const PROGRAMS = ["git", "npm test", "cat", "ls", "rg", "head", "grep", "sed", "wc", "sort"];
// A deny costs something by itself: what the call names besides its line is looked at.
const WRITTEN: readonly TestRule[] = [
  { pattern: "Bash(halt:*)", action: "deny" },
  ...PROGRAMS.map((program): TestRule => ({ pattern: `Bash(${program}:*)`, action: "allow" })),
];
const READ: TestRule = { pattern: "Read", action: "allow" };

/** The lists of rules that are compared. */
const LISTS: Readonly<Record<string, readonly TestRule[]>> = {
  "programs": [READ, ...WRITTEN],
  "programs and @system": [READ, { pattern: "Bash(@system)", action: "deny" }, ...WRITTEN],
  "@read @project": [
    READ,
    { pattern: "Bash(halt:*)", action: "deny" },
    ...["@read", "@project"].map((name): TestRule => ({
      pattern: `Bash(${name})`,
      action: "allow",
    })),
  ],
};

const LINES = 200;
const ROUNDS = 100;

function policyWith(rules: readonly TestRule[]) {
  return policyOf(rules, {
    context: {
      workspace: ["/work"],
      home: ["/home/ada"],
      isSystemProgram: () => true,
      gitRepository: () => "here",
      gitState: (folder) => ownRepository(folder),
      textOf: () => null,
      ...filesOf(["src/a.ts"]),
    },
  });
}

let made = 0;

/** The time of as many fresh lines of one unit, in µs a line. */
function timeOf(policy: CompiledPolicy): number {
  const lines = Array.from(
    { length: LINES },
    (_, at) => FORMS[at % FORMS.length]!.replace("N", `${made++}`),
  );
  const start = performance.now();
  for (const command of lines) evaluate(policy, { tool: "Bash", input: { command } });
  return (performance.now() - start) * 1000 / LINES;
}

// Short rounds in turn, of which the fastest counts: other processes disturb some of them.
const lists = Object.entries(LISTS).map(([name, rules]) => ({ name, policy: policyWith(rules) }));
const best = lists.map(() => Infinity);
for (let round = 0; round < ROUNDS; round++) {
  for (const [at, { policy }] of lists.entries()) {
    best[at] = Math.min(best[at]!, timeOf(policy));
  }
}
for (const [at, { name }] of lists.entries()) {
  const more = best[at]! - best[0]!;
  console.log(
    `${name.padEnd(22)} ${best[at]!.toFixed(2).padStart(7)} µs a unit, ${more.toFixed(2)} µs more`,
  );
}
