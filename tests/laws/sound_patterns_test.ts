import assert from "node:assert/strict";
import { test } from "node:test";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import { ACTIONS, type ToolOverride } from "../../lib/model/call.ts";
import { parsePattern } from "../../lib/pattern/parse_pattern.ts";
import { parseSpecifier } from "../../lib/pattern/parse_specifier.ts";
import { type CompiledRule, toolRulesFor } from "../../lib/policy/compile/compiled_policy.ts";
import { checkPattern } from "../../lib/policy/compile/compile_policy.ts";
import { toolProfiles } from "../../lib/policy/compile/profiles.ts";
import { commandHead } from "../../lib/policy/compile/rule_keys.ts";
import { plainHead, soundPatterns } from "../../lib/policy/compile/sound_pattern.ts";
import { ToolGroups } from "../../lib/policy/compile/tool_groups.ts";
import { builtinRules } from "../../lib/policy/sources/source_order.ts";
import { policyFromToml } from "../../lib/policy/sources/policy_from_toml.ts";
import { PolicyError } from "../../lib/policy/decode/policy_error.ts";
import { CONTEXT } from "../support/policy.ts";

const NAMES = ["Bash", "Read", "Edit", "Grep", "WebFetch", "Task", "mcp__a__b", "Own", "bash", "*"];

const KINDS = ["command", "path", "url", "text"] as const;

/** Tables of a policy, by which the same specifier of `Own`, `Bash` or `Read` means something else. */
const overrides = fc.dictionary(
  fc.constantFrom("Own", "Bash", "Read", "mcp__a__b"),
  fc.record({
    kind: fc.constantFrom(...KINDS),
    firstArg: fc.constantFrom("command", "path", "x.y"),
    class: fc.constantFrom("read", "edit", "execute"),
    shell: fc.constantFrom("other", "posix"),
    aliasOf: fc.constantFrom("Bash", "Read"),
    isUntrusted: fc.constant(true),
  }, { requiredKeys: [] }) as fc.Arbitrary<ToolOverride>,
  { maxKeys: 3 },
);

const PIECES = [
  ...[
    "git",
    "push",
    "a",
    "x1",
    "_",
    "-f",
    " ",
    "  ",
    "*",
    "**",
    "?",
    ":*",
    ":",
    "/",
    "./",
    "~/",
    "/",
    ".",
    "..",
  ],
  ...[
    "~",
    "@read",
    "@",
    "domain:",
    "https://",
    "http://",
    "example.com",
    "xn--a",
    "1.2",
    "=",
    "!=",
    "key=",
    "command=",
  ],
  ...[
    "(",
    ")",
    "\\",
    "{",
    "}",
    "[",
    "]",
    "'",
    '"',
    "$",
    "%",
    "+",
    ",",
    "&&",
    ">",
    "<",
    "é",
    "\t",
    "\ud800",
    ".env",
  ],
];

const specifier = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((it) => it.join("")),
  },
  fc.string({ maxLength: 8 }),
  fc.constantFrom(
    "git push:*",
    "src/**",
    "/etc/*",
    "~/.ssh/**",
    "domain:example.com",
    "https://a.b/*",
    "repo=x*",
  ),
);

const pattern = fc.tuple(
  fc.oneof(fc.constantFrom(...NAMES, "mcp__*__b", "a b", "@read", ""), fc.string({ maxLength: 4 })),
  fc.constantFrom<((text: string) => string)[]>(
    (it) => `:${it}`,
    (it) => `(${it})`,
    () => "",
    (it) => `(${it}`,
  ),
  specifier,
).map(([tool, form, it]) => tool + form(it));

test("a pattern that is sound by its look has no error and no warning, whatever the tables and its action", () => {
  const seen = { sound: 0, other: 0 };
  fc.assert(
    fc.property(pattern, overrides, (text, tables) => {
      const profiles = toolProfiles(new Map(Object.entries(tables)));
      const isSound = soundPatterns(profiles)(text);
      seen[isSound ? "sound" : "other"]++;
      if (!isSound) return;
      for (const action of ACTIONS) {
        const { error, warning } = checkPattern(text, { action, profiles });
        assert.deepEqual([error, warning], [undefined, undefined], text);
      }
    }),
    { numRuns: 4000 },
  );
  assert.ok(seen.sound > enough(400) && seen.other > enough(400), JSON.stringify(seen));
});

/** Patterns of which many are for the two tools that take commands here. */
const commandPattern = fc.oneof(
  pattern,
  fc.tuple(
    fc.constantFrom("Bash", "Own"),
    fc.constantFrom<((text: string) => string)[]>((it) => `:${it}`, (it) => `(${it})`),
    fc.array(fc.constantFrom("git", " ", "push", "-f", "*", "?", ":*", ":", "(", ")", "/", "."), {
      minLength: 1,
      maxLength: 5,
    }),
  ).map(([tool, form, parts]) => tool + form(parts.join(""))),
);

test("the head of a plain pattern is that of its one command glob", () => {
  let found = 0;
  fc.assert(
    fc.property(commandPattern, overrides, (text, tables) => {
      const profiles = toolProfiles(new Map(Object.entries(tables)));
      for (const name of ["Bash", "Own", "Read"]) {
        const profile = profiles.get(name);
        const head = plainHead(text, profile);
        if (head === undefined) continue;
        found++;
        const parsed = parsePattern(text);
        assert.ok(parsed.ok, text);
        const read = parseSpecifier(parsed.value, profile);
        assert.ok(read.ok && read.value.kind === "argument", text);
        assert.equal(commandHead(read.value.test), head, text);
        assert.deepEqual(parsed.value.tool, [{ kind: "text", text: name }]);
      }
    }),
    { numRuns: 4000 },
  );
  assert.ok(found > enough(100), `${found}`);
});

/** Rules as a policy holds them, all parsed. */
function compiledRules(texts: readonly string[]): readonly CompiledRule[] {
  const rules: CompiledRule[] = [];
  for (const [at, text] of texts.entries()) {
    const parsed = parsePattern(text);
    const source = { kind: "project", path: "p", line: at + 1, column: 1 } as const;
    const action = ACTIONS[at % 3]!;
    if (parsed.ok) {
      rules.push({ pattern: text, action, index: rules.length, source, parsed: parsed.value });
    }
  }
  return rules;
}

test("the rules that a tool's group leaves out do not speak of the tool", () => {
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 8 }), overrides, (texts, tables) => {
      const rules = compiledRules(texts);
      const profiles = toolProfiles(new Map(Object.entries(tables)));
      const groups = new ToolGroups(rules);
      for (const name of NAMES.slice(0, -1)) {
        const profile = profiles.get(name);
        const options = { profile, profiles, shell: "parsed", context: CONTEXT } as const;
        const indexes = (from: readonly CompiledRule[]) =>
          toolRulesFor(from, options).map((
            { rule, specifier, also },
          ) => [rule.index, specifier, also]);
        assert.deepEqual(indexes(groups.rulesFor(profile, profiles)), indexes(rules), name);
      }
    }),
    { numRuns: 500 },
  );
});

test("the built-in patterns, which no start checks, have no error and no warning", () => {
  const profiles = toolProfiles(new Map());
  const rules = builtinRules("/home/u");
  assert.ok(rules.length > 10, `${rules.length}`);
  for (const { pattern, action } of rules) {
    const { error, warning } = checkPattern(pattern.value, { action, profiles });
    assert.deepEqual([error, warning], [undefined, undefined], pattern.value);
  }
});

test("of a policy whose rules are parsed on demand every error is reported, in its place", () => {
  fc.assert(
    fc.property(fc.array(pattern, { minLength: 1, maxLength: 6 }), (patterns) => {
      const texts = patterns.filter((text) => text.isWellFormed() && !/['\p{Cc}]/u.test(text));
      const file = texts.map((text) =>
        `[[permissions.rules]]\naction = "deny"\npattern = '${text}'\n`
      );
      const profiles = toolProfiles(new Map());
      const expected = texts.flatMap((text, at) => {
        const { error } = checkPattern(text, { action: "deny", profiles });
        return error ? [[`${error.detail}`, at * 3 + 3]] : [];
      });
      let found: unknown[] = [];
      try {
        policyFromToml(file.join(""));
      } catch (error) {
        if (!(error instanceof PolicyError)) throw error;
        found = error.problems.filter(({ severity }) => severity === "error")
          .map((
            { message, span },
            at,
          ) => [message.includes(`${expected[at]?.[0]}`) ? expected[at]![0] : message, span.line]);
      }
      assert.deepEqual(found, expected);
    }),
    { numRuns: 500 },
  );
});
