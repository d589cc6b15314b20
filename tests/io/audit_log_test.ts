import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { rotatedName } from "../../lib/audit/audit_place.ts";
import { readAuditLine } from "../../lib/audit/read_audit.ts";
import { openAuditLog } from "../../lib/io/audit/audit_log.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import {
  chunkLines,
  readAuditLog,
  type ReadAuditOptions,
} from "../../lib/io/audit/read_audit_log.ts";
import type { Runtime } from "../../lib/io/runtime/runtime.ts";
import { entryOf } from "../support/audit_entries.ts";
import {
  BUN_FLAGS,
  commandOf,
  finish,
  type Program,
  PROGRAMS,
  without,
} from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

const runtime = await chooseRuntime();
const DRIVER = join(REPO, "tests/support/audit_driver.ts");
const MODE = 0o7777;

/** The commands of all entries of a log, oldest first. */
async function commandsIn(path: string, options: ReadAuditOptions = { end: "stop" }) {
  const commands: string[] = [];
  for await (const line of chunkLines(readAuditLog(path, options))) {
    const { entries, whole } = readAuditLine(line);
    assert.ok(whole, line);
    commands.push(...entries.map(({ input }) => `${input["command"]}`));
  }
  return commands;
}

function driver(program: Program, args: readonly string[]): readonly string[] {
  const flags = program === "bun" ? BUN_FLAGS : [
    "run",
    "--quiet",
    "--no-prompt",
    "--cached-only",
    "--allow-read",
    "--allow-write",
    "--allow-env",
  ];
  return [commandOf(program), ...flags, DRIVER, "append", ...args];
}

test("a log and its folders are made for their owner alone, and each line is appended", () =>
  withTempDir(async (folder) => {
    const path = join(folder, "state/caliban/audit.jsonl");
    const log = openAuditLog(runtime, { path });
    assert.equal(log.path, path);
    for (const command of ["a", "b", "c"]) {
      assert.equal(await log.append(entryOf(command, 0)), undefined);
    }
    assert.equal(statSync(path).mode & MODE, 0o600);
    assert.equal(statSync(join(folder, "state")).mode & MODE, 0o700);
    assert.equal(statSync(join(folder, "state/caliban")).mode & MODE, 0o700);
    assert.deepEqual(await commandsIn(path), ["a", "b", "c"]);
  }));

test("a log that others can read or write is a warning that says how to mend it, and gets no line", () =>
  withTempDir(async (folder) => {
    const path = join(folder, "audit.jsonl");
    const log = openAuditLog(runtime, { path });
    for (const mode of [0o604, 0o640, 0o666, 0o602, 0o700 | 0o001]) {
      writeFileSync(path, "");
      chmodSync(path, mode);
      const octal = mode.toString(8).padStart(4, "0");
      assert.equal(
        await log.append(entryOf("a", 0)),
        `The audit log is not written: Cannot write "${path}": others can read or change it (mode ${octal}); ` +
          `"chmod 600 ${path}" makes it yours alone`,
      );
      assert.equal(readFileSync(path, "utf8"), "");
    }
    chmodSync(path, 0o600);
    assert.equal(await log.append(entryOf("a", 0)), undefined);
    assert.deepEqual(await commandsIn(path), ["a"]);
  }));

test("the environment names the log; where it names none, that is a warning", async () => {
  const within = (env: Readonly<Record<string, string>>): Runtime => ({
    ...runtime,
    platform: "linux",
    env: (name) => env[name],
  });
  assert.equal(openAuditLog(within({ XDG_STATE_HOME: "/s" })).path, "/s/caliban/audit.jsonl");
  const none = openAuditLog(within({}));
  assert.equal(none.path, undefined);
  assert.equal(
    await none.append(entryOf("a", 0)),
    "Cannot write the audit log: neither XDG_STATE_HOME nor HOME is set to an absolute path",
  );
});

test("what cannot be written is a warning that names the path, and nothing waits", () =>
  withTempDir(async (folder) => {
    const at = (name: string) => join(folder, name);
    writeFileSync(at("file"), "x");
    mkdirSync(at("folder"));
    symlinkSync("loop", at("loop"));
    execFileSync("mkfifo", [at("fifo")]);
    const cases = [
      [at("folder"), "it is not a file"],
      [at("fifo"), "it is not a file"],
      [at("loop"), "its links lead in a circle"],
    ];
    for (const [path = "", detail] of cases) {
      const warning = await openAuditLog(runtime, { path }).append(entryOf("a", 0));
      assert.equal(warning, `The audit log is not written: Cannot write "${path}": ${detail}`);
    }
    const below = await openAuditLog(runtime, { path: at("file/audit.jsonl") }).append("x");
    assert.match(below ?? "", /^The audit log is not written: Cannot write ".*audit\.jsonl": /);
    assert.equal(readFileSync(at("file"), "utf8"), "x");
  }));

const ROOT = { skip: process.getuid?.() === 0 ? false : "needs root, to become somebody else" };

for (const program of PROGRAMS) {
  const skip = ROOT.skip || without(program);

  test(
    `a folder that may not be written is a warning (${program})`,
    { skip },
    () =>
      withTempDir(async (folder) => {
        chmodSync(folder, 0o755);
        const ended = await finish(
          driver(program, [join(folder, "audit.jsonl"), "a", "1", "999"]),
          {
            cwd: "/",
            uid: 65534,
          },
        );
        assert.equal(ended.status, 0, ended.stderr);
        assert.match(ended.stdout, /^The audit log is not written: .*: permission denied\n$/);
      }),
  );

  test(`a full disk is a warning, and the line behind a torn one can be read (${program})`, {
    skip,
  }, () =>
    withTempDir(async (folder) => {
      chownSync(folder, 65534, 65534);
      const path = join(folder, "audit.jsonl");
      const line = entryOf("a 0", 0);
      // A file may grow to 1 KiB here: the second line is cut in the middle.
      writeFileSync(path, "\n".repeat(1024 - line.length - 100), { mode: 0o600 });
      const words = driver(program, [path, "a", "2", "99999"]).map((word) => `'${word}'`).join(" ");
      const ended = await finish(["bash", "-c", `trap '' XFSZ; ulimit -f 1; ${words}`], {
        cwd: "/",
      });
      assert.equal(ended.status, 0, ended.stderr);
      assert.match(ended.stdout, /^The audit log is not written: .*\n$/);
      assert.equal(statSync(path).size, 1024);
      assert.equal(await openAuditLog(runtime, { path }).append(entryOf("b", 0)), undefined);
      const last = readFileSync(path, "utf8").trimEnd().split("\n").at(-1) ?? "";
      const { entries, whole } = readAuditLine(last);
      assert.deepEqual([entries.map(({ input }) => input["command"]), whole], [["b"], false]);
    }));
}

test("a full log is put away as an archive for its owner alone, and is still read", () =>
  withTempDir(async (folder) => {
    const path = join(folder, "audit.jsonl");
    const log = openAuditLog(runtime, { path, full: 2000 });
    const commands = Array.from({ length: 20 }, (_, index) => `echo ${index}`);
    for (const command of commands) {
      assert.equal(await log.append(entryOf(command, runtime.now())), undefined);
    }
    const names = readdirSync(folder).toSorted();
    const archives = names.filter((name) => name.endsWith(".gz"));
    assert.ok(archives.length >= 3, `${names}`);
    assert.ok(names.every((name) => /^audit(?:-\w+-\w+)?\.jsonl(?:\.gz)?$/.test(name)), `${names}`);
    for (const name of archives) {
      assert.equal(statSync(join(folder, name)).mode & MODE, 0o600);
      const text = gunzipSync(readFileSync(join(folder, name))).toString();
      assert.ok(text.length >= 2000 && text.endsWith("}\n"));
    }
    assert.deepEqual(await commandsIn(path), commands);
    const since = runtime.now() + 600_000;
    assert.ok((await commandsIn(path, { end: "stop", since })).length < commands.length);
  }));

test("many processes that write and rotate at once lose nothing", {
  skip: without("deno") || without("bun"),
  timeout: 120_000,
}, () =>
  withTempDir(async (folder) => {
    const path = join(folder, "audit.jsonl");
    const writers = Array.from({ length: 8 }, (_, index) => index);
    const ended = await Promise.all(
      writers.map((writer) =>
        finish(driver(PROGRAMS[writer % 2]!, [path, `w${writer}`, "250", "20000"]), { cwd: "/" })
      ),
    );
    for (const { status, stdout, stderr } of ended) {
      assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: "", stderr: "" });
    }
    const found = await commandsIn(path);
    const expected = writers.flatMap((writer) =>
      Array.from({ length: 250 }, (_, index) => `w${writer} ${index}`)
    );
    assert.deepEqual([...new Set(found)].toSorted(), expected.toSorted());
    // A writer that is stopped between writing and looking may write twice; that is rare, and nothing is lost by it.
    assert.ok(found.length - expected.length <= 5, `${found.length}`);
    assert.ok(readdirSync(folder).filter((name) => name.endsWith(".gz")).length > 5);
  }));

test("what a process left that died at rotating is put away by the next", () =>
  withTempDir(async (folder) => {
    const path = join(folder, "audit.jsonl");
    const now = runtime.now();
    const [old, young] = [now - 3_600_000, now - 1000].map((time) =>
      rotatedName({ time, id: "00000000" })
    );
    writeFileSync(join(folder, old!), entryOf("old", 0));
    writeFileSync(join(folder, young!), entryOf("young", 0));
    const half = join(folder, `${old}.gz.00000000.tmp`);
    writeFileSync(half, "x");
    utimesSync(half, 0, 0);
    const log = openAuditLog(runtime, { path, full: 10 });
    assert.equal(await log.append(entryOf("new", now)), undefined);
    const names = readdirSync(folder);
    assert.ok(names.includes(`${old}.gz`) && names.includes(young!), `${names}`);
    assert.equal(names.length, 3);
    assert.deepEqual(await commandsIn(path), ["old", "young", "new"]);
  }));

test("rotating follows no link, and removes and packs only files of its own", () =>
  withTempDir(async (folder) => {
    const at = (name: string) => join(folder, "log", name);
    mkdirSync(at(""));
    const now = runtime.now();
    const [linked = "", blocked = "", kept = ""] = ["00000001", "00000002", "00000003"].map((id) =>
      rotatedName({ time: now - 3_600_000, id })
    );
    const other = join(folder, "other");
    writeFileSync(other, entryOf("other", 0), { mode: 0o600 });
    symlinkSync(other, at(linked));
    writeFileSync(at(blocked), entryOf("blocked", 0));
    symlinkSync(other, at(`${blocked}.gz`));
    symlinkSync(other, at(`${kept}.gz.00000000.tmp`));
    writeFileSync(at("audit-mine.jsonl.gz.00000000.tmp"), "mine");
    utimesSync(other, 0, 0);
    utimesSync(at("audit-mine.jsonl.gz.00000000.tmp"), 0, 0);
    symlinkSync(other, at("audit.jsonl"));
    const before = readdirSync(at(""));
    const log = openAuditLog(runtime, { path: at("audit.jsonl"), full: 10 });
    assert.equal(await log.append(entryOf("new", now)), undefined);
    assert.deepEqual(readdirSync(at("")), before);
    assert.equal(readFileSync(other, "utf8"), entryOf("other", 0) + entryOf("new", now));
    assert.equal(readFileSync(at(blocked), "utf8"), entryOf("blocked", 0));
  }));

test("a line that is written to a log while it is put away is not lost", () =>
  withTempDir(async (folder) => {
    const path = join(folder, "audit.jsonl");
    const { appendBy } = await import("../../lib/io/runtime/append_by.ts");
    const { openSync, writeSync, fstatSync, closeSync, unlinkSync } = await import("node:fs");
    let opened = 0;
    const size = appendBy(
      {
        platform: runtime.platform,
        stat: () => undefined,
        makeFolders: () => assert.fail("no folder is missing"),
        openAppend() {
          const file = openSync(path, "a", 0o600);
          // Another process removes it just now.
          if (opened++ < 2) unlinkSync(path);
          return {
            write: (bytes) => writeSync(file, bytes.subarray(0, 7)),
            stats() {
              const { size, nlink, mode } = fstatSync(file);
              return { size, names: nlink, mode };
            },
            close: () => closeSync(file),
          };
        },
      },
      path,
      "a line of more bytes than one call takes\n",
    );
    assert.equal(size, 41);
    assert.equal(readFileSync(path, "utf8"), "a line of more bytes than one call takes\n");
    assert.equal(opened, 3);
  }));

test("a log is followed over its end, its rotation and its emptying", () =>
  withTempDir(async (folder) => {
    const path = join(folder, "audit.jsonl");
    const log = openAuditLog(runtime, { path, full: 1500 });
    const lines = chunkLines(readAuditLog(path, { end: "wait" }))[Symbol.asyncIterator]();
    const next = async () => {
      while (true) {
        const { value } = await lines.next();
        if (value !== "") return readAuditLine(value ?? "").entries[0]?.input["command"];
      }
    };
    const first = next();
    await log.append(entryOf("late", runtime.now()));
    assert.equal(await first, "late");
    for (let index = 0; index < 12; index++) {
      await log.append(entryOf(`echo ${index}`, runtime.now()));
      assert.equal(await next(), `echo ${index}`);
    }
    writeFileSync(path, "");
    await new Promise((go) => setTimeout(go, 500));
    await log.append(entryOf("after", runtime.now()));
    assert.equal(await next(), "after");
    await lines.return?.(undefined);
  }));

test("an archive that is broken is named", () =>
  withTempDir(async (folder) => {
    const path = join(folder, "audit.jsonl");
    const name = `${rotatedName({ time: 0, id: "00000000" })}.gz`;
    writeFileSync(join(folder, name), gzipSync(entryOf("a", 0)).subarray(0, 60));
    await assert.rejects(commandsIn(path), { name: "FileError", path: join(folder, name) });
  }));
