import assert from "node:assert/strict";
import { test } from "node:test";
import { placeName, writingCommands } from "../../../../lib/decide/protected/protected_places.ts";
import {
  gitSetting,
  mayChangeRules,
  verbIn,
  writesOf,
  writingVerb,
} from "../../../../lib/decide/protected/rule_changes.ts";
import type { Effect } from "../../../../lib/shell/effect.ts";
import { HOLE } from "../../../../lib/shell/parse/tree.ts";

/** Commands, and the verb that each runs under a name of caliban. */
const VERBS: readonly (readonly [string, string | undefined])[] = [
  ["caliban trust", "trust"],
  ["A=1 B=2 caliban trust", "trust"],
  ["./cli.ts trust", "trust"],
  ["deno run cli.ts trust", "trust"],
  ["deno run -A ./cli.mjs hook install claude", "hook install"],
  ["node dist/caliban.js perms add x", "perms add"],
  ["caliban add x", "perms add"],
  ["caliban --workspace x perms add y", "perms add"],
  ["caliban --workspace=x perms add y", "perms add"],
  ["caliban --workspace=x y perms add", undefined],
  ["caliban --workspace x y perms add", undefined],
  ["caliban perms lint", undefined],
  ["caliban perms lint --fix", "perms lint --fix"],
  ["caliban lint --fix", "perms lint --fix"],
  ["caliban --fix lint", "perms lint --fix"],
  ["caliban lint --fi", undefined],
  ["caliban test --upd", "perms test --update"],
  ["caliban test --update=x", "perms test --update"],
  [`caliban test ${HOLE}`, "perms test --update"],
  [`caliban hook ${HOLE}`, "hook install"],
  [`caliban ${HOLE} install`, "perms add"],
  ["caliban perms", undefined],
  ["caliban check trust", undefined],
  ["echo caliban trust", undefined],
  ["ls cli.txt trust", undefined],
  ["x trust", undefined],
];

test("the verb of caliban that a command runs is found behind options, under each of its names", () => {
  for (const [text, verb] of VERBS) {
    assert.equal(verbIn(text), verb, text);
    if (verb !== undefined) assert.ok(mayChangeRules(effectOf(text)), text);
  }
});

test("a program that no table describes, or one at a path, may be caliban", () => {
  const verbs = (text: string) =>
    [true, false].map((mayBeAlias) => writingVerb([text], { mayBeAlias }));
  assert.deepEqual(verbs("zzz trust"), ["trust", undefined]);
  assert.deepEqual(verbs("A=1 ./ls trust"), ["trust", undefined]);
  assert.deepEqual(verbs("ls trust"), [undefined, undefined]);
  assert.deepEqual(verbs("A=1 trust=1"), [undefined, undefined]);
  assert.deepEqual(verbs("A=1 trust"), [undefined, undefined]);
  assert.equal(writingVerb(["ls", "caliban init"], { mayBeAlias: false }), "init");
});

/** Commands, and the key of git's settings that each writes and that may run programs. */
const SETTINGS: readonly (readonly [string, string | undefined])[] = [
  ["git config core.pager x", "core.pager"],
  ["/usr/bin/git config core.pager x", "core.pager"],
  ["xgit config core.pager x", undefined],
  ["echo git config core.pager x", undefined],
  ["git config --global alias.x", undefined],
  ["git config --add alias.x", "alias.x"],
  ["git config --ad alias.x", "alias.x"],
  ["git config --a alias.x", "alias.x"],
  ["git config --app alias.x", undefined],
  ["git config --addx alias.x", "alias.x"],
  ["git config --unset alias.x", "alias.x"],
  ["git config --replace-all alias.x y", "alias.x"],
  ["git config -e", ""],
  ["git config -ex alias.x", undefined],
  ["git config --get alias.x y", undefined],
  ["git config -l --add alias.x", undefined],
  ["git config -f x alias.y z", "alias.y"],
  ["git config -f x alias.y", undefined],
  ["git config get alias.x y", undefined],
  ["git config list --add", undefined],
  ["git config set alias.x", "alias.x"],
  ["git config set user.name y", undefined],
  ["git config edit", ""],
  ["git config user.name x", undefined],
  ["git config USER.Name x", undefined],
  ["git config\ncore.pager x", "core.pager"],
  ["git remote x y", undefined],
];

test("a setting of git is written by a key and a value, by a verb or by an option", () => {
  for (const [text, key] of SETTINGS) {
    assert.equal(gitSetting([text]), key, text);
    assert.equal(gitSetting(["ls", text]), key, text);
    if (key !== undefined) assert.ok(mayChangeRules(effectOf(text)), text);
  }
});

/** Commands, and the words of the table that each runs. */
const WRITES: readonly (readonly [string, string | undefined])[] = [
  ["husky init", "husky init"],
  ["A=1 husky init", "husky init"],
  ["/usr/bin/husky init", "husky init"],
  ["husky inits", undefined],
  ["husky x init", undefined],
  ["husky -x y init", "husky init"],
  [`husky ${HOLE}`, "husky init"],
  ["huskyx init", undefined],
  ["hus init", undefined],
  ["git lfs install", "git lfs install"],
  ["git lfs", undefined],
  ["git clone --template=x y", "git clone --template"],
  ["git clone x", undefined],
  ["crontab", "crontab"],
  ["crontab x", "crontab"],
  ["crontab -l", undefined],
  ["A=1", undefined],
  ["ls", undefined],
];

test("a command that writes protected files without naming them is one of the table", () => {
  for (const [text, words] of WRITES) {
    assert.equal(writesOf([text])?.words.join(" "), words, text);
    assert.equal(writesOf(["ls", text])?.words.join(" "), words, text);
    if (words !== undefined) assert.ok(mayChangeRules(effectOf(text)), text);
  }
});

test("the commands of a program are those of its own name", () => {
  assert.deepEqual(writingCommands("crontab").map(({ words }) => words), [["crontab"]]);
  assert.deepEqual(writingCommands("simple-git-hooks").map(({ words }) => words), [[
    "simple-git-hooks",
  ]]);
  const words = writingCommands("git").map(({ words }) => words.join(" "));
  assert.deepEqual(words, [
    "git lfs install",
    "git lfs update",
    "git init --template",
    "git clone --template",
  ]);
  for (const name of ["", "gi", "lfs", "git lfs", "gits"]) {
    assert.deepEqual(writingCommands(name), [], name);
  }
});

/** The texts of a command alone. */
function effectOf(text: string, template: string = text): Effect {
  return { allowTexts: [{ text }], denyTexts: [{ template }] } as unknown as Effect;
}

test("most commands are told without a look at their words", () => {
  for (const text of ["ls -l", "git status", "husky x", "A=1 ls", "A=1", "echo a b"]) {
    assert.ok(!mayChangeRules(effectOf(text)), text);
    assert.ok(mayChangeRules(effectOf(text, "husky init")), text);
    assert.ok(!mayChangeRules(effectOf(text, "ls x")), text);
  }
  for (const text of ["crontab -l", "overcommit x", `husky ${HOLE}`, "echo caliban"]) {
    assert.ok(mayChangeRules(effectOf(text)), text);
  }
});

test("a place has the name by which people write it", () => {
  const nameOf = (base: "any" | "home" | "root", ...names: readonly string[]) =>
    placeName({ base, names, why: "", notBy: [] });
  assert.equal(nameOf("any", ".git", "hooks"), ".git/hooks");
  assert.equal(nameOf("home", ".ssh"), "~/.ssh");
  assert.equal(nameOf("root", "etc", "x"), "/etc/x");
  assert.equal(nameOf("root", "C:", "x"), "C:/x");
  assert.equal(nameOf("root", "srv", "C:", "x"), "/srv/C:/x");
});
