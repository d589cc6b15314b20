/** The calls and rules that `bench/decisions.ts` measures; bench/README.md says how they are made. */
import { parse } from "unbash";
import { forEachChild, type SyntaxNode } from "unbash";
import type { ToolCall } from "../lib/model/call.ts";
import type { TestRule } from "../tests/support/policy.ts";
import { type Random, randomFrom } from "../tests/support/random.ts";

/** `{n}` becomes a number that no other line of the run has, `{w}` one of a few words. */
const PLAIN = [
  "git status -s {w}/{n}",
  "git diff --stat HEAD~{n}",
  "git log --oneline -{n}",
  "git show HEAD~{n}:{w}/a.ts",
  "git add {w}/file{n}.ts",
  "git checkout -b {w}-{n}",
  "ls -la {w}/{n}",
  "cat {w}/file{n}.ts",
  "head -{n} {w}/a.ts",
  "tail -n {n} logs/{w}.log",
  "wc -l {w}/file{n}.ts",
  "npm test {w}/{n}",
  "npm run build:{w} -{n}",
  "npx tsc -p {w}/{n}",
  "cargo test {w}_{n}",
  "python3 scripts/{w}.py {n}",
  "go test ./{w}/{n}",
  "mkdir -p {w}/{n}",
  "cp {w}/a.ts {w}/file{n}.ts",
  "rm {w}/file{n}.ts",
  "docker ps -n {n}",
  "kubectl get pods -n {w}-{n}",
  "make {w}-{n}",
  "which {w}-{n}",
  "curl -s https://example.com/{w}/{n}",
] as const;

const QUOTED = [
  'git commit -m "fix: {w} of case {n}"',
  "grep -rn 'word{n}' {w}",
  'rg -n "fn {w}_{n}" src --type ts',
  "sed -n '{n},9p' {w}/a.ts",
  "find {w} -name '*{n}.ts' -not -path '*/dist/*'",
  'jq ".{w}[{n}].name" package.json',
  'node -e "console.log({n})"',
  "awk '{print ${n}}' {w}/a.txt",
] as const;

const LISTS = [
  "cd {w} && npm test {n}",
  "git add {w}/file{n}.ts && git commit -m '{w}'",
  "npm run lint -- {w}/{n} && npm test && git status",
  "mkdir -p {w}/{n}; cp {w}/a.ts {w}/{n}/a.ts",
  "test -f {w}/{n} || touch {w}/{n}",
] as const;

const PIPES = [
  "cat {w}/file{n}.ts | head -20",
  "git log --oneline -{n} | grep {w}",
  "ps aux | grep {w}-{n} | grep -v grep",
  "grep -rn 'word{n}' {w} | head -30 | sort",
  "kubectl get pods -n {w}-{n} | awk '{print $1}' | xargs -n1 echo",
  "find {w} -name '*{n}.ts' | xargs wc -l | tail -1",
] as const;

const OTHERS = [
  "npm run build:{w} > out/{n}.txt 2>&1",
  'for f in {w}/{n} {w}/a {w}/b; do wc -l "$f"; done',
  'echo "$(git rev-parse HEAD~{n})"',
  "NODE_ENV=test timeout 60 npm test {w}/{n}",
  "cat <<'EOF' > {w}/{n}.md\nsome text\nEOF",
  "sudo -u {w} systemctl status {w}-{n}",
] as const;

/** The kinds of lines, and the number of each in a hundred. */
const KINDS = [[PLAIN, 46], [QUOTED, 18], [LISTS, 14], [PIPES, 15], [OTHERS, 7]] as const;

const WORDS = ["src", "lib", "tests", "docs", "packages", "api", "core", "web", "client", "tools"];

/** The number of calls; seven in ten are command lines, two are about files, one is of an MCP server. */
export const CALLS = 1_000;

/** A call without its number. */
interface Form {
  readonly tool: string;
  readonly key: string;
  readonly text: string;
}

function lineForm(random: Random): Form {
  let left = random.below(100);
  const [lines] = KINDS.find(([, share]) => (left -= share) < 0)!;
  const word = random.pick(WORDS);
  const text = (random.pick(lines) as string).replaceAll("{w}", word);
  return { tool: "Bash", key: "command", text };
}

function fileForm(random: Random): Form {
  const tool = random.pick(["Read", "Read", "Read", "Edit", "Write"]);
  const text = `/home/u/ws/${random.pick(WORDS)}/${random.pick(WORDS)}/file{n}.ts`;
  return { tool, key: "path", text };
}

function mcpForm(random: Random): Form {
  return {
    tool: `mcp__server${random.below(20)}__tool${random.below(200)}`,
    key: "query",
    text: "a question about {n}",
  };
}

const FORMS: readonly Form[] = forms();

function forms(): readonly Form[] {
  const random = randomFrom(17);
  return Array.from({ length: CALLS }, (_, at) => {
    const kind = at % 10;
    return kind < 7 ? lineForm(random) : kind < 9 ? fileForm(random) : mcpForm(random);
  });
}

/** The calls by their kind. */
export type CallKind = "bash" | "file" | "mcp";

export function kindOf({ tool }: ToolCall): CallKind {
  return tool === "Bash" ? "bash" : tool.startsWith("mcp__") ? "mcp" : "file";
}

let made = 100_000;

/** The calls with numbers that no call had before. */
export function freshCalls(): readonly ToolCall[] {
  const calls = FORMS.map(({ tool, key, text }) => {
    made++;
    return { tool, input: { [key]: text.replaceAll("{n}", String(made)) } };
  });
  return asReceived(calls);
}

/** The same calls in texts of their own, as an agent sends them. */
export function asReceived(calls: readonly ToolCall[]): readonly ToolCall[] {
  return JSON.parse(JSON.stringify(calls));
}

/** The parser's own work on a line: the tree, and the parts of every word, which it reads when they are asked for. */
export function parseWhole(text: string): void {
  visit(parse(text) as unknown as SyntaxNode);
}

function visit(node: Parameters<typeof forEachChild>[0]): void {
  forEachChild(node, visit);
}

/** Rules for the calls above, of which each call meets one at the end of its list. */
const OWN_RULES: readonly TestRule[] = [
  { pattern: "Bash(rm -rf:*)", action: "deny" },
  { pattern: "Read(**/.env)", action: "deny" },
  { pattern: "Bash(git push:*)", action: "ask" },
  { pattern: "Bash(git:*)", action: "allow" },
  { pattern: "Bash(npm test:*)", action: "allow" },
  { pattern: "Bash(cat:*)", action: "allow" },
  { pattern: "Bash(grep:*)", action: "allow" },
  { pattern: "Read", action: "allow" },
  { pattern: "Write:src/**", action: "allow" },
  { pattern: "mcp__server1__*", action: "allow" },
];

function otherRule(at: number): TestRule {
  const action = (["allow", "allow", "ask", "deny"] as const)[at % 4]!;
  const word = WORDS[at % WORDS.length]!;
  switch (at % 10) {
    case 0:
    case 1:
      return { pattern: `Bash(npm run task${at}:*)`, action };
    case 2:
      return { pattern: `Bash(git checkout branch${at}:*)`, action };
    case 3:
      return { pattern: `Bash:docker run image${at} *`, action };
    case 4:
    case 5:
    case 6:
      return { pattern: `Bash:tool${at} ${word} *`, action };
    case 7:
      return { pattern: `Read:${word}/module${at}/**`, action };
    case 8:
      return { pattern: `Write:${word}/module${at}/**`, action };
    default:
      return { pattern: `mcp__server${at % 50}__tool${at}`, action };
  }
}

/** As many rules: first those that concern none of the calls, then those that decide them. */
export function rulesOf(count: number): readonly TestRule[] {
  const others = Array.from({ length: count - OWN_RULES.length }, (_, at) => otherRule(at));
  return [...others, ...OWN_RULES];
}
