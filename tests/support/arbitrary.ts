import fc from "./seeded.ts";
import type { SourceKind, ToolCall } from "../../lib/model/call.ts";
import { checkPattern } from "../../lib/policy/compile/compile_policy.ts";
import { toolProfiles } from "../../lib/policy/compile/profiles.ts";
import type { PolicyOptions, TestRule } from "./policy.ts";
import { anyLine, plainCommand } from "./shell_lines.ts";

const { array, constantFrom, oneof, option, record, tuple } = fc;
const TOOLS: PolicyOptions["tools"] = { Query: { firstArg: "sql", kind: "text" } };
const PROFILES = toolProfiles(new Map(Object.entries(TOOLS!)));

/** Text of up to `most` of the pieces, joined by one of the joints. */
function textOf(pieces: readonly string[], most: number, joints: readonly string[] = [""]) {
  return tuple(
    array(constantFrom(...pieces), { minLength: 1, maxLength: most }),
    constantFrom(...joints),
  )
    .map(([parts, joint]) => parts.join(joint));
}

const WORDS = ["git", "push", "rm", "-rf", "ls", "Key", "é", "\u212Aey", "İx", "GIT", "a"];
const NAMES = ["src", "secrets", ".env", "a", "b", "Src", "Üb", "c.ts"];
const HOSTS = ["x.org", "docs.x.org", "y.org", "X.org", "x.org.y.org", "127.0.0.1"];

const commandSpec = oneof(
  tuple(textOf(WORDS, 3, [" ", "  "]), constantFrom("", " *", "*", " ?", "; ls", ' "a"'))
    .map((parts) => parts.join("")),
  textOf(["rm", "-rf", ";", "*", "git"], 3).map((text) => `~${text}`),
  textOf(WORDS, 2, [" "]).map((text) => `command=${text} *`),
  textOf(WORDS, 2, [" "]).map((text) => `command=${text},timeout=5*`),
  textOf(WORDS, 2, [" "]).map((text) => `command!=${text} *`),
  textOf(WORDS, 2, [" "]).map((text) => `~${text}`),
  tuple(constantFrom("sudo", "env", "xargs", "git -c"), textOf(WORDS, 2, [" "]))
    .map(([wrapper, text]) => `${wrapper} ${text} *`),
  constantFrom("timeout=5", "*", "?*", "*; *", "* > *", "echo *", "git status > src/a", "cat < a"),
);
const pathSpec = oneof(
  tuple(
    constantFrom("", "/", "~/", "./", "**/", "/home/u/ws/", "/etc/"),
    textOf([...NAMES, "*", "**", "{a,b}", "[ab]", "a\\\\b", "s*"], 3, ["/"]),
  ).map((parts) => parts.join("")),
  textOf(NAMES, 2, ["/"]).map((text) => `path=${text}`),
  textOf(NAMES, 2, ["/"]).map((text) => `path!=${text}/**`),
);
const urlSpec = oneof(
  tuple(
    constantFrom("https", "http*", "*", "file", "*?u=http*"),
    constantFrom("://"),
    constantFrom("x.org", "y.org", ...HOSTS, "*.x.org", "x.*", "docs.x.org*", "*", ""),
    constantFrom("", "/*", "/*", "/a", "/a*", ":8080/*", "/é/*"),
  ).map((parts) => parts.join("")),
  constantFrom(...HOSTS).map((host) => `domain:${host}`),
  constantFrom("*x.org*", "*evil*", "https:*"),
);
const textSpec = oneof(textOf(WORDS, 2, [" "]), constantFrom("a*", "path=/etc/*", "k!=a", "k=5"));

const pattern = oneof(
  commandSpec.map((spec) => `Bash:${spec}`),
  textOf(WORDS, 2, [" "]).map((words) => `Bash(${words}:*)`),
  tuple(constantFrom("Read", "Write", "Edit", "Grep", "*Edit", "*", "[RW]*"), pathSpec)
    .map(([tool, spec]) => `${tool}:${spec}`),
  urlSpec.map((spec) => `WebFetch:${spec}`),
  tuple(constantFrom("Query", "mcp__a__b", "mcp__*", "*", "TodoWrite"), textSpec)
    .map(([tool, spec]) => `${tool}:${spec}`),
  constantFrom("Bash", "Read", "Write", "WebFetch", "mcp__*", "*", "Query", "Grep"),
);

const KINDS: readonly SourceKind[] = [
  "managed",
  "session",
  "command",
  "cli",
  "project",
  "user",
  "builtin",
];

/** A rule that loads; the kinds stand in any order, since a walk only asks which it is. */
export const anyRule: fc.Arbitrary<TestRule> = record({
  pattern,
  action: constantFrom("allow", "deny", "ask"),
  kind: constantFrom(...KINDS),
  expiresAt: option(constantFrom(50, 150), { nil: undefined, freq: 6 }),
}).map(({ expiresAt, ...rule }) => expiresAt === undefined ? rule : { ...rule, expiresAt })
  .filter(({ pattern, action }) => !checkPattern(pattern, { action, profiles: PROFILES }).error);

const shellPattern = oneof(
  tuple(plainCommand, constantFrom("", " *", " *", "*", ":*")).map(([text, end]) =>
    end === ":*" ? `Bash(${text}:*)` : `Bash:${text}${end}`
  ),
  textOf(["git", "rm", "curl", "cat", "a", "ls", "sudo"], 1).map((name) => `Bash:${name} *`),
  tuple(
    constantFrom("sudo", "sudo -n -u root", "env", "timeout 5", "xargs", "bash -c"),
    plainCommand,
  )
    .map(([wrapper, text]) => `Bash:${wrapper} ${text} *`),
  plainCommand.map((text) => `Bash:~${text}`),
  plainCommand.map((text) => `Bash:command=${text} *`),
  constantFrom("Bash", "Bash", "*", "Bash:* > *", "Bash:echo *", "Bash:*", "Bash:a *; *"),
  constantFrom("Write:src/**", "Write:secrets/**", "Write", "Write:**/a", "Edit:/etc/**"),
  constantFrom("Read:**/.env", "Read", "Read:src/**", "Read:a", "Write:~/**"),
  constantFrom("WebFetch:domain:status", "WebFetch", "WebFetch:https://*"),
);

/** A rule about what random command lines run, read and write. */
export const shellRule: fc.Arbitrary<TestRule> = record({
  pattern: shellPattern,
  action: constantFrom("allow", "allow", "deny", "ask"),
  kind: constantFrom("project", "project", "project", ...KINDS),
  expiresAt: option(constantFrom(50, 150), { nil: undefined, freq: 12 }),
}).map(({ expiresAt, ...rule }) => expiresAt === undefined ? rule : { ...rule, expiresAt })
  .filter(({ pattern, action }) => !checkPattern(pattern, { action, profiles: PROFILES }).error);

/** A call of Bash with a random line. */
export const shellCall: fc.Arbitrary<ToolCall> = record({
  tool: constantFrom("Bash"),
  input: record({ command: anyLine }),
});

const command = oneof(
  { weight: 2, arbitrary: anyLine },
  textOf(WORDS, 4, [" ", "  "]),
  textOf([...WORDS, " ", '"', "'", "\\", "{", "*", "$x", ";", "|", "\n", " ", "&&"], 6),
);
const path = oneof(
  tuple(
    constantFrom("", "/", "~/", "./", "../", "/home/u/ws/", "/etc/", "//"),
    textOf([...NAMES, "..", "a\\b", "[ab]", "{a,b}", "~", "\0", ""], 4, ["/"]),
  ).map((parts) => parts.join("")),
  constantFrom("", "~", ".", "~u/a"),
);
const url = oneof(
  tuple(
    constantFrom("https://", "http://", "HTTPS://", "file://", "ftp://", "x:"),
    constantFrom(...HOSTS, "", "a@x.org", "evil.com", "x.org."),
    constantFrom("", ":8080", ":443"),
    constantFrom(
      "",
      "/",
      "/a",
      "/a b",
      "/%61",
      "/?u=http://y.org/",
      "/?u=https://x.org/a",
      "/etc/a",
      "/é/b",
      "\\a",
    ),
  ).map((parts) => parts.join("")),
  constantFrom("", "evil", "http://"),
);
const odd = constantFrom(5, true, null, [], { a: 1 });
const maybe = <T>(value: fc.Arbitrary<T>) =>
  oneof({ weight: 12, arbitrary: value as fc.Arbitrary<unknown> }, odd);

/** A call of any kind of tool; a few of its arguments are missing, misspelled or not text. */
export const anyCall: fc.Arbitrary<ToolCall> = oneof(
  record({ tool: constantFrom("Bash"), input: record({ command: maybe(command) }) }),
  record({
    tool: constantFrom("Bash"),
    input: record({ command: maybe(command), timeout: maybe(constantFrom("5", "6")) }),
  }),
  record({ tool: constantFrom("Read", "Write", "Edit"), input: record({ path: maybe(path) }) }),
  record({
    tool: constantFrom("Read", "Write", "NotebookEdit"),
    input: record({ path: maybe(path), file_path: path }, { requiredKeys: [] }),
  }),
  record({
    tool: constantFrom("Grep", "Glob"),
    input: record({ path: maybe(path), glob: maybe(path) }, { requiredKeys: [] }),
  }),
  record({ tool: constantFrom("WebFetch"), input: record({ url: maybe(url) }) }),
  record({ tool: constantFrom("Query"), input: record({ sql: maybe(command) }) }),
  record({
    tool: constantFrom("mcp__a__b", "TodoWrite", "Unheard"),
    input: record({ k: maybe(textOf(WORDS, 2)), path: maybe(path) }, { requiredKeys: [] }),
  }),
).map((call) => call as ToolCall);

/** Options that a policy is compiled with: both shells, with and without a home folder, case and expiry. */
export const anyOptions: fc.Arbitrary<PolicyOptions> = record({
  shell: constantFrom("parsed", "literal"),
  enforceExpiry: fc.boolean(),
  context: record({
    ignoreCase: fc.boolean(),
    home: constantFrom<readonly string[]>(["/home/u"], []),
  }),
}).map((options) => ({ ...options, tools: TOOLS! }));
