import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { evaluate } from "../../lib/decide/evaluate.ts";
import { policyOf } from "../support/policy.ts";

const POLICY = policyOf([
  { pattern: "Read(**/.env)", action: "deny" },
  { pattern: "Bash(rm:*)", action: "deny" },
  { pattern: "Bash(git push:*)", action: "ask" },
  { pattern: "Bash(git:*)", action: "allow" },
  { pattern: "Bash(cat:*)", action: "allow" },
  { pattern: "Bash(python3:*)", action: "allow" },
  { pattern: "Write(out/**)", action: "allow" },
]);

const COMMANDS = [
  "git status",
  "git push",
  "git log --oneline",
  "cat a.txt",
  "cat .env",
  "cat a.txt > out/b",
  "cat a.txt > b",
  "rm x",
  "echo hi",
  "echo git status",
  "npm test",
  "timeout 5 git status",
  "sh -c 'git status'",
  "nope",
  "cd /etc",
  "cd src",
  "ls",
  "ls -la src",
  "cat x",
  "python3 a.py",
  "set -f",
  "f=rm",
  "f=git",
  "$f status",
];

/** The outcome of each unit by its text, kind and place in the command. */
function outcomes(commands: readonly string[]): readonly string[] {
  const command = commands.join("; ");
  const { units } = evaluate(POLICY, { tool: "Bash", input: { command } });
  return units.map(({ text, kind, via, depth, action, by, rule, reason }) =>
    JSON.stringify([text, kind, via, depth, action, by, rule?.pattern, reason])
  );
}

test("a command that a long line repeats has the outcome that it has in a short one", () => {
  const lines = fc.array(fc.constantFrom(...COMMANDS), { minLength: 1, maxLength: 20 });
  fc.assert(fc.property(lines, (commands) => {
    // Repeated commands are looked up in a line of more than 64 effects.
    const others = Array.from({ length: 65 }, (_, at) => `npm test ${at}`);
    const isOther = (each: string) => /"npm test \d/.test(each);
    const long = outcomes([...commands, ...others]).filter((each) => !isOther(each));
    const short = outcomes([...commands, "npm test 0"]).filter((each) => !isOther(each));
    assert.deepEqual(long, short);
  }));
});
