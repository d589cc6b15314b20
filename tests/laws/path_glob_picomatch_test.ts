// picomatch 4 is the oracle of path globs. Where it differs from us, one of these equivalences of globs, which hold by the
// meaning of the pieces, explains it: on the rewritten glob picomatch agrees. Nothing else may differ.
//
// - `own text`: `[ab]` and `{a,b}` also fit their own text, so that `app/[id]/page.tsx` names that file; picomatch does so
//   for brackets only.
// - `braces`: `{a,b}` is the union of its options; picomatch lets a `*` in it stand for nothing where a name must be
//   (`a/**/{*,b}` fits `a`).
// - `narrower`: `*` and `**` beside a group are `*` to us, although the empty option of `**{,a}` or the star of `*{*,a}` would
//   make them a whole segment; and `**` as a whole option is at least one name where a slash stands outside of the braces
//   (`{a,**}/b` does not fit `b`; there picomatch mostly agrees). There, and only there, we fit less than the union; never more.
// - `negation`: `[!a]` is `[^a]`; picomatch takes the `!` for a member.
// - `slash in brackets`: no name holds a slash, so `[a/b]` is text (as in POSIX); picomatch takes it for a set.
// - `stars`: `***`, and `**` that is not a whole segment, are `*`; after them picomatch leaves dots unescaped and lets an
//   empty segment pass.
// - `repeated`: `**` + `/**` is `**`; of `a/**/**` picomatch agrees, of some longer ones not.
// - `below`: `x/**` is `x` and everything below; picomatch says so of `a/**` but not of `a*` + `/**`.
// `fastpaths` is off: with it `*.*` does not fit `a.`.
import assert from "node:assert/strict";
import { test } from "node:test";
// @ts-types="@types/picomatch"
import picomatch from "picomatch";
import { mayPathMatcher, mustPathMatcher } from "../../lib/pattern/path/match_path.ts";
import type { CallPath } from "../../lib/pattern/path/call_path.ts";
import { parsePathPattern, type PathPattern } from "../../lib/pattern/path/path_pattern.ts";
import { cases, enough } from "../support/cases.ts";
import { CONTEXT } from "../support/policy.ts";
import { type Random, randomFrom } from "../support/random.ts";
import { expanded } from "../support/reference_braces.ts";

type Rewrite = (glob: string) => readonly string[];

const REWRITES: Readonly<Record<string, Rewrite>> = {
  "groups": (glob) => expanded(glob),
  "negation": (glob) => [glob.replaceAll("[!", "[^")],
  "stars": (glob) => [eachSegment(glob, (name) => name === "**" ? name : oneStar(name))],
  "repeated": (glob) => [glob.replace(/(^|\/)\*\*(\/\*\*)+(?=\/|$)/g, "$1**")],
  "below": (glob) => /\*\/\*\*$/.test(glob) ? [glob, glob.slice(0, -3)] : [glob],
};

function eachSegment(glob: string, change: (segment: string) => string): string {
  return glob.split("/").map(change).join("/");
}

function oneStar(segment: string): string {
  return segment.replace(/(?<!\\)\*{2,}/g, "*");
}

function oracle(glob: string, path: string): boolean {
  return picomatch(glob, { dot: true, noextglob: true, nonegate: true, fastpaths: false })(path);
}

/** True if stars or a group stand beside a group with an empty or starred option, or an option is `**`. */
function isNarrower(glob: string): boolean {
  const beside = /\*\{|\}\*|\}\{/.test(glob) && /\{,|,,|,\}|[{,]\*|\*[,}]/.test(glob);
  return beside || /[{,]\*{2}[,}]/.test(glob);
}

/** The globs whose union, by the equivalences above, is the glob. */
function rewritten(glob: string): readonly string[] {
  return Object.values(REWRITES).reduce<readonly string[]>(
    (globs, rewrite) => globs.flatMap((each) => rewrite(each)),
    [glob],
  );
}

function pathOf(text: string): CallPath {
  return { ok: true, raw: text, folded: [], forms: [{ root: text, workspace: text }] };
}

function patternOf(glob: string): PathPattern | undefined {
  const pattern = parsePathPattern(`./${glob}`);
  return pattern.ok ? pattern.value : undefined;
}

function ours(pattern: PathPattern, path: string): boolean {
  return mustPathMatcher(pattern)(pathOf(path)) === "yes";
}

const PLAIN = ["a", "b", "c", "a", "/", "/", ".", "*", "**", "?", "/**/", "**/", "/**", "/*"];
const SETS = ["[ab]", "[a-c]", "[!a]", "[^b]", "[.]", "[", "]", "[a/b]", "[]a]"];
const BRACES = ["{a,b}", "{a,b/c}", "{*,b}", "{a,**}", "{", "}", ",", "{,a}"];
const NAMES = ["a", "b", "c", "a", "b", "."];

function globFrom(random: Random, pieces: readonly string[]): string {
  return random.text([...PLAIN, ...pieces], 6);
}

/** A normal path: names that are not empty and not made of one or two dots. */
function pathFrom(random: Random, pieces: readonly string[]): string {
  const names: string[] = [];
  for (let left = random.below(4); left >= 0; left--) {
    const name = random.text([...NAMES, ...pieces], 3);
    names.push(/^\.{0,2}$/.test(name) ? "a" : name);
  }
  return names.join("/");
}

interface Tally {
  pairs: number;
  fitting: number;
  differing: number;
}

function compare(seed: number, options: { globs: readonly string[]; paths: readonly string[] }) {
  const random = randomFrom(seed);
  const tally: Tally = { pairs: 0, fitting: 0, differing: 0 };
  while (tally.pairs < cases(40_000)) {
    const glob = globFrom(random, options.globs);
    const pattern = glob === "" ? undefined : patternOf(glob);
    if (!pattern) continue;
    for (let round = 0; round < 4; round++) {
      const path = pathFrom(random, options.paths);
      const wanted = ours(pattern, path);
      tally.pairs++;
      if (wanted) tally.fitting++;
      if (oracle(glob, path) === wanted) continue;
      tally.differing++;
      const globs = rewritten(glob);
      const explained = globs.some((each) => oracle(each, path));
      if (!wanted && isNarrower(glob)) continue;
      assert.equal(wanted, explained, JSON.stringify({ glob, path, globs }));
    }
  }
  return tally;
}

test("path globs without brackets and braces fit what picomatch says, but for repeated stars", () => {
  const { pairs, fitting, differing } = compare(11, { globs: [], paths: [] });
  assert.ok(fitting > enough(2_000), `only ${fitting} of ${pairs} fit`);
  assert.ok(differing < pairs * 0.01, `${differing} of ${pairs} differ`);
});

test("path globs with brackets fit what picomatch says, but for the listed differences", () => {
  const { pairs, fitting, differing } = compare(12, { globs: SETS, paths: [] });
  assert.ok(fitting > enough(2_000), `only ${fitting} of ${pairs} fit`);
  assert.ok(differing < pairs * 0.05, `${differing} of ${pairs} differ`);
});

test("path globs with braces fit what picomatch says, but for the listed differences", () => {
  const { pairs, fitting, differing } = compare(13, { globs: BRACES, paths: [] });
  assert.ok(fitting > enough(2_000), `only ${fitting} of ${pairs} fit`);
  assert.ok(differing < pairs * 0.03, `${differing} of ${pairs} differ`);
});

test("brackets and braces that stand in the path fit as their own text and are else as picomatch says", () => {
  const pieces = ["[ab]", "{a,b}", "[", "{", "}", "]"];
  const { pairs, fitting, differing } = compare(14, { globs: pieces, paths: pieces });
  assert.ok(fitting > enough(800), `only ${fitting} of ${pairs} fit`);
  assert.ok(differing < pairs * 0.05, `${differing} of ${pairs} differ`);
});

const DIFFERENCES: readonly { why: string; glob: string; path: string; ours: boolean }[] = [
  { why: "own text", glob: "{a,b}?", path: "{a,b}x", ours: true },
  { why: "braces", glob: "a/**/{*,b}", path: "a", ours: false },
  { why: "ranges of braces are text", glob: "{1..3}", path: "2", ours: false },
  { why: "narrower", glob: "**{,a}/b", path: "x/y/b", ours: false },
  { why: "negation", glob: "[!a]", path: "b", ours: true },
  { why: "negation", glob: "[!a]", path: "a", ours: false },
  { why: "slash in brackets", glob: "[a/b]", path: "a", ours: false },
  { why: "stars", glob: "***a.", path: "aab", ours: false },
  { why: "stars", glob: "a/**/***", path: "a", ours: false },
  { why: "below", glob: "a*/**", path: "ab", ours: true },
];

for (const { why, glob, path, ours: wanted } of DIFFERENCES) {
  test(`picomatch differs (${why}): ${glob} ${wanted ? "fits" : "does not fit"} ${path}`, () => {
    const pattern = patternOf(glob);
    assert.ok(pattern);
    assert.equal(ours(pattern, path), wanted);
    assert.equal(oracle(glob, path), !wanted);
  });
}

test("what an allow rule's path fits, the same deny rule's fits too, with all that is below", () => {
  const random = randomFrom(15);
  let fitting = 0;
  for (let round = 0; round < cases(20_000); round++) {
    const pattern = patternOf(globFrom(random, [...SETS, ...BRACES]) || "a");
    if (!pattern) continue;
    const path = pathFrom(random, []);
    if (!ours(pattern, path)) continue;
    fitting++;
    const wide = mayPathMatcher(pattern, CONTEXT);
    for (const text of [path, `${path}/x/.y`]) {
      assert.equal(wide(pathOf(text)), "yes", JSON.stringify({ pattern, text }));
    }
  }
  assert.ok(fitting > enough(500), `only ${fitting} fit`);
});
