import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { policyFromToml } from "../../lib/core.ts";
import { runNfa } from "../../lib/pattern/run_nfa.ts";
import {
  expandShellGlob,
  type FolderEntry,
  shellGlobNfa,
  splitGlob,
} from "../../lib/pattern/path/shell_glob.ts";
import { CASES, slowCases } from "../support/cases.ts";
import { treeOf } from "../support/process.ts";
import { type Random, randomFrom } from "../support/random.ts";
import { withTempDir } from "../support/temp_dir.ts";

const SHELLS = [["bash"], ["zsh", "-f"], ["dash"], ["busybox", "sh"]]
  .filter(([name = ""]) => spawnSync(name, ["-c", ":"]).status === 0);

/** Text of every file that a rule denies. */
const SECRET = "no-one-may-read-this";

/** Names that shells and xargs split, expand or take for something else. */
const NAMES = [
  "a.ts",
  "b.ts",
  "c.md",
  ".env.x",
  ".env.ts",
  "a .env.ts",
  "a b.ts",
  "-rf",
  "-n.ts",
  "x\n.env.x",
  "q'.ts",
  'q".ts',
  "s*.ts",
  ".e*.ts",
  "$(cat .env.x).ts",
  "[a].ts",
  "t\t.env.x",
  "b\\.ts",
  "é.ts",
  ".hidden",
];

/** A folder of files with such names, in some of its own folders; denied ones hold the secret. */
function growTree(folder: string, random: Random): void {
  const folders = ["", "src", "src/deep", "src/.env.d", "sub"].filter((name) =>
    name === "" || name === "src" || random.below(2) === 0
  );
  // A third of the trees has plain names only, so that lines are allowed at all.
  const names = random.below(3) === 0 ? NAMES.slice(0, 3) : NAMES;
  for (const each of folders) {
    mkdirSync(join(folder, each), { recursive: true });
    for (const name of names) {
      if (random.below(4) !== 0 && name !== "a.ts") continue;
      const path = join(folder, each, name);
      const denied = path.slice(folder.length).split("/").some((part) => part.startsWith(".env."));
      writeFileSync(path, denied ? `${SECRET}\n` : "text\n");
    }
  }
  writeFileSync(join(folder, ".env.x"), `${SECRET}\n`);
  if (random.below(3) === 0) symlinkSync(join(folder, ".env.x"), join(folder, "src", "link.ts"));
  if (random.below(3) === 0) symlinkSync("../.env.x", join(folder, "src", "link.md"));
  if (random.below(4) === 0) symlinkSync(folder, join(folder, "src", "up"));
}

const listFolder = (path: string): readonly FolderEntry[] | null => {
  try {
    return readdirSync(path, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      kind: entry.isSymbolicLink() ? "link" : entry.isDirectory() ? "folder" : "other",
    }));
  } catch {
    return null;
  }
};

const realPath = (path: string): string | null => {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path) === path ? path : realPath(dirname(path));
    return parent === null ? null : join(parent, path.slice(dirname(path).length));
  }
};

const POLICY = [
  ["deny", "Read:**/.env.*"],
  ...["cat", "grep", "sort", "head", "ls", "find", "xargs", "wc", "sed"].map((name) => [
    "allow",
    `Bash(${name}:*)`,
  ]),
].map(([action, pattern]) =>
  `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n`
).join("\n");

const GLOBS = [
  "*",
  "*.ts",
  "src/*",
  "src/*.ts",
  "*/*",
  "src/**/*.ts",
  "**/*.md",
  "./*.md",
  "src/?.ts",
  "?*",
  "s*/a*",
];
const FINDS = [
  "find src",
  "find .",
  "find src -name '*.ts'",
  "find . -type f -name '*.md'",
  "find src -type f",
];

/** A line that reads files whose names it does not fix. */
function lineOf(random: Random): string {
  const glob = random.pick(GLOBS);
  const find = random.pick(FINDS);
  const reader = random.pick(["cat", "grep -s .", "sort", "head -n 2", "sed -n p"]);
  const filter = random.pick(["", "", " | sort", " | grep -v q", " | head -n 3"]);
  return random.pick([
    `${reader} ${glob}`,
    `for f in ${glob}; do ${reader} $f; done`,
    `for f in ${glob}; do ${reader} "$f"; done`,
    `for f in ${glob}; do ${reader} -- $f | sort; done`,
    `${find}${filter} | xargs ${reader}`,
    `${find}${filter} | xargs -I% ${reader} %`,
    `${find} -exec ${reader} {} +`,
    `${find} -exec ${reader} {} \\;`,
    `ls | xargs -I% ${reader} src/%`,
    `ls src | xargs -I{} ${reader} src/{}`,
    `ls | xargs ${reader}`,
    `cd src && ${reader} ${glob}`,
    `cd src && for f in *.ts; do ${reader} $f; done`,
    `${reader} <(${reader} ${glob})`,
  ]);
}

/** The outputs of some lines by their indexes. Each line runs in a subshell. */
function outputsOf(shell: readonly string[], folder: string, lines: readonly string[]) {
  const [program = "", ...flags] = shell;
  const script = lines.map((line, index) =>
    `printf '\\n@@%s@@' ${index}\n( eval '${line.replaceAll("'", "'\\''")}' )\n`
  )
    .join("");
  const { stdout } = spawnSync(program, [...flags, "-c", script], {
    cwd: folder,
    input: "",
    timeout: 20_000,
    maxBuffer: 1 << 26,
    env: { PATH: process.env["PATH"], HOME: folder, LC_ALL: "C.UTF-8" },
  });
  const parts = stdout.toString("utf8").split(/\n@@(\d+)@@/);
  return new Map(parts.flatMap((part, at) => at % 2 === 1 ? [[Number(part), parts[at + 1]!]] : []));
}

const SKIP = SHELLS.length === 0 ? "no shell is there" : false;

test(
  "no line that is allowed beside a deny reads a denied file, whatever the names in the folder",
  { timeout: 120_000, skip: SKIP },
  async () => {
    let allowed = 0;
    let printed = 0;
    for (let tree = 0; tree < slowCases(30); tree++) {
      const random = randomFrom(CASES.seed * 1_000 + tree);
      await withTempDir((folder) => {
        growTree(folder, random);
        const policy = policyFromToml(POLICY, { workspace: folder, realPath, listFolder });
        const lines = Array.from({ length: 20 }, () => lineOf(random));
        const actions = lines.map((command) =>
          policy.evaluate({ tool: "Bash", input: { command }, cwd: folder }).action
        );
        for (const shell of SHELLS) {
          const outputs = outputsOf(shell, folder, lines);
          for (const [index, line] of lines.entries()) {
            const reads = outputs.get(index)?.includes(SECRET) ?? false;
            if (reads) printed++;
            if (actions[index] !== "allow") continue;
            allowed++;
            assert.ok(
              !reads,
              `${shell[0]}: ${line} is allowed in ${JSON.stringify(namesIn(folder))}`,
            );
          }
        }
      });
    }
    // Else the property would hold of nothing.
    assert.ok(allowed > 5 * SHELLS.length, `${allowed} lines were allowed`);
    assert.ok(printed > 5, `${printed} lines read a denied file`);
  },
);

function namesIn(folder: string): readonly string[] {
  return [...treeOf(folder).keys()];
}

test(
  "a wildcard names no file in any shell that is not among those that are looked up",
  { timeout: 120_000, skip: SKIP },
  async () => {
    let compared = 0;
    for (let tree = 0; tree < slowCases(20); tree++) {
      const random = randomFrom(CASES.seed * 1_000 + 500 + tree);
      await withTempDir((folder) => {
        growTree(folder, random);
        const globs = [...GLOBS, "[.]e*", "src/.h*", "*/", "a*b", "src/*/c*", "[!a]*.ts", "**"];
        for (const shell of SHELLS) {
          const lines = globs.map((glob) => `printf '%s\\0' ${glob}`);
          const outputs = outputsOf(shell, folder, lines);
          for (const [index, glob] of globs.entries()) {
            const plain = glob.replace(/\[[^\]]*\]/g, "*").replace(/(?<=.)\/$/, "");
            const { head, rest } = splitGlob(plain);
            const start = head === "" ? folder : join(folder, head);
            const known = new Set(expandShellGlob(start, rest, listFolder));
            const nfa = shellGlobNfa(start, rest, false);
            for (
              const name of (outputs.get(index) ?? "").split("\0").filter((each) => each !== "")
            ) {
              const path = join(folder, name).replace(/\/$/, "");
              if (name === glob) continue;
              compared++;
              assert.ok(runNfa(nfa, path.slice(1)), `${shell[0]}: ${glob} names ${name}`);
              if (known.size > 0) assert.ok(known.has(path), `${shell[0]}: ${glob} names ${name}`);
            }
          }
        }
      });
    }
    assert.ok(compared > 50, `${compared} names were compared`);
  },
);
