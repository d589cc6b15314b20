import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bashCompletions } from "../../lib/cli/completions/bash.ts";
import { fishCompletions } from "../../lib/cli/completions/fish.ts";
import { nextWords } from "../../lib/cli/completions/words.ts";
import { zshCompletions } from "../../lib/cli/completions/zsh.ts";
import { VERBS } from "../../lib/cli/registry.ts";
import { withTempDir } from "../support/temp_dir.ts";

/** Words before the cursor, the last one begun, and what must be offered: exactly this, or at least this. */
interface Case {
  readonly words: readonly string[];
  readonly offered?: readonly string[];
  readonly among?: readonly string[];
}

const FIRST = (nextWords(VERBS).get("") ?? []).map(({ word }) => word);

const CASES: readonly Case[] = [
  { words: [""], offered: FIRST },
  { words: ["sche"], offered: ["schema"] },
  { words: ["schema", ""], offered: ["permissions", "auto-mode", "tests", "decision"] },
  { words: ["schema", "d"], offered: ["decision"] },
  { words: ["schema", "--color", "never", "p"], offered: ["permissions"] },
  { words: ["init", "--scope", "p"], offered: ["project"] },
  { words: ["init", "--"], among: ["--scope", "--workspace", "--help"] },
  { words: ["init", "--workspace", "sub"], among: ["sub folder"] },
  { words: ["completions", ""], offered: ["bash", "zsh", "fish"] },
];

test("bash offers what fits", () =>
  withTempDir((folder) => {
    const script = [
      bashCompletions(VERBS),
      "offer() {",
      '  COMP_WORDS=(caliban "$@"); COMP_CWORD=$#; COMPREPLY=(); _caliban',
      '  printf "%s\\n" "${COMPREPLY[@]}" "--- end"',
      "}",
      ...CASES.map(({ words }) => `offer ${words.map((word) => `'${word}'`).join(" ")}`),
      "offer init --scope = u",
    ];
    const blocks = shell("bash", { folder, script, flags: ["--norc", "--noprofile"] });
    for (const [index, each] of CASES.entries()) check(each, blocks[index]);
    check({ words: ["init", "--scope=u"], offered: ["user"] }, blocks[CASES.length]);
  }));

test("fish offers what fits", { skip: isMissing("fish") }, () =>
  withTempDir((folder) => {
    const script = [
      fishCompletions(VERBS),
      ...CASES.map(({ words }) => `complete -C 'caliban ${words.join(" ")}'; echo '--- end'`),
    ];
    const blocks = shell("fish", { folder, script, flags: ["--no-config"] })
      .map((block) => block.map((line) => line.replace(/\t.*$/, "").replace(/\/$/, "")));
    for (const [index, each] of CASES.entries()) check(each, blocks[index]);
  }));

test("zsh takes the script", { skip: isMissing("zsh") }, () =>
  withTempDir((folder) => {
    writeFileSync(join(folder, "_caliban"), zshCompletions(VERBS));
    const script = [
      "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -d $PWD/dump",
      "print -r -- $_comps[caliban]; autoload +X _caliban; print -r -- ${+functions[_caliban]}",
      "echo '--- end'",
    ];
    assert.deepEqual(shell("zsh", { folder, script, flags: ["-f"] })[0], ["_caliban", "1"]);
  }));

/** Runs a script in a folder that has a `sub folder` and answers the lines up to each `--- end`. */
function shell(
  program: string,
  { folder, script, flags }: {
    folder: string;
    script: readonly string[];
    flags: readonly string[];
  },
): readonly (readonly string[])[] {
  const path = join(folder, "script");
  writeFileSync(path, script.join("\n"));
  mkdirSync(join(folder, "sub folder"), { recursive: true });
  const env = { PATH: "/usr/bin:/bin", HOME: folder, LC_ALL: "C.UTF-8" };
  const { stdout, stderr } = spawnSync(program, [...flags, path], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  return stdout.split("--- end\n").map((block) => block.split("\n").filter((line) => line !== ""));
}

function check({ words, offered, among }: Case, actual: readonly string[] = []): void {
  const line = words.join(" ");
  if (offered !== undefined) assert.deepEqual([...actual].sort(), [...offered].sort(), line);
  for (const word of among ?? []) assert.ok(actual.includes(word), `${line}: ${actual.join(", ")}`);
}

function isMissing(program: string): boolean {
  return spawnSync(program, ["-c", "true"]).error !== undefined;
}
