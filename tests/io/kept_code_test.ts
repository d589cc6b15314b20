import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { commandOf } from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

/** Why nothing can be tried here; false when it can. */
function missing(): string | false {
  if (process.getuid === undefined) return "there are no owners of files";
  const absent = ["bun", "node"].find((name) => spawnSync(name, ["--version"]).status !== 0);
  if (absent !== undefined) return `there is no ${absent}`;
  const { stdout } = spawnSync("node", ["-p", "typeof process.getBuiltinModule"], {
    encoding: "utf8",
  });
  return stdout.trim() === "function" ? false : "this Node has no getBuiltinModule";
}

const NEEDS = { skip: missing() };

/** Runs a script in a new Node, as a bundle does. */
const RUN = `
import { runKept } from "./kept.js";
const [script, folder] = process.argv.slice(2);
console.log(runKept({ bytes: Buffer.from(script), name: "file:///x.js", folder })());
`;

/** A folder for code, and the answers of scripts whose code is kept there. */
function starter(folder: string) {
  const code = join(folder, "code");
  mkdirSync(code, { mode: 0o700 });
  const kept = join(folder, "kept.js");
  const build = ["build", "--target=node", "lib/io/runtime/kept_code.ts", `--outfile=${kept}`];
  execFileSync(commandOf("bun"), build, { cwd: REPO, stdio: "ignore" });
  writeFileSync(join(folder, "run.mjs"), RUN);
  const answer = (script: string) => {
    const words = [join(folder, "run.mjs"), script, code];
    const { stdout, stderr } = spawnSync("node", words, { encoding: "utf8" });
    assert.equal(stderr, "");
    return stdout.trim();
  };
  const files = () => readdirSync(code).map((name) => join(code, name));
  return { answer, files, code };
}

const SCRIPT = "(function () { return 'one' + 'answer'.length; })";

test(
  "the code of a script is kept for its user alone, and taken by the next run",
  NEEDS,
  () =>
    withTempDir((folder) => {
      const { answer, files } = starter(folder);
      assert.equal(answer(SCRIPT), "one6");
      const [path = "", ...others] = files();
      assert.deepEqual(others, []);
      assert.match(path, /hot-v\d+\.\d+\.\d+-\w+-[0-9a-f]{8}\.code$/);
      assert.equal(statSync(path).mode & 0o777, 0o600);
      utimesSync(path, 1, 1);
      assert.equal(answer(SCRIPT), "one6");
      // It was not written again.
      assert.equal(statSync(path).mtimeMs, 1_000);
    }),
);

function changeByte(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[(at + bytes.length) % bytes.length]! ^= 1;
  writeFileSync(path, bytes);
}

/** Changes after which the code in a file is not run. */
const CHANGES: Readonly<Record<string, (path: string) => void>> = {
  "is cut": (path) => writeFileSync(path, readFileSync(path).subarray(0, -8)),
  "is empty": (path) => writeFileSync(path, ""),
  "is longer": (path) => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.of(0)])),
  "has another byte": (path) => changeByte(path, -40),
  "has another byte in the first copy": (path) => {
    const { size } = statSync(path);
    changeByte(path, size - (size - 8 - SCRIPT.length) / 2 - 40);
  },
  "is of another text": (path) => changeByte(path, 8),
  "tells another length of its text": (path) => changeByte(path, 0),
  "tells another length of its code": (path) => changeByte(path, 4),
  "has no code": (path) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(SCRIPT.length, 0);
    writeFileSync(path, Buffer.concat([head, Buffer.from(SCRIPT)]));
  },
  "may be read by others": (path) => chmodSync(path, 0o644),
  "may be written by others": (path) => chmodSync(path, 0o620),
  "has another name, too": (path) => linkSync(path, `${path}.other`),
  "is a link": (path) => {
    renameSync(path, `${path}.other`);
    symlinkSync(`${path}.other`, path);
  },
  "is a pipe": (path) => {
    rmSync(path);
    execFileSync("mkfifo", ["-m", "600", path]);
  },
};

for (const [name, change] of Object.entries(CHANGES)) {
  test(`code is compiled anew where its file ${name}`, NEEDS, () =>
    withTempDir((folder) => {
      const { answer, files } = starter(folder);
      assert.equal(answer(SCRIPT), "one6");
      const [path = ""] = files();
      change(path);
      utimesSync(path, 1, 1);
      assert.equal(answer(SCRIPT), "one6");
      assert.notEqual(statSync(path).mtimeMs, 1_000, name);
      assert.equal(statSync(path).mode & 0o777, 0o600);
    }));
}

test(
  "two scripts of one length have code of their own, and a few of the latest stay",
  NEEDS,
  () =>
    withTempDir((folder) => {
      const { answer, code, files } = starter(folder);
      // As a process leaves it that is killed while it writes.
      const cut = join(code, "hot-v1-x64-0.code.123");
      writeFileSync(cut, "", { mode: 0o600 });
      utimesSync(cut, 1, 1);
      for (let number = 1; number <= 9; number++) {
        const script = SCRIPT.replace("one", `n${number}x`);
        assert.equal(answer(script), `n${number}x6`);
        assert.equal(answer(script), `n${number}x6`);
      }
      assert.equal(files().length, 6);
    }),
);

test("the code of a long run is not kept", NEEDS, () =>
  withTempDir((folder) => {
    const { answer, files } = starter(folder);
    const busy = "(function () { while (process.cpuUsage().user < 1.1e6); return 'done'; })";
    assert.equal(answer(busy), "done");
    assert.deepEqual(files(), []);
  }));

test("a folder that cannot be written is no error", NEEDS, () =>
  withTempDir((folder) => {
    const { answer, code } = starter(folder);
    renameSync(code, `${code}.gone`);
    assert.equal(answer(SCRIPT), "one6");
  }));
