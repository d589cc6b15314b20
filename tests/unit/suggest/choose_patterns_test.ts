import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import type {
  AskGroup,
  PatternBreadth,
  SuggestablePattern,
} from "../../../lib/suggest/ask_groups.ts";
import { askCount, choosePatterns } from "../../../lib/suggest/choose_patterns.ts";

const NONE: ReadonlySet<string> = new Set();
const KINDS: readonly (readonly [RegExp, PatternBreadth])[] = [
  [/\*\*$/, "folder"],
  [/:\*\)$/, "prefix"],
  [/^Edit/, "file"],
  [/./, "literal"],
];

/** `3 a|b & c`: three asks that need a or b, and c. */
function group(text: string): AskGroup {
  const [, count = "", rest = ""] = /^(\d+) (.*)$/.exec(text)!;
  const choices = rest.split(" & ").map((choice) => ({
    patterns: choice.split("|").map(suggestable),
  }));
  return { choices, count: Number(count), kinds: 1, examples: [] };
}

function suggestable(pattern: string): SuggestablePattern {
  return { pattern, kind: KINDS.find(([form]) => form.test(pattern))![1] };
}

function covered(texts: readonly string[], { max = 10, goal = Infinity, banned = NONE } = {}) {
  const { picks, answered } = choosePatterns(texts.map(group), { goal, max, banned });
  return { picks: picks.map(({ pattern }) => pattern), asks: askCount(answered) };
}

const CASES: readonly (readonly [
  name: string,
  groups: readonly string[],
  options: Parameters<typeof covered>[1],
  picks: readonly string[],
  asks: number,
])[] = [
  ["nothing", [], {}, [], 0],
  ["what answers most comes first", ["2 a", "5 b"], {}, ["b", "a"], 7],
  ["no more than asked for", ["2 a", "5 b"], { max: 1 }, ["b"], 5],
  ["until the goal", ["2 a", "5 b", "9 c"], { goal: 9 }, ["c"], 9],
  ["one prefix for many", ["2 a|P(x:*)", "2 b|P(x:*)"], {}, ["P(x:*)"], 4],
  ["the narrower of equals", ["4 a|P(x:*)"], {}, ["a"], 4],
  ["once to the letter is no rule", ["1 a"], {}, [], 0],
  ["once by prefix is one", ["1 a|P(x:*)"], {}, ["P(x:*)"], 1],
  ["two at once", ["5 a & b"], {}, ["a", "b"], 5],
  ["not half of a call", ["5 a & b"], { max: 1 }, [], 0],
  ["what is banned is not used", ["5 a|P(x:*)"], { banned: new Set(["a"]) }, ["P(x:*)"], 5],
  ["what cannot be answered is left", ["5 a & b"], { banned: new Set(["a"]) }, [], 0],
  ["one file is no folder", ["9 Edit:s/a|Edit:s/**"], {}, ["Edit:s/a"], 9],
  [
    "a folder for many files",
    ["1 Edit:s/a|Edit:s/**", "1 Edit:s/b|Edit:s/**", "1 Edit:s/c|Edit:s/**"],
    {},
    ["Edit:s/**"],
    3,
  ],
  ["two files are too few", ["1 Edit:s/a|Edit:s/**", "1 Edit:s/b|Edit:s/**"], {}, [], 0],
  [
    "the deeper folder of nearly equal ones",
    [
      "10 Edit:s/t/a|Edit:s/t/**|Edit:s/**",
      "10 Edit:s/t/b|Edit:s/t/**|Edit:s/**",
      "1 Edit:s/c|Edit:s/**",
    ],
    { max: 1 },
    ["Edit:s/t/**"],
    20,
  ],
  [
    "what others make needless goes",
    ["9 a", "5 a & b|P(x:*)", "5 c|P(x:*)", "5 d|P(x:*)"],
    {},
    ["P(x:*)", "a"],
    24,
  ],
];

for (const [name, groups, options, picks, asks] of CASES) {
  test(`a set of rules: ${name}`, () => {
    assert.deepEqual(covered(groups, options), { picks: [...picks], asks });
  });
}

const word = fc.constantFrom("a", "b", "c", "P(x:*)", "P(y:*)", "Edit:s/**", "Edit:s/a");
const anyGroup = fc.tuple(
  fc.integer({ min: 1, max: 9 }),
  fc.array(fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
).map(([count, choices]) => `${count} ${choices.map((all) => all.join("|")).join(" & ")}`);

test("a set keeps to its bounds, has nothing needless, and does not hang on the order of groups", () => {
  fc.assert(fc.property(
    fc.uniqueArray(anyGroup, { maxLength: 8 }),
    fc.integer({ min: 1, max: 4 }),
    (texts, max) => {
      const groups = texts.map(group);
      const { picks, answered } = choosePatterns(groups, { goal: Infinity, max, banned: NONE });
      assert.ok(picks.length <= max);
      const has = new Set(picks.map(({ pattern }) => pattern));
      const isAnswered = ({ choices }: AskGroup, set: ReadonlySet<string>) =>
        choices.every(({ patterns }) => patterns.some(({ pattern }) => set.has(pattern)));
      assert.deepEqual(answered, groups.filter((each) => isAnswered(each, has)));
      for (const pattern of has) {
        const rest = new Set([...has].filter((each) => each !== pattern));
        assert.ok(askCount(groups.filter((each) => isAnswered(each, rest))) < askCount(answered));
      }
      const again = choosePatterns(groups.toReversed(), { goal: Infinity, max, banned: NONE });
      assert.deepEqual(again.picks, picks);
    },
  ));
});
