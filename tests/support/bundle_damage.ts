/** Bundles with a damaged file: each start of one ends in a sentence, and never in a verdict. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { sample } from "./cases.ts";
import { commandOf } from "./process.ts";
import { cacheEnv, REPO } from "./spec_run.ts";

/** The folder of a test: its bundle in `dist`, its workspace in `ws`. */
export interface Place {
  readonly folder: string;
}

/** The permissions of a decision. */
export const READING = ["--allow-read", "--allow-env"];

/** The runtimes that start a bundle, with their flags; under Node by the script that is for it, and by the module. */
const STARTERS = [
  { starter: [commandOf("deno"), "run", "--no-prompt", "--cached-only", ...READING], type: "js" },
  { starter: [commandOf("bun"), "--no-env-file"], type: "js" },
  { starter: ["node"], type: "cjs" },
  { starter: ["node"], type: "js" },
];

/** A file that is not there, is cut or is a folder, is no verdict but one sentence, whichever it is and whoever starts it. */
export function damageIsNoVerdict({ folder }: Place): void {
  cpSync(join(folder, "dist"), join(folder, "damaged"), { recursive: true });
  for (const { starter: [program = "", ...flags], type } of sample(STARTERS, 1, 1)) {
    const main = join(folder, `damaged/caliban.${type}`);
    if (spawnSync(program, ["--version"]).error !== undefined) continue;
    const say = (...args: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(program, [...flags, main, ...args], {
        cwd: join(folder, "ws"),
        encoding: "utf8",
        env: { ...process.env, ...cacheEnv(), HOME: folder, NO_COLOR: "1" },
        input: "{}",
      });
      assert.equal(stdout, "", `${program} ${args.join(" ")}`);
      return [status, stderr.replaceAll(/\n {6,}(?=\S)/g, " ")] as const;
    };
    for (const [name, words, told, damages = ["cut", "missing", "a folder"]] of DAMAGES) {
      for (const damage of damages) {
        const path = join(folder, "damaged", name === "start" ? `start.${type}` : name);
        const text = readFileSync(path, "utf8");
        if (damage === "cut") writeFileSync(path, text.slice(0, -200));
        else rmSync(path);
        if (damage === "a folder") mkdirSync(path);
        const [status, stderr] = say(...words);
        rmSync(path, { recursive: true, force: true });
        writeFileSync(path, text);
        const about = `${program}: ${name} ${damage}: ${stderr}`;
        assert.equal(status, words[0] === "hook" ? 2 : 70, about);
        assert.match(stderr, told, about);
        assert.doesNotMatch(stderr, /a bug|\\u\{1b\}|\n {2,}at /, about);
      }
    }
  }
}

/** A damaged file, also one that this start does not need, is copied for no hook; nothing is written. */
export function noHookIsDamaged({ folder }: Place): void {
  const home = join(folder, "damaged-home");
  mkdirSync(join(home, "ws/.git"), { recursive: true });
  cpSync(join(folder, "dist"), join(folder, "damaged"), { recursive: true });
  const words = ["hook", "install", "claude"];
  for (const { starter: [program = "", ...flags], type } of STARTERS) {
    if (spawnSync(program, ["--version"]).error !== undefined) continue;
    const other = type === "js" ? "cjs" : "js";
    for (const name of [`caliban.${other}`, `start.${other}`, "texts.txt"]) {
      const path = join(folder, "damaged", name);
      const text = readFileSync(path);
      for (const bytes of [undefined, text.subarray(0, -20)]) {
        if (bytes === undefined) rmSync(path);
        else writeFileSync(path, bytes);
        const main = join(folder, `damaged/caliban.${type}`);
        const all = flags.filter((flag) => flag !== "--allow-read")
          .map((flag) => flag === "--allow-env" ? "--allow-all" : flag);
        const { status, stdout, stderr } = spawnSync(program, [...all, main, ...words], {
          cwd: join(home, "ws"),
          encoding: "utf8",
          env: { ...process.env, ...cacheEnv(), HOME: home, XDG_DATA_HOME: join(home, "data") },
        });
        const about = `${program}: ${name}: ${stdout}${stderr}`;
        assert.equal(status, 70, about);
        assert.match(stderr.replaceAll(/\n {6,}(?=\S)/g, " "), FOR_PEOPLE, about);
        assert.ok(stderr.includes(name), about);
        writeFileSync(path, text);
      }
    }
  }
  assert.deepEqual(readdirSync(home), ["ws"]);
}

/** An event about a command, as an agent sends it. */
function eventOf(command: string): string {
  return JSON.stringify({
    session_id: "0",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
  });
}

/** A file of texts that is missing, cut or of another bundle is no verdict, whoever starts the bundle. */
export function textsAreItsOwn({ folder }: Place): void {
  cpSync(join(folder, "dist"), join(folder, "damaged"), { recursive: true });
  const path = join(folder, "damaged/texts.txt");
  const text = readFileSync(path, "latin1");
  const [, mark = ""] = /^\n(\w+) /.exec(text)!;
  const last = text.slice(text.lastIndexOf("\n", text.length - 2) + 1).split(" ")[1]!;
  const damages: Readonly<Record<string, string | undefined>> = {
    missing: undefined,
    empty: "",
    cut: text.slice(0, -20),
    "of another bundle": text.replaceAll(mark, "0".repeat(mark.length)),
    "with a byte more": `\n${text}`,
    [FRACTION]: text.replace(/(\tcherry-pick \d+ \d)\d/, "$1."),
  };
  assert.notEqual(damages[FRACTION], text);
  for (const { starter: [program = "", ...flags], type } of STARTERS) {
    const main = join(folder, `damaged/caliban.${type}`);
    if (spawnSync(program, ["--version"]).error !== undefined) continue;
    const say = (words: readonly string[], input = "") =>
      spawnSync(program, [...flags, main, ...words], {
        cwd: join(folder, "ws"),
        encoding: "utf8",
        env: { ...process.env, ...cacheEnv(), HOME: folder, NO_COLOR: "1" },
        input,
      });
    for (const [damage, bytes] of Object.entries(damages)) {
      if (bytes === undefined) rmSync(path);
      else writeFileSync(path, bytes, "latin1");
      const about = `${program}: ${damage}`;
      const command = damage === FRACTION ? "git cherry-pick x" : `${last} x`;
      const check = say(["check", "Bash", command]);
      assert.equal(check.status, 70, `${about}: ${check.stderr}`);
      assert.equal(check.stdout, "", about);
      const line = check.stderr.replaceAll(/\n {6,}(?=\S)/g, " ");
      assert.match(line, FOR_PEOPLE, about);
      assert.match(line, /texts\.txt" is missing or damaged/, about);
      const hook = say(["hook", "claude"], eventOf(command));
      assert.equal(hook.status, 2, `${about}: ${hook.stdout}`);
      assert.match(hook.stderr, /the call is stopped.*texts\.txt" is missing or damaged/, about);
    }
  }
}

/** Commands that the presets allow, ask about and deny. */
const COMMANDS = ["git status", "npx eslint .", "git push --force"];

/**
 * A decision by a preset needs no `rest.js`, trusted or not: to load it takes a quarter of a decision under Deno, and half of one
 * under Node.
 */
export function decidesWithoutRest({ folder }: Place): void {
  const lean = join(folder, "lean");
  cpSync(join(folder, "dist"), lean, { recursive: true });
  rmSync(join(lean, "rest.js"));
  const presets = join(REPO, "defaults/presets");
  const cwd = join(folder, "preset");
  mkdirSync(join(cwd, ".caliban"), { recursive: true });
  const say = (dist: string, words: readonly string[], input = "") => {
    const { starter: [program = "", ...flags] } = STARTERS[0]!;
    const { status, stdout, stderr } = spawnSync(
      program,
      [...flags, join(dist, "caliban.js"), ...words],
      { cwd, encoding: "utf8", env: { ...process.env, ...cacheEnv(), HOME: folder }, input },
    );
    return { status, stdout, stderr };
  };
  const user = join(folder, ".config/caliban");
  mkdirSync(user, { recursive: true });
  for (const name of readdirSync(presets).filter((each) => /^[\w-]+\.toml$/.test(each))) {
    const command = sample(COMMANDS, 1, 1)[0]!;
    for (const to of [join(cwd, ".caliban"), user]) {
      cpSync(join(presets, name), join(to, "permissions.toml"));
      const checks = [["Bash", command], ["WebFetch", "https://a.example/b"], ["mcp__a__b"]]
        .flatMap((call) =>
          [[], ["--trust"], ["--headless"]].map((flags) => ["check", ...call, ...flags])
        );
      for (const words of [...checks, ["hook", "claude"]]) {
        const input = words[0] === "hook" ? eventOf(command) : "";
        const whole = say(join(folder, "dist"), words, input);
        assert.deepEqual(say(lean, words, input), whole, `${name}: ${words.join(" ")}`);
      }
      rmSync(join(to, "permissions.toml"));
    }
  }
}

/** A hook that logs its decisions by a plain policy needs no `rest.js`, and answers where the file that logs is missing or damaged. */
export function logsWithoutRest({ folder }: Place): void {
  const lean = join(folder, "logs");
  cpSync(join(folder, "dist"), lean, { recursive: true });
  const home = join(folder, "home of logs");
  mkdirSync(join(home, ".config/caliban"), { recursive: true });
  writeFileSync(
    join(home, ".config/caliban/permissions.toml"),
    `[permissions]\naudit_log = true\n`,
  );
  const log = join(home, ".local/state/caliban/audit.jsonl");
  const logged = () => existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0;
  const text = readFileSync(join(lean, "setting.js"), "utf8");
  for (const { starter: [program = "", ...flags], type } of STARTERS) {
    if (spawnSync(program, ["--version"]).error !== undefined) continue;
    const all = flags.map((flag) => flag === "--allow-env" ? "--allow-all" : flag)
      .filter((flag) => flag !== "--allow-read");
    const { XDG_STATE_HOME: _, ...env } = process.env;
    const answer = () =>
      spawnSync(program, [...all, join(lean, `caliban.${type}`), "hook", "claude"], {
        cwd: join(folder, "ws"),
        encoding: "utf8",
        env: { ...env, ...cacheEnv(), HOME: home, NO_COLOR: "1" },
        input: eventOf("git push"),
      });
    const before = logged();
    rmSync(join(lean, "rest.js"));
    const whole = answer();
    cpSync(join(folder, "dist/rest.js"), join(lean, "rest.js"));
    assert.deepEqual([whole.status, whole.stderr, logged()], [0, "", before + 1], program);
    for (const damaged of [undefined, "", text.slice(0, -30)]) {
      if (damaged === undefined) rmSync(join(lean, "setting.js"));
      else writeFileSync(join(lean, "setting.js"), damaged);
      const { status, stdout, stderr } = answer();
      assert.deepEqual([status, stdout, logged()], [0, whole.stdout, before + 1], program);
      assert.match(
        stderr,
        /^warning: The audit log .+"[^"]+setting\.js" is missing.+again\n$/,
        program,
      );
    }
    writeFileSync(join(lean, "setting.js"), text);
  }
}

const FRACTION = "with a place that is no whole number";
const FOR_PEOPLE = /^error: Cannot run caliban: .+\nhint: Install caliban again\n$/;
const FOR_AGENTS = /^caliban failed, so the call is stopped: .+\n$/;
const DAMAGES: readonly (readonly [string, readonly string[], RegExp, (readonly string[])?])[] = [
  ["hot.js", ["check", "Bash", "ls"], FOR_PEOPLE],
  ["hot.js", ["hook", "claude"], FOR_AGENTS],
  ["start", ["hook", "claude"], FOR_AGENTS],
  ["rest.js", ["schema", "decision"], FOR_PEOPLE],
  ["setting.js", ["check", "Bash", "make x", "--headless"], FOR_PEOPLE],
  ["find_test_files.js", ["test"], FOR_PEOPLE],
  // Read as bytes, for the copy that a hook runs.
  ["own_files.js", ["doctor"], FOR_PEOPLE, ["a folder"]],
];
