import type { Action } from "../lib/model/call.ts";
import { randomFrom } from "../tests/support/random.ts";

/** A rule as a bench writes it. */
export interface BenchRule {
  readonly action: Action;
  readonly pattern: string;
}

/** A rule list like that of a large team: npm, git, cargo, MCP, path and URL rules with some overlaps. */
export function teamRules(count: number, seed = 7): readonly BenchRule[] {
  const random = randomFrom(seed);
  const word = () =>
    random.pick(["build", "test", "lint", "dev", "docs", "api", "web", "core", "db", "auth"]);
  const number = () => String(random.below(count));
  const makers: readonly (() => BenchRule)[] = [
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
  const broad: readonly BenchRule[] = [
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

const ACTIONS: readonly Action[] = ["allow", "deny", "ask"];

/** Rules that no common beginning tells apart (`~word`, `*--flag*`, names in any folder), with any action, among others. */
export function hardRules(count: number, seed = 7): readonly BenchRule[] {
  const random = randomFrom(seed);
  const number = () => String(random.below(count));
  const makers: readonly (() => string)[] = [
    () => `Bash:~word${number()}`,
    () => `Bash:*--flag${number()}*`,
    () => `Bash:git ${number()} ?*x*`,
    () => `Read:**/f${number()}`,
    () => `Edit:**/*.e${number()}`,
    () => `Write:dir${number()}/**`,
    () => `Bash:cmd${number()} *`,
    () => `Bash(run x${number()}:*)`,
    () => `WebFetch:domain:h${number()}.com`,
    () => `mcp__s${random.below(50)}__t${number()}`,
  ];
  return Array.from({ length: count }, () => ({
    action: random.pick(ACTIONS),
    pattern: random.pick(makers)(),
  }));
}

/** Rules about files of some name in any folder. */
export function nameRules(count: number, seed = 7): readonly BenchRule[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, at) => {
    const name = random.pick(["name", "x", "a.json", "*.ts", "b"]);
    const number = random.below(3) === 0 ? "" : String(at);
    return {
      action: random.pick(ACTIONS),
      pattern: `${random.pick(["Read", "Edit", "Write"])}:**/${name}${number}`,
    };
  });
}

/** The rules with one turned and one taken out. */
export function twoChanged(rules: readonly BenchRule[]): readonly BenchRule[] {
  const [turned, gone] = [1, 2].map((third) => Math.floor((third * rules.length) / 3));
  return rules.flatMap((rule, at): readonly BenchRule[] => {
    if (at === gone) return [];
    return at === turned
      ? [{ ...rule, action: rule.action === "deny" ? "allow" : "deny" }]
      : [rule];
  });
}

/** The rules as the text of a permissions.toml. */
export function textOf(rules: readonly BenchRule[]): string {
  return rules.map(({ action, pattern }) =>
    `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n`
  ).join("");
}
