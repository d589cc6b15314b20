/** Commands with a class, run under strace: they change, start and reach nothing but what caliban says of them. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { parse } from "smol-toml";
import "../../lib/shell/parse/loaded_parser.ts";
import { readLine } from "../../lib/shell/read_line.ts";
import type { ProgramTable } from "../../lib/shell/programs/program_table.ts";
import looks from "../cases/classes/looks.json" with { type: "json" };
import { sample } from "../support/cases.ts";
import { canTrace, traceOf } from "../support/class_trace.ts";
import { gitWords, makeRepository } from "../support/git_trace.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

const TABLES = parse(readFileSync(join(REPO, "defaults/shell.toml"), "utf8")) as Record<
  string,
  ProgramTable
>;

/** Names of programs that a program may start by the search path. */
const HELPERS = [
  "sh",
  "less",
  "more",
  "pager",
  "gzip",
  "ssh",
  "git",
  "vi",
  "cat",
  "sort",
  "diff",
  "stty",
];

/** Variables that name a program for programs that start one. */
const NAMING = [
  "PAGER",
  "MANPAGER",
  "GIT_PAGER",
  "EDITOR",
  "VISUAL",
  "BROWSER",
  "LESSEDIT",
  "TAR_OPTIONS",
];

/** The programs of git itself, which its commands start. */
const GIT_STARTS = /^\/usr\/(?:bin\/git|lib\/git-core\/)/;

interface Scene {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The file that a canary writes. */
  readonly canary: string;
}

interface Command {
  /** Its words, sub-commands included. */
  readonly words: string;
  readonly table: ProgramTable;
  /** Options, or `*` for operands, with which it has no class. */
  readonly without?: readonly string[];
}

/** The commands with a class whose program this machine has. */
function* commands(): Generator<Command> {
  for (const [name, table] of Object.entries(TABLES)) {
    if (/^(?:variables|alone|configuration|names)$/.test(name)) continue;
    const { stdout } = spawnSync("bash", ["-c", `type -P -- ${name}`], { encoding: "utf8" });
    // A shim of a manager of versions is another program.
    if (stdout === "" || stdout.includes("/shims/")) continue;
    yield* commandsOf(name, table);
  }
}

/** Classes of commands that change nothing outside of their folder: any other could end processes or set up the machine. */
const TRACED = ["read", "edit", "delete", "repository", "secret"];

function isTraced({ class: own, known, verbs }: ProgramTable): boolean {
  // If any option holds, the table promises nothing about the options. A client of a service reaches its host.
  if (known?.includes("**") || verbs?.["service-read"]) return false;
  const classes = own === undefined ? [] : typeof own === "string" ? [own] : own;
  return classes.length > 0 && classes.every((name) => TRACED.includes(name));
}

/** Programs that go on until they are ended. */
const ENDLESS: ReadonlySet<string> = new Set(["top -b", "top"]);

function* commandsOf(words: string, table: ProgramTable): Generator<Command> {
  // Operands, which `*` stands for, come with every line.
  const needed = table.needs?.find((each) => each !== "*");
  if (isTraced(table)) {
    // An option that holds with some values only is tried with the first of them.
    const given = [words, needed, needed && table.harmless?.[needed]?.[0]];
    yield { words: given.filter((word) => word !== undefined).join(" "), table };
  }
  for (const { with: [option = ""] = [], class: own, without = [] } of table.class_if ?? []) {
    if (ENDLESS.has(words) || !option.startsWith("-") || !isTraced({ class: own })) continue;
    const takes = Object.entries(VALUES).find(([list]) =>
      (table[list as keyof ProgramTable] as readonly string[] | undefined)?.includes(option)
    );
    const first = needed === option ? [] : [needed].flatMap((each) => each ?? []);
    const line = [words, ...first, option, ...takes?.slice(1) ?? []].join(" ");
    yield { words: line, table, without };
  }
  for (const [name, sub] of Object.entries(table.sub ?? {})) {
    yield* commandsOf(`${words} ${name}`, sub);
  }
}

/** Sample values, by the list of an option; flags have none. */
const VALUES: Readonly<Record<string, string>> = {
  value: "1",
  read: "f.txt",
  output: "made.txt",
  write: "made.txt",
};

/** The lines of a command: its operands alone, and with each option of its table once that adds no other class. */
function linesOf({ words, table, without = [] }: Command): readonly string[] {
  const classes = Object.entries(table.classes ?? {}).flatMap(([name, list]) =>
    TRACED.includes(name) ? [] : list
  );
  const outside = [...classes, ...without];
  const operands = outside.includes("*")
    ? ""
    : words.startsWith("git ")
    ? gitWords(words, table)
    : operandsOf(table);
  const options = Object.entries(table).flatMap(([list, written]) =>
    list in VALUES || list === "flags" || list === "in_place" || list === "recursive"
      ? (written as readonly string[]).filter((option) =>
        ![...table.doubtful ?? [], ...outside].includes(option.replace(/[=?]$/, "")) &&
        (table.known?.includes(option.replace(/[=?]$/, "")) ?? true)
      )
        .flatMap((option) => optionText(option, VALUES[list]))
      : []
  );
  return [
    ...new Set(
      ["", ...options].map((option) => [words, option, operands].filter(Boolean).join(" ")),
    ),
  ];
}

function optionText(option: string, value: string | undefined): readonly string[] {
  if (!option.startsWith("-")) return [];
  if (option === "-#") return ["-3"];
  if (value === undefined) return [option.replace(/[=?]$/, "")];
  if (option.endsWith("?")) return [option.slice(0, -1)];
  if (option.endsWith("=")) return [`${option}${value}`];
  return [`${option} ${value}`];
}

function operandsOf({ operands = [] }: ProgramTable): string {
  const kinds: Readonly<Record<string, string>> = {
    any: "f",
    read: "f.txt",
    write: "made.txt",
    output: "made.txt",
    folder: "sub",
    move: "g.txt",
    script: "p",
  };
  return operands.map((kind) => kinds[kind.replace("*", "")] ?? "f.txt").join(" ");
}

/** True for a file that a program is known to look for, which names no program, no host and no secret. */
function isLookedFor(path: string, { program, scene }: { program: string; scene: Scene }): boolean {
  const shown = path.replace(scene.env["HOME"]!, "~").replace(`${scene.cwd}/`, "");
  if (program === "git" && path.startsWith(`${scene.cwd}/.git/`)) return true;
  const own = (looks as Readonly<Record<string, readonly string[]>>)[program] ?? [];
  return own.includes(shown);
}

/** Files of the folder that git may write while it reads: its index, refreshed. */
const INDEX = /\/\.git\/index(?:\.lock)?$/;

/** True for a file that a command of git writes by its class: any of its repository where that changes it. */
function isOfGit(
  path: string,
  { classes, scene }: { classes: readonly string[]; scene: Scene },
): boolean {
  if (classes.some((name) => /^(?:repository|delete)$/.test(name))) {
    return path.startsWith(scene.cwd);
  }
  return INDEX.test(path);
}

/** A folder with a few files, and a home, a temporary folder and a folder of programs beside it. */
function withScene(
  use: (scene: Scene) => void,
): Promise<void> {
  return withTempDir((top) => {
    for (const name of ["work/sub", "home", "tmp", "bin"]) {
      mkdirSync(join(top, name), { recursive: true });
    }
    for (const name of ["f.txt", "g.txt", "sub/h.txt", "f"]) {
      writeFileSync(join(top, "work", name), "b\na\n");
    }
    const canary = join(top, "tmp/canary-was-run");
    for (const name of ["canary", ...HELPERS]) {
      writeFileSync(join(top, "bin", name), `#!/bin/sh\necho "$0 $*" >> ${canary}\n`);
      chmodSync(join(top, "bin", name), 0o755);
    }
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: join(top, "home"),
      TMPDIR: join(top, "tmp"),
      TERM: "dumb",
    };
    use({ cwd: join(top, "work"), env, canary });
    return Promise.resolve();
  });
}

/** The effects of a line that its reading does not name. */
function untold(
  line: string,
  scene: Scene,
): readonly string[] {
  const program = line.split(" ")[0]!;
  // Its output goes to a pipe, without which a program that shows pages has no class.
  const read = TABLES[program]?.interactive === undefined ? line : `${line} > /dev/null`;
  const { effects } = readLine(read, { wantsClasses: true });
  const { classes, starts: helpers = [] } = effects[0]?.traits?.() ?? { classes: ["unknown"] };
  if (classes.includes("unknown")) return [`${line}: has no class`];
  const written = effects.flatMap(({ kind, text, path }) =>
    kind === "write" ? [join(scene.cwd, path === "below" || text.endsWith("…") ? "." : text)] : []
  );
  const reaches = classes.some((name) => /^(?:fetch|service|service-read|install)$/.test(name));
  const runs = classes.some((name) => /^(?:project|code|repository|install)$/.test(name));
  const hostile = {
    ...scene.env,
    PATH: `${join(scene.cwd, "../bin")}:${scene.env["PATH"]}`,
    ...Object.fromEntries(NAMING.map((name) => [name, "canary"])),
    LESSOPEN: "|canary %s",
  };
  // A helper that leads into the workspace takes the class away.
  for (const name of helpers) rmSync(join(scene.cwd, "../bin", name), { force: true });
  const first = traceOf(line, scene);
  // A program that others start must itself be found.
  const env = HELPERS.includes(program) ? { ...hostile, PATH: scene.env["PATH"]! } : hostile;
  const second = traceOf(line, { cwd: scene.cwd, env });
  const found = [first, second].flatMap((trace) => [
    ...trace.writes.filter((path) =>
      !written.some((each) => path === each || path.startsWith(`${each}/`))
    )
      .filter((path) => !path.startsWith(scene.env["TMPDIR"]!))
      .filter((path) => program !== "git" || !isOfGit(path, { classes, scene }))
      .map((path) => `${line}: writes ${path}`),
    ...(runs ? [] : trace.starts.filter((path) => !helpers.includes(basename(path)))
      .filter((path) => program !== "git" || !GIT_STARTS.test(path))
      .map((path) => `${line}: starts ${path}`)),
    ...(reaches ? [] : trace.reaches.map((address) => `${line}: reaches ${address}`)),
    ...trace.missing.filter((path) => !isLookedFor(path, { program, scene })).filter((path) =>
      path.startsWith(scene.env["HOME"]!) || path.startsWith(`${scene.cwd}/.`)
    )
      .map((path) => `${line}: looks for ${path}`),
  ]);
  if (existsSync(scene.canary)) found.push(`${line}: runs ${readFileSync(scene.canary, "utf8")}`);
  return [...new Set(found)];
}

for (const command of sample([...commands()], 20, 30)) {
  test(`${command.words} does no more than its class says`, {
    skip: canTrace ? false : "strace cannot follow a program here",
    timeout: 120_000,
  }, async () => {
    const found: string[] = [];
    const { words, table: { hooks } } = command;
    const kinds = words.startsWith("git ") ? [false, true] : [undefined];
    for (const line of sample(linesOf(command), 1, 3)) {
      for (const hostile of kinds) {
        await withScene((scene) => {
          if (hostile !== undefined) makeRepository(scene.cwd, { hostile, hooks });
          found.push(...untold(line, scene));
        });
      }
    }
    assert.deepEqual(found, []);
  });
}
