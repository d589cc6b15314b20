/**
 * Measures decisions about hostile texts of about 1 MiB: `bun --no-env-file bench/shell.ts`, or with Deno. None may take a second or be
 * allowed. bench/decisions.ts measures the lines that agents write.
 */
import { evaluate } from "../lib/decide/evaluate.ts";
import { policyOf } from "../tests/support/policy.ts";

const PROGRAMS = ["git", "npm test", "cat", "ls", "cargo", "rg", "head", "grep", "sed", "jq"];

const policy = policyOf([
  { pattern: "Bash:rm *", action: "deny" },
  ...PROGRAMS.map((program) => ({ pattern: `Bash(${program}:*)`, action: "allow" as const })),
]);

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

console.log("hostile text                MiB      ms  verdict");
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
