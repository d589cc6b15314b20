/**
 * Measures the cost of classes: `deno run -A bench/classes.ts`, or `bun --no-env-file bench/classes.ts`. The same fresh lines are decided by rules for
 * programs, by these and a rule for a class that none of them is of, and by rules for classes alone; the difference for each unit
 * is what a class costs. Quote figures of one run: machines are noisy.
 */
import { evaluate } from "../lib/decide/evaluate.ts";
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
const WRITTEN: readonly TestRule[] = PROGRAMS.map((program) => ({
  pattern: `Bash(${program}:*)`,
  action: "allow",
}));
const READ: TestRule = { pattern: "Read", action: "allow" };

/** The lists of rules that are compared. */
const LISTS: Readonly<Record<string, readonly TestRule[]>> = {
  "programs": [READ, ...WRITTEN],
  "programs and @system": [READ, { pattern: "Bash(@system)", action: "deny" }, ...WRITTEN],
  "@read @project": [
    READ,
    ...["@read", "@project"].map((name): TestRule => ({
      pattern: `Bash(${name})`,
      action: "allow",
    })),
  ],
};

const LINES = 2_000;

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

let round = 0;

/** The time of a fresh line of one unit, in µs: the least of several rounds. */
function timeOf(rules: readonly TestRule[]): number {
  const policy = policyWith(rules);
  let best = Infinity;
  for (let times = 0; times < 12; times++) {
    round++;
    const lines = Array.from(
      { length: LINES },
      (_, at) => FORMS[at % FORMS.length]!.replace("N", `${round * LINES + at}`),
    );
    const start = performance.now();
    for (const command of lines) evaluate(policy, { tool: "Bash", input: { command } });
    best = Math.min(best, performance.now() - start);
  }
  return best * 1000 / LINES;
}

for (const rules of Object.values(LISTS)) timeOf(rules);
const [base] = Object.values(LISTS).map(timeOf);
for (const [name, rules] of Object.entries(LISTS)) {
  const time = timeOf(rules);
  const more = time - base!;
  console.log(
    `${name.padEnd(22)} ${time.toFixed(2).padStart(7)} µs a unit, ${more.toFixed(2)} µs more`,
  );
}
