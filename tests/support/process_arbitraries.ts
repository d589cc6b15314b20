/** Random command lines, policy files and calls, mostly near what is right. */
import fc from "./seeded.ts";

/** Pieces of patterns that mean something. */
const PATTERN_PIECES = [
  ..."():*?~\\,=!.[]{}/-\"'#\n\t é\u{202e}\u{1f600}\0\ud800",
  ...["Bash", "Write", "Read", "WebFetch", "Grep", "TodoWrite", "mcp__x__y", "git", "rm -rf", "**"],
  ...["domain:", "https://", "x.org", "path=", "command=", "../", "./", "~/", ":*", "C:\\"],
];

/** Text that is a pattern, or nearly one. */
export const patterns: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.array(fc.constantFrom(...PATTERN_PIECES), { maxLength: 8 }).map(join),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constantFrom("Bash", "Write", "Read", "WebFetch", "mcp__a__b", "*", "Grep"),
      fc.array(fc.constantFrom(...PATTERN_PIECES), { maxLength: 6 }).map(join),
      fc.constantFrom("paren", "colon"),
    ).map(([tool, spec, form]) => form === "paren" ? `${tool}(${spec})` : `${tool}:${spec}`),
  },
  fc.string({ unit: "binary", maxLength: 20 }),
);

/** Patterns that no file and no flag may hold. */
export const brokenPatterns: fc.Arbitrary<string> = fc.constantFrom(
  "Bash(git *",
  "Bash()",
  "(x)",
  ":x",
  "Bash(x)y",
  "Write:~x",
);

/** Texts that may stand where JSON is read, as raw text, so that they can say what `JSON.stringify` cannot. */
export const inputTexts: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.array(member(), { maxLength: 4 }).map((all) => `{${all.join(",")}}`) },
  fc.constantFrom(
    `{"command":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
    `{"command":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`,
    '{"__proto__":{"command":"ls"}}',
    '{"constructor":{"prototype":{"x":1}},"command":"ls"}',
    '{"command":"a","command":"b"}',
    '{"path":"a","file_path":"b"}',
    '{"command":1e400,"path":-1e400,"url":1e-400}',
    '{"command":"\\u0000\\ud800\\udfff"}',
    '{"',
    "{}",
    "",
  ),
  fc.constantFrom("git push", "rm -rf /", "../../etc/passwd", "https://x.org@evil.com/", "[", "{"),
  fc.json({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 40 }),
);

function member(): fc.Arbitrary<string> {
  const names = ["command", "path", "file_path", "url", "glob", "x.y", "__proto__", "toString"];
  const values = [
    '"git push"',
    '"ls\\u0000"',
    '"\\ud800"',
    '"../x"',
    '"https://x.org/"',
    '""',
    "1e400",
    "-0",
    "true",
    "null",
    "[1]",
    '{"a":{"b":1}}',
    '"' + "a".repeat(5000) + '"',
  ];
  return fc.tuple(fc.constantFrom(...names), fc.constantFrom(...values))
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`);
}

/** A TOML rule, its text chosen at random. */
const rules = fc.tuple(
  patterns,
  fc.constantFrom("allow", "deny", "ask"),
  fc.constantFrom("", 'comment = "c"\n', 'reason = "r"\n', "expires_at = 2001-01-01T00:00:00Z\n"),
).map(([pattern, action, more]) =>
  `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n${more}`
);

/** A policy file of random rules, well-formed more often than not. */
const rulesFiles = fc.array(rules, { maxLength: 6 }).map((all) => all.join("\n"));

/** One change to a file's bytes; `at` is a share of its length. */
const changes = fc.record({
  kind: fc.constantFrom("flip", "cut", "delete", "insert", "repeat"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 6 }),
    fc.constantFrom('"', "'''", "\n", "[", "]]", "= ", "#", "\r", "\0", "\\u{0}", "{", "x = 1\n")
      .map((text) => new TextEncoder().encode(text)),
  ),
});

type Change = typeof changes extends fc.Arbitrary<infer T> ? T : never;

/** The bytes of a policy file: one of `good` or random rules, changed in a few places or not at all. */
export function policyBytes(good: readonly string[]): fc.Arbitrary<Uint8Array> {
  return fc.tuple(
    fc.oneof(fc.constantFrom(...good), rulesFiles),
    fc.array(changes, { maxLength: 3 }),
  ).map(([text, all]) => all.reduce(changed, new TextEncoder().encode(text)));
}

function changed(bytes: Uint8Array, { kind, at, bytes: more }: Change): Uint8Array {
  const start = Math.floor(at * bytes.length);
  const [before, after] = [bytes.subarray(0, start), bytes.subarray(start)];
  switch (kind) {
    case "flip":
      return bytes.map((byte, index) => index === start ? byte ^ (more[0] ?? 1) : byte);
    case "cut":
      return before;
    case "delete":
      return joined(before, after.subarray(more.length));
    case "insert":
      return joined(before, more, after);
    case "repeat":
      return joined(before, after, before);
  }
  return bytes;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

/** Flags that a verb may know, with values that may be right; in pieces of one or two words. */
export const flagWords: fc.Arbitrary<readonly string[]> = fc.oneof(
  fc.constantFrom(
    ...["--json", "--no-user", "--no-project", "--no-builtin", "--trust", "--headless"],
    ...["--auto-allow", "--no-permissions", "--help", "--version", "--", "-h", "--bogus", "-x"],
    ...["--color=always", "--color", "--format=json", "--format=mermaid", "--format", "--stdin"],
    ...["--cwd=.", "--cwd=nowhere", "--workspace=.", "--workspace=..", "--rules=rules.toml"],
    ...["--rules=nowhere.toml", "--source=project", "--source=cli", "--permission-mode=default"],
    ...["--permission-mode=bypassPermissions", "--scope=user", "-", "--json=1", "--allow", "--="],
  ).map((word) => [word]),
  fc.tuple(fc.constantFrom("--allow", "--deny", "--ask"), patterns)
    .map(([flag, value]) => [`${flag}=${value}`]),
  fc.string({ unit: "binary", maxLength: 10 }).map((word) => [word]),
);

function join(pieces: readonly string[]): string {
  return pieces.join("");
}
