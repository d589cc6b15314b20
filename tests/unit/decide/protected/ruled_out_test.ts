import assert from "node:assert/strict";
import { test } from "node:test";
import defaults from "../../../../defaults/protected.json" with { type: "json" };
import { protectedPlaces } from "../../../../lib/decide/protected/protected_places.ts";
import {
  gitSetting,
  mayChangeRules,
  textsOf,
  writesOf,
  writingVerb,
} from "../../../../lib/decide/protected/rule_changes.ts";
import {
  fixedTarget,
  placesTouched,
  touchesNone,
} from "../../../../lib/decide/protected/target.ts";
import { policyOf } from "../../../support/policy.ts";
import fc from "../../../support/seeded.ts";

const NAMES = [
  ...defaults.places.flatMap(({ names }) => names),
  ...[
    "a",
    "src",
    "x.code-workspace",
    "home",
    "ada",
    "work",
    "etc",
    "..",
    "~",
    "*",
    "KILO.json",
    "İ",
  ],
];

const FOLDERS = { workspace: ["/work/.claude/tree"], home: ["/home/ada"] };

const CONTEXTS = [
  FOLDERS,
  { ...FOLDERS, ignoreCase: true, platform: "darwin" },
  { ...FOLDERS, workspace: ["/"], home: [] },
  { workspace: ["C:/work"], home: ["C:/Users/ada"], ignoreCase: true, platform: "windows" },
  {
    ...FOLDERS,
    realPath: (path: string) => path.replace("/src", "/.git").replace("/x", "") || "/",
  },
  // A place whose link leads to the root takes every file with it.
  { ...FOLDERS, realPath: (path: string) => path.endsWith("/.ssh") ? "/" : path },
] as const;

test("a path that is ruled out touches no place", () => {
  const starts = [
    "",
    "/",
    "/home/ada/",
    "~/",
    "../",
    "/work/.claude/tree/",
    "//host/share/",
    "C:/",
  ];
  const paths = fc.tuple(
    fc.constantFrom(...starts),
    fc.array(fc.constantFrom(...NAMES, ...NAMES.map((name) => name.toUpperCase())), {
      maxLength: 5,
    }),
  ).map(([start, names]) => start + names.join("/"));
  const all = CONTEXTS.map((context) => {
    const policy = policyOf([], { context });
    const { workspace: [cwd] } = context;
    return {
      places: protectedPlaces(policy),
      request: policy.request({ tool: "Write", input: {}, cwd }),
    };
  });
  let ruledOut = 0;
  fc.assert(fc.property(paths, (text) => {
    for (const { places, request } of all) {
      const path = request.path(text);
      const touched = placesTouched(fixedTarget(path, places), places);
      if (!touchesNone(path, places)) continue;
      ruledOut++;
      assert.deepEqual(touched, [], text);
    }
  }));
  assert.ok(ruledOut > 0);
});

test("a command that is ruled out runs no verb and writes nothing unnamed", () => {
  const words = [
    ...defaults.verbs.flat(),
    ...defaults.writes.flatMap(({ commands }) => commands.flatMap((each) => each.split(" "))),
    ...["caliban", "CALIBAN", "./cli.ts", "/usr/bin/npm", "A=b", "a", "--global", "x.y", "git"],
  ];
  const texts = fc.tuple(
    fc.constantFrom("", " ", "\t", "X=1 ", "X='a b' "),
    fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }),
    fc.constantFrom(" ", "\t", "\n", "\u00a0", "  "),
  ).map(([start, all, space]) => start + all.join(space));
  fc.assert(fc.property(texts, fc.option(texts), (text, template) => {
    const effect = {
      allowTexts: [{ text, minLiteral: 0, maxLiteral: 0 }],
      denyTexts: template === null ? [] : [{ text, template }],
    } as unknown as Parameters<typeof textsOf>[0];
    if (mayChangeRules(effect)) return;
    const all = textsOf(effect);
    assert.equal(writingVerb(all, { mayBeAlias: false }), undefined);
    assert.equal(gitSetting(all), undefined);
    assert.equal(writesOf(all), undefined);
  }));
});
