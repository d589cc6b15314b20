import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { AGENT_NAMES } from "../../lib/agents/registry.ts";
import { completionScript, type Shell } from "../../lib/cli/completions/scripts.ts";
import { nextWords } from "../../lib/cli/completions/words.ts";
import { VERBS } from "../../lib/cli/registry.ts";
import { FINDING_IDS } from "../../lib/lint/registry.ts";
import { CLI, commandOf, without } from "../support/process.ts";
import { cacheEnv } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

/** A line up to the cursor, and the words that must be offered: exactly these, or at least these. */
interface Case {
  readonly line: string;
  readonly offered?: readonly string[];
  readonly among?: readonly string[];
}

const FIRST = (nextWords(VERBS).get("") ?? []).map(({ word }) => word);
const ACTIONS = ["allow", "deny", "ask"];
const PATTERNS = ["Bash(git push:*)", "Bash:$(touch ran) `touch ran`", "Write:docs/**"];

const CASES: readonly Case[] = [
  { line: "", offered: FIRST },
  { line: "sche", offered: ["schema"] },
  { line: "schema ", offered: ["permissions", "auto-mode", "tests", "decision"] },
  { line: "schema d", offered: ["decision"] },
  { line: "schema --color never p", offered: ["permissions"] },
  { line: "init --scope p", offered: ["project"] },
  { line: "init --preset pa", offered: ["paranoid"] },
  { line: "init --", among: ["--scope", "--workspace", "--help"] },
  { line: "init --workspace sub", among: ["sub folder"] },
  { line: "completions po", offered: ["powershell"] },
  { line: "lint --select shad", offered: ["shadowed"] },
  { line: "lint --select shadowed,redu", offered: ["shadowed,redundant"] },
  { line: "perms lint --ignore leaky", offered: ["leaky-prefix"] },
  { line: "lint --explain ", offered: FINDING_IDS },
  { line: "lint --format con", offered: ["concise"] },
  { line: "lint --agent cod", offered: ["codex"] },
  { line: "doctor --agent ", offered: AGENT_NAMES },
  { line: "hook install qw", offered: ["qwen"] },
  { line: "check WebF", offered: ["WebFetch"] },
  { line: "explain --permission-mode pl", offered: ["plan"] },
  { line: "audit --tool Multi", offered: ["MultiEdit"] },
  { line: "add x ", offered: ACTIONS },
  { line: "remove Ba", offered: PATTERNS.slice(0, 2) },
  { line: "perms remove Wr", offered: PATTERNS.slice(2) },
  { line: "remove x d", offered: ["deny"] },
  { line: "remove --scope u", offered: ["user"] },
];

/** A folder with a policy, a folder to complete, the script of a shell, and a program `caliban` on the PATH. */
function inScene(shell: Shell, use: (folder: string) => void): Promise<void> {
  return withTempDir((folder) => {
    mkdirSync(join(folder, "sub folder"));
    mkdirSync(join(folder, ".caliban"));
    const rules = PATTERNS.map((pattern) =>
      `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "ask"\n\n`
    );
    writeFileSync(join(folder, ".caliban/permissions.toml"), rules.join(""));
    mkdirSync(join(folder, "bin"));
    const flags = "--no-prompt --no-check --quiet --cached-only --allow-read --allow-env";
    const starter = `#!/bin/sh\nexec '${commandOf("deno")}' run ${flags} '${CLI}' "$@"\n`;
    writeFileSync(join(folder, "bin/caliban"), starter, { mode: 0o755 });
    const name = shell === "zsh" ? "_caliban" : "completions";
    writeFileSync(join(folder, name), completionScript(shell, VERBS));
    use(folder);
    assert.equal(existsSync(join(folder, "ran")), false, "a pattern was run");
  });
}

/** Runs a script with a shell in a folder, and answers the lines up to each `--- end`. */
function blocksOf(
  [program = "", ...flags]: readonly string[],
  { folder, script, programs = `${folder}/bin:` }: {
    readonly folder: string;
    readonly script: readonly string[];
    readonly programs?: string;
  },
): readonly (readonly string[])[] {
  const path = join(folder, "script");
  writeFileSync(path, script.join("\n"));
  const { stdout, stderr } = spawnSync(program, [...flags, path], {
    cwd: folder,
    env: { ...cacheEnv(), PATH: `${programs}/usr/bin:/bin`, HOME: folder, LC_ALL: "C.UTF-8" },
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  return stdout.split("--- end\n").map((block) => block.split("\n").filter((line) => line !== ""));
}

function checkAll(blocks: readonly (readonly string[])[], written = (word: string) => word): void {
  for (const [index, { line, offered, among = [] }] of CASES.entries()) {
    const actual = blocks[index] ?? [];
    const expected = offered?.map(written);
    if (expected !== undefined) assert.deepEqual(actual.toSorted(), expected.toSorted(), line);
    for (const word of among) assert.ok(actual.includes(word), `${line}: ${actual.join(", ")}`);
  }
}

const BASH = ["bash", "--norc", "--noprofile"];
const FISH = ["fish", "--no-config"];
const NEEDS = { timeout: 60_000, skip: without("deno") };

const OFFER = [
  "source ./completions",
  "offer() {",
  '  COMP_WORDS=(caliban "$@"); COMP_CWORD=$#; COMPREPLY=(); _caliban',
  '  printf "%s\\n" "${COMPREPLY[@]}" "--- end"',
  "}",
];

test("bash offers what fits", NEEDS, () =>
  inScene("bash", (folder) => {
    const offers = CASES.map(({ line }) =>
      `offer ${line.split(" ").map((word) => `'${word}'`).join(" ")}`
    );
    const blocks = blocksOf(BASH, { folder, script: [...OFFER, ...offers] });
    checkAll(blocks, (word) => PATTERNS.includes(word) ? `'${word}'` : word);
  }));

test(
  "bash offers a pattern as it is behind a quote, and flags behind =",
  NEEDS,
  () =>
    inScene("bash", (folder) => {
      const script = [
        ...OFFER,
        'offer init --scope = u; offer remove "\'Wr"',
        `offer remove '"Ba'; offer remove 'Bash\\(git\\ p'`,
      ];
      const [flag, single, double, escaped] = blocksOf(BASH, { folder, script });
      assert.deepEqual(flag, ["user"]);
      assert.deepEqual(single, ["Write:docs/**"]);
      assert.deepEqual(double, ["Bash(git push:*)"]);
      assert.deepEqual(escaped, ["'Bash(git push:*)'"]);
    }),
);

test(
  "fish offers what fits",
  { ...NEEDS, skip: isMissing("fish") || NEEDS.skip },
  () =>
    inScene("fish", (folder) => {
      const offers = CASES.map(({ line }) => `complete -C 'caliban ${line}'; echo '--- end'`);
      const blocks = blocksOf(FISH, { folder, script: ["source ./completions", ...offers] });
      checkAll(
        blocks.map((block) => block.map((line) => line.replace(/\t.*$/, "").replace(/\/$/, ""))),
      );
    }),
);

/** The settings of an interactive zsh: one key inserts all words that are offered, another writes the line to a file. */
const ZSH = [
  "PS1=; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -d $PWD/dump",
  "zle -C all-matches complete-word _generic",
  "zstyle ':completion:all-matches:*' insert true",
  "zstyle ':completion:all-matches::::' completer _all_matches _complete",
  'show() { print -r -- "$BUFFER" >>$PWD/out; BUFFER= }',
  "zle -N show; bindkey '^A' all-matches; bindkey '^B' show",
];

/** Lines for zsh and what they become with all offered words in them. */
const ZSH_LINES: readonly (readonly [string, string])[] = [
  ["sche", "schema "],
  ["schema ", "schema auto-mode decision permissions tests "],
  ["init --scope p", "init --scope project "],
  ["init --preset=par", "init --preset=paranoid "],
  ["init --workspace sub", "init --workspace sub\\ folder/"],
  ["lint --select shadowed,redu", "lint --select shadowed,redundant,"],
  ["lint --explain leak", "lint --explain leaky-prefix "],
  ["lint --agent cod", "lint --agent codex "],
  ["check WebF", "check WebFetch "],
  ["remove 'Wr", "remove 'Write:docs/**' "],
  [
    "remove Ba",
    "remove Bash\\(git\\ push:\\*\\) Bash:\\$\\(touch\\ ran\\)\\ \\`touch\\ ran\\\` ",
  ],
];

test(
  "zsh offers what fits",
  { ...NEEDS, skip: isMissing("zsh") || NEEDS.skip },
  () =>
    inScene("zsh", (folder) => {
      writeFileSync(join(folder, "settings"), ZSH.join("\n"));
      const script = [
        "zmodload zsh/zpty; zpty shell 'zsh -f -i'; zpty -w shell 'source ./settings'",
        ...ZSH_LINES.map(([line]) => `zpty -w -n shell "caliban ${line}"$'\\x01\\x02'`),
        `for i in {1..500}; do [[ -f out && $(wc -l <out) -ge ${ZSH_LINES.length} ]] && break`,
        "sleep 0.1; done; zpty -d shell",
      ];
      blocksOf(["zsh", "-f"], { folder, script });
      const lines = readFileSync(join(folder, "out"), "utf8").split("\n").slice(0, -1);
      assert.deepEqual(lines, ZSH_LINES.map(([, line]) => `caliban ${line}`));
    }),
);

test("without caliban on the PATH no pattern is offered, and nothing is said", () =>
  inScene("bash", (folder) => {
    const script = [...OFFER, "offer remove Ba"];
    assert.deepEqual(blocksOf(BASH, { folder, script, programs: "" })[0], []);
    if (isMissing("fish")) return;
    writeFileSync(join(folder, "completions"), completionScript("fish", VERBS));
    const fish = ["source ./completions", "complete -C 'caliban remove Ba'"];
    assert.deepEqual(blocksOf(FISH, { folder, script: fish, programs: "" })[0], []);
  }));

function isMissing(program: string): string | false {
  const missing = spawnSync(program, ["-c", "true"]).error !== undefined;
  return missing && `needs ${program}`;
}
