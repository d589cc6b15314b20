import type { Action } from "../lib/model/call.ts";
import { randomFrom } from "../tests/support/random.ts";

/** A rule list like that of a large team: npm, git, cargo, MCP, path and URL rules with some overlaps. */
export function teamRules(count: number, seed = 7): readonly { action: Action; pattern: string }[] {
  const random = randomFrom(seed);
  const word = () =>
    random.pick(["build", "test", "lint", "dev", "docs", "api", "web", "core", "db", "auth"]);
  const number = () => String(random.below(count));
  const makers: readonly (() => { action: Action; pattern: string })[] = [
    () => ({ action: "allow", pattern: `Bash(npm run ${word()}:${word()}${number()}:*)` }),
    () => ({ action: "allow", pattern: `Bash:npm test --workspace ${word()}${number()}` }),
    () => ({
      action: "allow",
      pattern: `Bash:git ${random.pick(["log", "diff", "show"])} ${word()}-${number()} *`,
    }),
    () => ({
      action: "deny",
      pattern: `Bash:git push ${random.pick(["origin", "up"])} ${word()}${number()}*`,
    }),
    () => ({
      action: "allow",
      pattern: `Bash:cargo ${random.pick(["build", "test"])} -p ${word()}${number()} *`,
    }),
    () => ({
      action: "allow",
      pattern: `mcp__${word()}${random.below(200)}__${
        random.pick(["get", "list", "put"])
      }_${number()}`,
    }),
    () => ({
      action: "ask",
      pattern: `mcp__${word()}${random.below(200)}__put_${number()}:repo=${word()}*`,
    }),
    () => ({ action: "allow", pattern: `Write:packages/${word()}${number()}/src/**` }),
    () => ({ action: "allow", pattern: `Read:/srv/${word()}/${number()}/*.json` }),
    () => ({ action: "allow", pattern: `WebFetch:https://${word()}${number()}.example.com/*` }),
    () => ({ action: "allow", pattern: `WebFetch:domain:${word()}${number()}.example.org` }),
  ];
  const broad: readonly { action: Action; pattern: string }[] = [
    { action: "deny", pattern: "Bash:rm -rf *" },
    { action: "deny", pattern: "Write:**/.env" },
    { action: "deny", pattern: "Read:**/secrets/**" },
    { action: "deny", pattern: "Edit:/etc/**" },
    { action: "ask", pattern: "Bash:git push *" },
    { action: "deny", pattern: "Bash:~curl" },
    { action: "allow", pattern: "mcp__web1__*" },
    { action: "deny", pattern: "WebFetch:*://*.internal/*" },
  ];
  const list = Array.from({ length: count - broad.length }, () => random.pick(makers)());
  // Some come before, some behind the rules that they overlap.
  return [...broad.slice(0, 5), ...list, ...broad.slice(5)];
}
