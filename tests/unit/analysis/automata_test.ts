import assert from "node:assert/strict";
import { test } from "node:test";
import { Automata } from "../../../lib/analysis/automata/automaton.ts";
import { AvoidedLists } from "../../../lib/analysis/automata/avoided.ts";
import { ANY } from "../../../lib/analysis/automata/char_set.ts";
import { findWords } from "../../../lib/analysis/automata/find_words.ts";
import { HeadIndex } from "../../../lib/analysis/automata/head_index.ts";
import { leastWord } from "../../../lib/analysis/automata/least_word.ts";
import { includes, type State, symbolsOf } from "../../../lib/analysis/automata/state.ts";
import { differences } from "../../../lib/analysis/differences.ts";
import { policyOf } from "../../support/policy.ts";
import { type Random, randomFrom } from "../../support/random.ts";

test("the heads near a text are those that begin with it, and its own beginnings, in order", () => {
  const random = randomFrom(3);
  for (let round = 0; round < 300; round++) {
    const heads = Array.from({ length: random.below(40) }, () => random.text(["a", "b", "c"], 4));
    const index = new HeadIndex(heads);
    const text = random.text(["a", "b", "c"], 4);
    const near = heads.flatMap((head, place) =>
      head.startsWith(text) || text.startsWith(head) ? [place] : []
    );
    assert.deepEqual([...index.near(text)], near);
  }
});

/** A language of a few texts with wildcards. */
function language(automata: Automata, random: Random): State {
  const texts = Array.from({ length: 1 + random.below(2) }, () => {
    let state = automata.end;
    for (let length = random.below(4); length > 0; length--) {
      const kind = random.below(5);
      if (kind === 0) state = automata.star(ANY, state);
      else if (kind === 1) state = automata.one(ANY, state);
      else state = automata.text(random.pick(["a", "b"]), state);
    }
    return state;
  });
  return automata.either(texts);
}

const TEXTS = ["", ..."ab"].flatMap((a) =>
  ["", ..."ab"].flatMap((b) => ["", ..."ab"].map((c) => a + b + c))
);

test("a search yields words of every language and of none that is avoided, the shortest first", () => {
  const random = randomFrom(5);
  for (let round = 0; round < 400; round++) {
    const automata = new Automata();
    const make = (count: number) => Array.from({ length: count }, () => language(automata, random));
    const [all, none] = [make(1 + random.below(3)), make(random.below(4))];
    const isIn = (word: readonly number[]) =>
      all.every((state) => includes(state, word)) && !none.some((state) => includes(state, word));
    const found: number[] = [];
    for (const word of findWords({ all, none }, { left: 100_000 })) {
      if (word === "spent" || found.length > 20) break;
      assert.ok(isIn(word));
      found.push(word.length);
    }
    assert.deepEqual(found, found.toSorted((a, b) => a - b));
    const least = TEXTS.map(symbolsOf).filter(isIn).map(({ length }) => length);
    if (least.length > 0) assert.ok(found[0]! <= Math.min(...least));
    const [first, second = automata.everything] = all;
    const word = leastWord([first!, second], 10_000);
    const [shortest] = findWords({ all: [first!, second], none: [] }, { left: 100_000 });
    assert.equal(word?.length, shortest?.length);
  }
});

test("a search has each list of avoided states once, in whatever order they come", () => {
  const automata = new Automata();
  const [a, b] = ["a", "b"].map((text) => automata.text(text, automata.end)) as [State, State];
  const lists = new AvoidedLists();
  const list = lists.of([b, a, b]);
  assert.deepEqual(list.states, [a, b]);
  assert.equal(lists.of([a, b]), list);
  assert.equal(list.after(0x61).states[0], automata.end);
  assert.equal(list.after(0x63), lists.of([]));
  const { ways } = list.cuts(ANY);
  assert.deepEqual(ways.map(({ not }) => not.states.length), [0, 1]);
});

test("a rule that both policies have is compared as each policy reads its tool", () => {
  const rules = [{ pattern: "Write:src/**", action: "allow" }] as const;
  const [here, there] = ["/a", "/b"].map((folder) => ({ context: { workspace: [folder] } }));
  const more = { pattern: "Write:lib/**", action: "allow" } as const;
  const same = differences(policyOf(rules, here), policyOf([...rules, more], here));
  assert.deepEqual(same.groups.map(({ now }) => now.rule?.pattern), [more.pattern]);
  const moved = differences(policyOf(rules, here), policyOf([...rules, more], there));
  assert.ok(moved.groups.length > 0);
});
