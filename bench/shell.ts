/**
 * Measures a decision about a shell command, in process: `bun --no-env-file bench/shell.ts`, or with Deno. Beside ours stands the floor (the
 * parser alone) and, after `deno task bench:peers`, the policy engine of `@google/gemini-cli-core` on the same rules.
 * Then hostile texts of about 1 MiB: none may take a second or be allowed. Quote ratios of one run: machines are noisy.
 */
import { parse } from "unbash";
import { evaluate } from "../lib/decide/evaluate.ts";
import { readLine } from "../lib/shell/read_line.ts";
import { policyOf } from "../tests/support/policy.ts";

const PROGRAMS = ["git", "npm test", "cat", "ls", "cargo", "rg", "head", "grep", "sed", "jq"];
const LINES: Readonly<Record<string, string>> = {
  "git status": "git status",
  "a pipeline": "git log --oneline -5 | head -3",
  "a commit": 'git commit -m "fix: $x" -- src/a.ts',
  "51 commands": Array.from({ length: 51 }, (_, index) => `git show --stat HEAD~${index}`).join(
    " && ",
  ),
};

const policy = policyOf([
  { pattern: "Bash:rm *", action: "deny" },
  ...PROGRAMS.map((program) => ({ pattern: `Bash(${program}:*)`, action: "allow" as const })),
]);

/** The least time of one run, in µs, over several rounds. */
async function least(run: () => unknown): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < 30; round++) {
    const start = performance.now();
    let runs = 0;
    do {
      const result = run();
      if (result instanceof Promise) await result;
      runs++;
    } while (performance.now() - start < 8);
    best = Math.min(best, (performance.now() - start) / runs);
  }
  return best * 1000;
}

interface Peer {
  check(call: { name: string; args: { command: string } }, server: undefined): Promise<unknown>;
}

/** Gemini's engine with the same rules; undefined where the peers are not installed. */
async function gemini(): Promise<Peer | undefined> {
  const path = "./peers/node_modules/@google/gemini-cli-core/dist/src/policy/policy-engine.js";
  // It tells every step.
  console.debug = () => {};
  try {
    const { PolicyEngine } = await import(path);
    const { initializeShellParsers } = await import(
      path.replace("policy/policy-engine", "utils/shell-utils")
    );
    await initializeShellParsers();
    const rules = ["rm", ...PROGRAMS].map((program, index) => ({
      toolName: "run_shell_command",
      argsPattern: new RegExp(`"command":"${program}(?:[\\s"]|\\\\")`),
      decision: program === "rm" ? "deny" : "allow",
      priority: 100 - index,
    }));
    return new PolicyEngine({ rules });
  } catch (error) {
    console.log(`(no peer: ${error instanceof Error ? error.message.split("\n")[0] : error})`);
    return undefined;
  }
}

const HOSTILE: Readonly<Record<string, string>> = {
  "ls; ×": "ls;".repeat(349_000),
  "$( ×": "$(".repeat(500_000),
  '" ×': '"'.repeat(1_000_001),
  "( ×": "(".repeat(1_000_000),
  "` ×": "`".repeat(1_000_000),
  "{a, ×": "{a,".repeat(300_000),
  "; ×": ";".repeat(100_000),
  "a ×": "a ".repeat(500_000),
  "here-documents": "cat <<A\nA\n".repeat(100_000),
  "sudo ×": "sudo ".repeat(200_000) + "ls",
  "redirections": "ls " + ">a ".repeat(300_000),
  "just below the limits": Array.from({ length: 9_000 }, (_, index) => `git log ${index}`).join(
    "; ",
  ),
  "one word": "a".repeat(1_000_000),
  "a long quote": `git log "${"x y ".repeat(250_000)}"`,
};

const peer = await gemini();
console.log(
  "line           parser    read   decide  decide/parser" +
    (peer ? "   gemini  gemini/decide" : ""),
);
for (const [name, command] of Object.entries(LINES)) {
  const floor = await least(() => parse(command));
  const read = await least(() => readLine(command));
  const ours = await least(() => evaluate(policy, { tool: "Bash", input: { command } }));
  const cells = [floor, read, ours].map((us) => us.toFixed(1).padStart(8));
  const theirs = peer &&
    await least(() => peer.check({ name: "run_shell_command", args: { command } }, undefined));
  const more = theirs === undefined
    ? ""
    : `${theirs.toFixed(0).padStart(9)}${(theirs / ours).toFixed(1).padStart(15)}`;
  console.log(
    `${name.padEnd(12)}${cells.join("")}${(ours / floor).toFixed(1).padStart(15)}${more}`,
  );
}
console.log("\nhostile text                MiB      ms  verdict");
for (const [name, command] of Object.entries(HOSTILE)) {
  const start = performance.now();
  const { action } = evaluate(policy, { tool: "Bash", input: { command } });
  const ms = performance.now() - start;
  console.log(
    `${name.padEnd(24)}${(command.length / 2 ** 20).toFixed(2).padStart(7)}${
      ms.toFixed(0).padStart(8)
    }  ${action}`,
  );
}
