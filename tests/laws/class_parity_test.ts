import assert from "node:assert/strict";
import { test } from "node:test";
import type { Action, ToolCall } from "../../lib/model/call.ts";
import { decide, policyFromToml } from "../../lib/core.ts";
import { enough } from "../support/cases.ts";
import { ownGit } from "../support/own_git.ts";
import { filesOf } from "../support/files_of.ts";
import fc from "../support/seeded.ts";

/** Bun ends a test after five seconds, which may be too few on a machine that is busy. */
const LONG = { timeout: 120_000 };

const FILES = filesOf([
  ...["a.ts", "b.ts", ".env", "src/a.ts", "src/.env", "src/deep/c.ts", "docs/x.md", "secret/key"],
  ...["src/link.ts->/work/.env", "out->/outside", "docs/s->/work/secret", "z.md->/outside/z"],
]);

/** The files that the index of the repository names. */
const TRACKED = ["a.ts", "b.ts", "src/a.ts", "src/deep/c.ts", "docs/x.md", "secret/key"];

const anyPath = fc.constantFrom(
  ...[
    "a.ts",
    "b.ts",
    ".env",
    "src/a.ts",
    "src/../.env",
    "./src/.env",
    "src/link.ts",
    "out/x",
    "new.ts",
  ],
  ...[
    "docs/x.md",
    "docs/s/key",
    "secret/key",
    "../x",
    "/etc/passwd",
    "~/.ssh/id_rsa",
    "~/f",
    "z.md",
  ],
  ...["src//a.ts", "src/deep/../a.ts", "/work/a.ts", "/work/secret/../a.ts"],
);
const anyFolder = fc.constantFrom(
  "src",
  "docs",
  ".",
  "src/deep",
  "secret",
  "out",
  "..",
  "src/.",
  "/etc",
);

const anyRule = fc.record({
  action: fc.constantFrom<Action>("allow", "deny", "ask"),
  tool: fc.constantFrom("Read", "Read", "Write", "Write", "Edit", "Grep", "*"),
  path: fc.constantFrom(
    ...[
      "**/.env",
      "./**",
      "src/**",
      "./src/*.ts",
      "/work/secret/**",
      "/outside/**",
      "~/.ssh/**",
      "**",
    ],
    ...["/etc/**", "docs/*", "./a.ts", "/work", "**/key"],
  ),
})
  // An allow of every tool allows the line itself.
  .filter(({ action, tool }) => tool !== "*" || action !== "allow");

/** A line, and the tool calls that it stands for; `exact` if nothing else makes it stricter. */
interface Parity {
  readonly line: string;
  readonly calls: readonly ToolCall[];
  readonly exact: boolean;
}

const read = (path: string): ToolCall => ({ tool: "Read", input: { path }, cwd: "/work" });
const write = (path: string): ToolCall => ({ tool: "Write", input: { path }, cwd: "/work" });
const shown = (path: string) => /^~\//.test(path) ? path : `'${path}'`;

const anyParity: fc.Arbitrary<Parity> = fc.record({
  a: anyPath,
  b: anyPath,
  folder: anyFolder,
  kind: fc.nat(20),
})
  .map(({ a, b, folder, kind }): Parity => {
    const [one, two] = [shown(a), shown(b)];
    switch (kind) {
      case 0:
        return { line: `cat ${one}`, calls: [read(a)], exact: true };
      case 1:
        return { line: `head -3 ${one} ${two}`, calls: [read(a), read(b)], exact: true };
      case 2:
        return { line: `cp ${one} ${two}`, calls: [read(a), write(b)], exact: true };
      case 3:
        return { line: `sort -o ${two} ${one}`, calls: [read(a), write(b)], exact: true };
      case 4:
        return { line: `touch ${one}`, calls: [write(a)], exact: true };
      case 5:
        return { line: `cat < ${one}`, calls: [read(a)], exact: true };
      case 6:
        return { line: `echo x > ${one}`, calls: [write(a)], exact: true };
      case 7:
        return { line: `rm ${one}`, calls: [write(a)], exact: true };
      case 8:
        return {
          line: `grep -rn x ${folder}`,
          calls: [read(folder), {
            tool: "Grep",
            input: { pattern: "x", path: folder },
            cwd: "/work",
          }],
          exact: false,
        };
      case 9: {
        const isFar = /^[/~]/.test(a);
        return {
          line: `cd ${folder} && cat ${one}`,
          calls: [read(isFar ? a : `${folder}/${a}`)],
          exact: false,
        };
      }
      case 10:
        return {
          line: "cat src/*.ts",
          calls: ["src/a.ts", "src/link.ts"].map(read),
          exact: false,
        };
      case 11:
        return { line: `wc -l ${one} | sort -n > ${two}`, calls: [read(a), write(b)], exact: true };
      case 12:
        return {
          line: `git show HEAD:${a.replace(/^[~/]+/, "")}`,
          calls: /^[~/]/.test(a) ? [] : [read(a)],
          exact: false,
        };
      case 13:
        return { line: `git blame -- ${one}`, calls: [read(a)], exact: false };
      case 14:
        return { line: `git log -p -- ${one} ${two}`, calls: [read(a), read(b)], exact: false };
      case 15:
        return { line: `git mv ${one} ${two}`, calls: [write(a), write(b)], exact: false };
      case 16:
        return {
          line: `cd ${folder} && git diff ${one} b.ts`,
          calls: folder === "." ? [read(a)] : [],
          exact: false,
        };
      case 17:
        return { line: `gzip -c ${one}`, calls: [read(a)], exact: true };
      case 18:
        return { line: `chmod +x ${one}`, calls: [write(a)], exact: true };
      case 19:
        return { line: `zstd -q ${one} -o ${two}`, calls: [read(a), write(b)], exact: false };
      default:
        return {
          line: `for f in ${one} ${two}; do cat "$f"; done`,
          calls: [read(a), read(b)],
          exact: false,
        };
    }
  });

const RANK = { allow: 0, ask: 1, deny: 2 } as const;

const ALLOWED: readonly string[] = ["read", "edit", "delete", "repository"];

test(
  "a command of an allowed class is no looser than the tool calls that it stands for",
  LONG,
  () => {
    let allowed = 0;
    let denied = 0;
    fc.assert(
      fc.property(
        fc.array(anyRule, { maxLength: 5 }),
        anyParity,
        (rules, { line, calls, exact }) => {
          const written = [
            ...rules.map((
              { action, tool, path },
            ) => [action, `${tool}:${tool === "Grep" ? "path=" : ""}${path}`]),
            ...ALLOWED.map((name) => ["allow", `Bash(@${name})`]),
          ];
          const policy = policyFromToml(
            written.map(([action, pattern]) =>
              `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\n`
            ).join(""),
            {
              workspace: "/work",
              home: "/home/ada",
              isSystemProgram: () => true,
              gitRepository: () => "here",
              gitState: () => ownGit(TRACKED),
              ...FILES,
            },
          );
          const call = { tool: "Bash", input: { command: line }, cwd: "/work" };
          const { verdict: { action }, units } = decide(policy, call);
          const strictest = Math.max(...calls.map((call) => RANK[policy.evaluate(call).action]));
          // A rule for every tool speaks of the line too.
          const isExact = exact && rules.every(({ tool }) => tool !== "*");
          // A search of the root may show secrets, a class that no rule allows: it asks, whatever the rules for Grep say.
          const isAllowed = units.every(({ classes }) =>
            classes.every((each) => ALLOWED.includes(each))
          );
          if (isExact) assert.equal(RANK[action], strictest, `${line} is ${action}`);
          else if (!isAllowed) assert.notEqual(action, "allow", line);
          else assert.ok(RANK[action] >= strictest, `${line} is ${action}`);
          if (action === "allow") allowed++;
          if (action === "deny") denied++;
        },
      ),
      { numRuns: 4000 },
    );
    assert.ok(
      allowed > enough(400) && denied > enough(400),
      `${allowed} allowed, ${denied} denied`,
    );
  },
);

const anyHost = fc.constantFrom(
  "a.org",
  "b.org",
  "sub.a.org",
  "127.0.0.1",
  "localhost",
  "evil.org",
);

const anyHostRule = fc.record({
  action: fc.constantFrom<Action>("allow", "deny", "ask"),
  pattern: fc.constantFrom(
    ...[
      "WebFetch",
      "WebFetch(domain:a.org)",
      "WebFetch(domain:sub.a.org)",
      "WebFetch(domain:b.org)",
    ],
    ...["WebFetch(domain:localhost)", "WebFetch:https://a.org/*"],
  ),
});

test(
  "a fetch of an allowed class is no looser than WebFetch, nor one that follows redirects than for any host",
  LONG,
  () => {
    let allowed = 0;
    fc.assert(
      fc.property(
        fc.array(anyHostRule, { maxLength: 4 }),
        fc.tuple(anyHost, anyHost),
        fc.nat(4),
        (rules, [a, b], kind) => {
          const [one, two] = [a, b].map((host) => `https://${host}/x`) as [string, string];
          const line = [
            `curl -s ${one}`,
            `curl -s ${one} ${two}`,
            `curl -sL ${one}`,
            `curl -s -H 'Accept: text/html' ${one} | head -3`,
            `wget -qO- ${one}`,
          ][kind]!;
          const written = [
            ...rules.map(({ action, pattern }) => [action, pattern]),
            ...["read", "fetch"].map((name) => ["allow", `Bash(@${name})`]),
          ];
          const policy = policyFromToml(
            written.map(([action, pattern]) =>
              `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\n`
            ).join(""),
            { workspace: "/work", home: "/home/ada", isSystemProgram: () => true, ...FILES },
          );
          const urls = kind === 1 ? [one, two] : kind === 2 || kind === 4
            // A redirect may lead to any host.
            ? [
              one,
              "https://a.org/x",
              "https://b.org/x",
              "https://evil.org/x",
              "https://localhost/x",
            ]
            : [one];
          const strictest = Math.max(
            ...urls.map((url) =>
              RANK[policy.evaluate({ tool: "WebFetch", input: { url } }).action]
            ),
          );
          const { action } = policy.evaluate({
            tool: "Bash",
            input: { command: line },
            cwd: "/work",
          });
          const isPublic = urls.every((url) => !/127|localhost/.test(url));
          if (isPublic && kind !== 2 && kind !== 4) assert.equal(RANK[action], strictest, line);
          else assert.ok(action !== "allow" || strictest === RANK.allow, `${line} is ${action}`);
          if (action === "allow") allowed++;
        },
      ),
      { numRuns: 3000 },
    );
    assert.ok(allowed > enough(150), `${allowed} allowed`);
  },
);
