/** The laws of command lines that say the same in other words, or more than before. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../lib/decide/evaluate.ts";
import { strictness, type ToolCall } from "../../lib/model/call.ts";
import type { Verdict } from "../../lib/model/verdict.ts";
import type { CompiledPolicy } from "../../lib/policy/compile/compiled_policy.ts";
import { readLine } from "../../lib/shell/read_line.ts";
import { enough } from "../support/cases.ts";
import { shellRule } from "../support/arbitrary.ts";
import { policyOf, type TestRule } from "../support/policy.ts";
import fc from "../support/seeded.ts";
import {
  anyLine,
  AROUND,
  BEFORE,
  CORPUS,
  CORPUS_COMMANDS,
  FRONT,
  JOINTS,
  plainCommand,
  singleQuoted,
  SPELLINGS,
} from "../support/shell_lines.ts";

/** Bun ends a test after five seconds, which may be too few on a machine that is busy. */
const LONG = { timeout: 120_000 };

const { array, constantFrom, oneof, record, tuple, uniqueArray } = fc;

const commandWords = constantFrom(...CORPUS_COMMANDS);
const corpusLine = oneof(constantFrom(...CORPUS), anyLine);

/** A rule about a program or the beginning of a command of the corpus. */
const corpusRule: fc.Arbitrary<TestRule> = tuple(
  commandWords,
  constantFrom(1, 2, 3),
  constantFrom(" *", ":*", "", "*"),
  constantFrom<TestRule["action"]>("allow", "allow", "allow", "deny", "ask"),
).map(([command, words, end, action]) => {
  const text = command.split(" ").slice(0, words).join(" ").replace(/[\\*?]/g, "\\$&");
  return { pattern: end === ":*" ? `Bash(${text}:*)` : `Bash:${text}${end}`, action };
});

const anyRules = array(oneof(corpusRule, shellRule), { minLength: 1, maxLength: 10 });

/** Rules that allow most of what the corpus runs, as the random ones alone allow too little to say much. */
const BROAD: readonly TestRule[] = [
  ...new Set(CORPUS_COMMANDS.map((command) => command.split(" ")[0]!)),
].map((name) => ({ pattern: `Bash(${name}:*)`, action: "allow" }));

function bash(command: string): ToolCall {
  return { tool: "Bash", input: { command } };
}

function verdictOf(policy: CompiledPolicy, command: string): Verdict {
  return evaluate(policy, bash(command));
}

/** The strictness of a verdict, with a safety check between an ordinary ask and a deny. */
function rank({ action, by }: Pick<Verdict, "action" | "by">): number {
  return 2 * strictness(action) + (action === "ask" && by === "safety" ? 1 : 0);
}

/** True for a rule with the words at the beginning of a line. */
function speaksOf({ pattern }: Pick<TestRule, "pattern">, line: string): boolean {
  const words = pattern.replace(/^Bash[:(]|(?::\*\)| ?\*)$/g, "");
  return line.trim().replaceAll(/\s+/g, " ").startsWith(words);
}

/** The least strictness of a line's verdict beside an allowed command, where some of the line may need no rule. */
function rankBeside(policy: CompiledPolicy, command: string): number {
  const line = policy.request(bash(command)).line!;
  const companions = line.effects.filter(({ isHarmless }) => isHarmless !== false);
  const ranks = verdictOf(policy, command).units.map((unit) => {
    const { kind, text, action, by, rule } = unit;
    const hasSpec = rule !== null && policy.rules[rule.index]!.parsed.specifier !== undefined;
    const mayNeedNone = companions.some((each) => each.kind === kind && each.text === text);
    // A deny or ask rule that matches one command's whole line holds for what that command runs, too.
    const isOfLine = hasSpec && action !== "allow" &&
      speaksOf(policy.rules[rule.index]!, command) && !speaksOf(policy.rules[rule.index]!, text);
    if (isOfLine && by === "safety") return mayNeedNone ? 0 : rank({ action, by: "rule" });
    if (isOfLine) return 0;
    const stays = action === "deny" || by === "safety" || hasSpec;
    return mayNeedNone && !stays ? 0 : rank(unit);
  });
  return Math.max(...ranks);
}

type Joining = Readonly<Record<string, (a: string, b: string) => string>>;

/** Ways to write a line into another, which then is not what it was. */
const INSIDE: Joining = {
  "a substitution as an argument": (a, b) => `${a} $(${b})`,
  "a quoted substitution as an argument": (a, b) => `${a} "$(${b})"`,
  "backticks": (a, b) => `${a} \`${b.replaceAll(/[\\`$]/g, "\\$&")}\``,
  "a process substitution": (a, b) => `${a} <(${b})`,
  "a process substitution for output": (a, b) => `${a} >(${b})`,
  "a here-document": (a, b) => `${a} <<ZQ\n$(${b})\nZQ`,
  "a here-string": (a, b) => `${a} <<< "$(${b})"`,
};

/** Ways to write two lines so that both may run. */
const PAIRS: Joining = {
  ...Object.fromEntries(JOINTS.map((joint) => [joint, (a: string, b: string) => a + joint + b])),
  "subshells": (a, b) => `( ${a} ); ( ${b} )`,
  "groups": (a, b) => `{ ${a}; }; { ${b}; }`,
  "if": (a, b) => `if ${a}; then ${b}; fi`,
  "else": (a, b) => `if ${a}; then :; else ${b}; fi`,
  "for": (a, b) => `for zq in x y; do ${a}; ${b}; done`,
  "while": (a, b) => `while ${a}; do ${b}; done`,
  "until": (a, b) => `until ${a}\ndo ${b}\ndone`,
  "case": (a, b) => `case x in x) ${a};; *) ${b};; esac`,
  "not": (a, b) => `! ${a}; ! ${b}`,
  "functions": (a, b) => `zq-known() { ${a}; ${b}; }; zq-known`,
  "a test": (a, b) => `${a}; [[ -n $(${b}) ]]`,
  "an assignment": (a, b) => `${a}; zq=$(${b})`,
  "eval": (a, b) => `${a}; eval ${singleQuoted(b)}`,
  "bash -c": (a, b) => `bash -c ${singleQuoted(`${a}; ${b}`)}`,
};

/** Rules that allow the words of the pairs themselves. */
const FRAME: readonly TestRule[] = ["zq-known", "zq-known:*", "bash -c *", "eval *"]
  .map((spec) => ({
    pattern: spec.endsWith(":*") ? `Bash(${spec})` : `Bash:${spec}`,
    action: "allow",
  }));

/** A tool whose shell is known: `bash -c` within it is read as the line itself. */
const IN_BASH = { tools: { Bash: { shell: "bash" } } } as const;

for (const [name, join] of Object.entries({ ...PAIRS, ...INSIDE })) {
  test(`two lines that are allowed together are allowed each: ${JSON.stringify(name)}`, () => {
    let allowed = 0;
    fc.assert(
      fc.property(anyRules, corpusLine, corpusLine, (rules, a, b) => {
        if (!isWhole(a) || !isWhole(b)) return;
        const policy = policyOf([...rules, ...FRAME, ...BROAD], name in PAIRS ? IN_BASH : {});
        const line = join(a, b);
        // A rule may be about the identical line.
        if (verdictOf(policy, line).action !== "allow") return;
        if (policy.rules.some(({ parsed }) => parsed.specifier === line)) return;
        allowed++;
        for (const each of name in INSIDE ? [b] : [a, b]) {
          assert.equal(rankBeside(policy, each), 0, `${line} is allowed, ${each} is not`);
        }
      }),
      { numRuns: 300, seed: 1 },
    );
    assert.ok(allowed > enough(20), `only ${allowed} were allowed`);
  });
}

test("rules of its commands never allow a line whose arithmetic takes their output", () => {
  const policy = policyOf([...FRAME, ...BROAD]);
  fc.assert(
    fc.property(corpusLine, corpusLine, (a, b) => {
      if (!isWhole(a) || !isWhole(b)) return;
      for (const line of [`${a}; (( 1 + $(${b}) ))`, `${a}; echo $(( $(${b}) ))`]) {
        assert.notEqual(verdictOf(policy, line).action, "allow", line);
      }
    }),
    { numRuns: 100, seed: 11 },
  );
});

/** True if a line keeps its meaning with another line before or behind it. */
function isWhole(line: string): boolean {
  return !/[\n#\0]|<<|^\s|[\s&;]$|\bcd\b/.test(line) &&
    readLine(line).effects.every(({ kind, text }) => kind !== "opaque" || text !== line);
}

test("a deny that is added anywhere never loosens the verdict of a line", LONG, () => {
  let stricter = 0;
  const added = oneof(corpusRule, shellRule);
  fc.assert(
    fc.property(anyRules, added, fc.nat(10), corpusLine, (rules, rule, at, line) => {
      const deny: TestRule = { ...rule, action: "deny" };
      const before = verdictOf(policyOf([...rules, ...BROAD]), line);
      const after = verdictOf(policyOf([...rules.toSpliced(at, 0, deny), ...BROAD]), line);
      assert.ok(rank(after) >= rank(before), `${before.reason}, then ${after.reason}`);
      if (rank(after) > rank(before)) stricter++;
    }),
    { numRuns: 1_500, seed: 2 },
  );
  assert.ok(stricter > enough(50), `only ${stricter} became stricter`);
});

test("an allow that is added behind the rule that denies a line changes nothing", LONG, () => {
  let denied = 0;
  const allow = oneof(corpusRule, shellRule).map((rule): TestRule => ({ ...rule, action: "allow" }))
    .filter(({ pattern }) => !pattern.startsWith("WebFetch:"));
  fc.assert(
    fc.property(anyRules, allow, fc.nat(10), corpusLine, (rules, added, behind, line) => {
      const before = verdictOf(policyOf(rules), line);
      if (before.action !== "deny") return;
      denied++;
      const at = before.rule!.index + 1 + behind;
      const after = verdictOf(policyOf(rules.toSpliced(at, 0, added)), line);
      assert.equal(after.action, "deny");
      assert.equal(after.rule?.pattern, before.rule!.pattern);
    }),
    { numRuns: 2_000, seed: 3 },
  );
  assert.ok(denied > enough(75), `only ${denied} were denied`);
});

/** The denies first, so that no allow before them can speak of the wrapper. */
const deniesFirst = anyRules.map((rules) =>
  [
    ...rules.filter(({ action }) => action === "deny").map(({ pattern }) => ({ pattern })),
    ...rules.filter(({ action }) => action !== "deny"),
  ].map((rule): TestRule => ({ action: "deny", ...rule }))
);

const deniedCommand = oneof(
  commandWords,
  plainCommand,
  constantFrom("rm -rf /", "git push", "cat .env", "curl x"),
);
const ALWAYS_DENIED: readonly TestRule[] = ["Bash:rm *", "Bash:git push *", "Read:**/.env"]
  .map((pattern) => ({ pattern, action: "deny" }));

/** Checks that what is denied as it is stays no less than asked about in other words. */
function staysUnallowed(rewrite: (command: string) => string, seed: number): void {
  let denied = 0;
  fc.assert(
    fc.property(deniesFirst, deniedCommand, (rules, command) => {
      const policy = policyOf([...ALWAYS_DENIED, ...rules, { pattern: "Bash", action: "allow" }]);
      if (verdictOf(policy, command).action !== "deny") return;
      denied++;
      const line = rewrite(command);
      const { action } = verdictOf(policy, line);
      assert.notEqual(action, "allow", `${command} is denied, ${line} is allowed`);
    }),
    { numRuns: 300, seed },
  );
  assert.ok(denied > enough(50), `only ${denied} were denied`);
}

for (const [name, spell] of Object.entries(SPELLINGS)) {
  test(`a command that is denied is not allowed when it is spelled with ${name}`, () => {
    staysUnallowed((command) => {
      const [first = "", ...words] = command.split(" ");
      return [spell(first), ...words].join(" ");
    }, 4);
    staysUnallowed((command) => command.split(" ").map(spell).join("  "), 5);
  });
}

for (const [name, wrap] of Object.entries({ ...BEFORE, ...FRONT, ...AROUND })) {
  test(`a command that is denied is not allowed through ${name}`, () => staysUnallowed(wrap, 6));
}

test(
  "a command that is denied is not allowed through two or three of them, nor spelled besides",
  LONG,
  () => {
    const spellings = constantFrom((word: string) => word, ...Object.values(SPELLINGS));
    // A find in a find ends at the first semicolon, and then runs nothing.
    const before = uniqueArray(constantFrom(...Object.values(BEFORE)), { maxLength: 3 });
    const front = array(constantFrom(...Object.values(FRONT)), { maxLength: 1 });
    const around = array(constantFrom(...Object.values(AROUND)), { maxLength: 2 });
    let denied = 0;
    fc.assert(
      fc.property(
        record({
          rules: deniesFirst,
          command: deniedCommand,
          spell: spellings,
          before,
          front,
          around,
        }),
        ({ rules, command, spell, before, front, around }) => {
          const policy = policyOf([...ALWAYS_DENIED, ...rules, {
            pattern: "Bash",
            action: "allow",
          }]);
          if (verdictOf(policy, command).action !== "deny") return;
          denied++;
          const [first = "", ...words] = command.split(" ");
          const start = [spell(first), ...words].join(" ");
          const line = [...before, ...front, ...around].reduce((text, wrap) => wrap(text), start);
          assert.notEqual(verdictOf(policy, line).action, "allow", line);
        },
      ),
      { numRuns: 2_500, seed: 7 },
    );
    assert.ok(denied > enough(750), `only ${denied} were denied`);
  },
);

/** A command that a rule of its own allows, before all others. */
const KNOWN = "zq-known";
const KNOWN_RULE: TestRule = { pattern: `Bash:${KNOWN}`, action: "allow" };

test(
  "beside a command that is allowed, a line is never looser, but for what needs no rule there",
  LONG,
  () => {
    fc.assert(
      fc.property(anyRules, corpusLine, constantFrom(...JOINTS), (rules, line, joint) => {
        if (!isWhole(line)) return;
        const policy = policyOf([KNOWN_RULE, ...rules, ...BROAD]);
        const least = rankBeside(policy, line);
        for (const both of [`${line}${joint}${KNOWN}`, `${KNOWN}${joint}${line}`]) {
          const beside = verdictOf(policy, both);
          assert.ok(rank(beside) >= least, `${both}: ${beside.action}, ${beside.reason}`);
        }
      }),
      { numRuns: 1_000, seed: 8 },
    );
  },
);

test(
  "beside a command that is allowed, rules about commands alone say of a line what they said",
  LONG,
  () => {
    const beginning = tuple(
      oneof(commandWords, plainCommand),
      constantFrom(1, 2),
      constantFrom(" *", ":*", ""),
    )
      .map(([command, words, end]) => {
        const text = command.split(" ").slice(0, words).join(" ");
        return end === ":*" ? `Bash(${text}:*)` : `Bash:${text}${end}`;
      });
    const rules = array(
      record({
        pattern: beginning,
        action: constantFrom<TestRule["action"]>("allow", "deny", "ask"),
      }),
      { minLength: 1, maxLength: 10 },
    );
    fc.assert(
      fc.property(
        rules,
        corpusLine,
        constantFrom("; ", " & ", "\n", " || "),
        (rules, line, joint) => {
          const policy = policyOf([KNOWN_RULE, ...rules]);
          if (!isWhole(line) || rankBeside(policy, line) !== rank(verdictOf(policy, line))) return;
          const alone = verdictOf(policy, line);
          for (const both of [`${line}${joint}${KNOWN}`, `${KNOWN}${joint}${line}`]) {
            const beside = verdictOf(policy, both);
            assert.equal(beside.action, alone.action, `${both}: ${beside.reason}`);
            // An ask rule that matches one command's whole line is a safety check for what that command runs.
            if (!rules.some((rule) => rule.action === "ask" && speaksOf(rule, line))) {
              assert.equal(beside.by, alone.by);
            }
          }
        },
      ),
      { numRuns: 1_000, seed: 9 },
    );
  },
);
