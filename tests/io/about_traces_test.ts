/** Programs of defaults/about.toml that this machine has, under strace: asked about themselves they only read and print. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import about from "../../defaults/about.json" with { type: "json" };
import { sample } from "../support/cases.ts";
import { canTrace, traceOf } from "../support/class_trace.ts";
import { withTempDir } from "../support/temp_dir.ts";

const FOLDERS = ["/usr/bin", "/usr/sbin"];

const INSTALLED: ReadonlySet<string> = new Set(
  FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) => readdirSync(folder)),
);

/** Each line of the list whose program is here. */
function* lines(): Generator<string> {
  for (const [forms, programs] of Object.entries(about as Readonly<Record<string, string>>)) {
    for (const name of programs.split(",")) {
      if (!INSTALLED.has(name.split(" ")[0]!)) continue;
      for (const form of forms.split(" ")) yield `${name} ${form}`;
    }
  }
}

/** True if the file of a program names its interpreter by `env`, which starts that. */
function isScriptOfEnv(name: string): boolean {
  const path = FOLDERS.map((folder) => join(folder, name)).find((each) => existsSync(each));
  return path !== undefined &&
    /^#! ?\/usr\/bin\/env /.test(readFileSync(path).subarray(0, 64).toString());
}

/** Folders of an interpreter's packages, which it looks for whatever it runs. */
const OF_INTERPRETERS = /\/\.(?:local\/lib\/python3|local\/share\/gem|gem)/;

/** Files that a program of this folder could read, and variables that name a program. */
const FILES = [
  "package.json",
  "pyproject.toml",
  "setup.cfg",
  "Makefile",
  ".env",
  "sitecustomize.py",
];
const PROGRAMS = ["PAGER", "MANPAGER", "EDITOR", "VISUAL", "BROWSER", "LESSOPEN"];

for (const line of sample([...lines()], 3, 80)) {
  test(`${line} only prints`, {
    skip: canTrace ? false : "strace cannot follow a program here",
  }, () =>
    withTempDir((top) => {
      for (const name of ["work", "home", "tmp"]) mkdirSync(join(top, name));
      for (const name of FILES) writeFileSync(join(top, "work", name), "x\n");
      const env = {
        PATH: FOLDERS.join(":"),
        HOME: join(top, "home"),
        TMPDIR: join(top, "tmp"),
        PYTHONDONTWRITEBYTECODE: "1",
        ...Object.fromEntries(PROGRAMS.map((name) => [name, "/usr/bin/true"])),
      };
      const { writes, starts, reaches, missing } = traceOf(line, { cwd: join(top, "work"), env });
      const isEnv = isScriptOfEnv(line.split(" ")[0]!);
      const sought = missing.filter((path) => path.startsWith(top) && !OF_INTERPRETERS.test(path));
      assert.deepEqual({ writes, reaches, sought, starts: starts.slice(isEnv ? 1 : 0) }, {
        writes: [],
        reaches: [],
        sought: [],
        starts: [],
      });
      return Promise.resolve();
    }));
}
