import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { editFile as editAny, type EditOptions } from "../../lib/io/write/edit_file.ts";
import { lockFile, lockPath } from "../../lib/io/write/file_lock.ts";
import { removeDeadFiles, replaceFile } from "../../lib/io/write/replace_file.ts";
import { FileError, type FileFault } from "../../lib/io/runtime/runtime.ts";
import { CHURN_LINES } from "../support/edit_driver.ts";
import { commandOf, treeOf, without } from "../support/process.ts";
import { withTempDir } from "../support/temp_dir.ts";

const DRIVER = fileURLToPath(new URL("../support/edit_driver.ts", import.meta.url));

/** The least that Deno must be allowed. */
const ALLOWED = ["--no-prompt", "--allow-read", "--allow-write", "--allow-env"];
const DENO = [commandOf("deno"), "run", ...ALLOWED, DRIVER];
const BUN = [commandOf("bun"), DRIVER];

const BOTH = { timeout: 60_000, skip: without("deno") || without("bun") };

interface Driven {
  /** Its exit status, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
  /** Kills it at once. */
  kill(): void;
}

function drive(runtime: readonly string[], args: readonly string[]): Driven {
  const [command = "", ...rest] = [...runtime, ...args];
  const child = spawn(command, rest, { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<number | string | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (status, signal) => resolve(signal ?? status));
  });
  return { ended, kill: () => child.kill("SIGKILL") };
}

function isFault(fault: FileFault, path: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof FileError, String(error));
    assert.deepEqual([error.fault, error.path], [fault, path]);
    assert.ok(error.message.startsWith(`Cannot write "${path}": `), error.message);
    return true;
  };
}

/** Edits a file of nobody's workspace. */
function editFile(
  path: string,
  edit: (text: string | undefined) => string | undefined,
  options: Partial<EditOptions> = {},
): Promise<"written" | "unchanged"> {
  return editAny(path, edit, { within: null, ...options });
}

function append(line: string): (text: string | undefined) => string {
  return (text = "") => `${text}${line}\n`;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a file is made with its folder, then edited, then left alone", async () => {
  await withTempDir(async (folder) => {
    const path = join(folder, ".caliban/permissions.toml");
    assert.equal(await editFile(path, append("a")), "written");
    assert.equal(await editFile(path, append("b")), "written");
    assert.equal(await editFile(path, (text) => text), "unchanged");
    assert.equal(await editFile(path, () => undefined), "unchanged");
    assert.equal(readFileSync(path, "utf8"), "a\nb\n");
    assert.deepEqual(readdirSync(join(folder, ".caliban")), ["permissions.toml"]);
    assert.equal(statSync(path).mode & 0o777, 0o644 & ~process.umask());
  });
});

test("leaving a file that is not there makes no folder, and a mistyped path no tree", async () => {
  await withTempDir(async (folder) => {
    const path = join(folder, "a/b/c/f.toml");
    assert.equal(await editFile(path, () => undefined), "unchanged");
    await assert.rejects(editFile(path, append("x")), isFault("not-found", path));
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(await editFile(path, append("x"), { newFolders: 3 }), "written");
  });
});

test("an edit that throws changes nothing and gives the lock back", async () => {
  await withTempDir(async (folder) => {
    const path = join(folder, "f.toml");
    writeFileSync(path, "old");
    const failure = new RangeError("no");
    await assert.rejects(
      editFile(path, () => {
        throw failure;
      }),
      (error) => error === failure,
    );
    assert.deepEqual(readdirSync(folder), ["f.toml"]);
    assert.equal(readFileSync(path, "utf8"), "old");
  });
});

test("the mode and a byte order mark stay as they are", async () => {
  await withTempDir(async (folder) => {
    const path = join(folder, "f.toml");
    writeFileSync(path, "\ufeffa\n");
    chmodSync(path, 0o4660);
    await editFile(path, (text) => {
      assert.equal(text, "\ufeffa\n");
      return text + "b\n";
    });
    assert.equal(readFileSync(path, "utf8"), "\ufeffa\nb\n");
    assert.equal(statSync(path).mode & 0o7777, 0o4660);
  });
});

test("a policy that is a link stays one, also to a file that is not there yet", async () => {
  await withTempDir(async (folder) => {
    const path = join(folder, "ws/f.toml");
    const target = join(folder, "dotfiles/f.toml");
    mkdirSync(join(folder, "ws"));
    mkdirSync(join(folder, "dotfiles"));
    symlinkSync("../dotfiles/f.toml", join(folder, "ws/between"));
    symlinkSync("between", path);
    await editFile(path, append("a"));
    await editFile(path, append("b"));
    assert.equal(readlinkSync(path), "between");
    assert.ok(lstatSync(target).isFile());
    assert.equal(readFileSync(target, "utf8"), "a\nb\n");
  });
});

test("what cannot be edited is a FileError, and nothing changes", async () => {
  await withTempDir(async (folder) => {
    const at = (name: string) => join(folder, name);
    writeFileSync(at("latin1"), new Uint8Array([0x61, 0xe4]));
    mkdirSync(at("dir"));
    symlinkSync("loop", at("loop"));
    execFileSync("mkfifo", [at("fifo")]);
    const before = readdirSync(folder);
    const cases = [["latin1", "not-utf8"], ["dir", "not-a-file"], ["loop", "loop"], [
      "fifo",
      "not-a-file",
    ]] as const;
    for (const [name, fault] of cases) {
      await assert.rejects(editFile(at(name), append("x")), isFault(fault, at(name)));
    }
    await assert.rejects(
      editFile(at("latin1/below"), append("x")),
      isFault("not-found", at("latin1/below")),
    );
    assert.deepEqual(readdirSync(folder), before);
  });
});

test("a folder or a file that may not be written is an error, and nothing changes", async () => {
  await withTempDir(async (folder) => {
    const closed = join(folder, "closed");
    const readOnly = join(folder, "open/f.toml");
    mkdirSync(closed);
    mkdirSync(join(folder, "open"));
    writeFileSync(join(closed, "f.toml"), "old");
    writeFileSync(readOnly, "old", { mode: 0o444 });
    chmodSync(folder, 0o755);
    chmodSync(join(folder, "open"), 0o777);
    chmodSync(closed, 0o555);
    // No mode stops root, so root becomes nobody for a while.
    const root = process.geteuid?.() === 0;
    if (root) process.seteuid?.(65534);
    try {
      for (const path of [join(closed, "f.toml"), join(closed, "new.toml"), readOnly]) {
        await assert.rejects(editFile(path, append("x")), isFault("permission", path));
      }
    } finally {
      if (root) process.seteuid?.(0);
    }
    chmodSync(closed, 0o755);
    assert.deepEqual(readdirSync(closed), ["f.toml"]);
    assert.deepEqual(readdirSync(join(folder, "open")), ["f.toml"]);
    assert.equal(readFileSync(join(closed, "f.toml"), "utf8"), "old");
    assert.equal(readFileSync(readOnly, "utf8"), "old");
  });
});

test("a lock that stays held is an error that names it", async () => {
  await withTempDir(async (folder) => {
    const path = join(folder, "f.toml");
    const lock = await lockFile(path, Date.now());
    await assert.rejects(
      editFile(path, append("x"), { patience: 200 }),
      (error) => isFault("other", path)(error) && String(error).includes(`"${lockPath(path)}"`),
    );
    assert.equal(lock.isHeld(), true);
    await lock.release();
    assert.equal(lock.isHeld(), false);
    assert.equal(await editFile(path, append("x")), "written");
  });
});

test("a writer that lost its lock writes nothing", async () => {
  await withTempDir((folder) => {
    const path = join(folder, "f.toml");
    writeFileSync(path, "old");
    assert.equal(replaceFile(path, { text: "new", isHeld: () => false }), false);
    assert.equal(readFileSync(path, "utf8"), "old");
    assert.deepEqual(readdirSync(folder), ["f.toml"]);
  });
});

test("a lock that another took over is known to be lost", async () => {
  await withTempDir(async (folder) => {
    const path = join(folder, "f.toml");
    const slept = await lockFile(path, Date.now());
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lockPath(path), longAgo, longAgo);
    const next = await lockFile(path, Date.now() + 2000);
    assert.deepEqual([slept.isHeld(), next.isHeld()], [false, true]);
    await slept.release();
    assert.equal(next.isHeld(), true);
    await next.release();
    assert.deepEqual(readdirSync(folder), []);
  });
});

test("what dead runs left is removed, and nothing else", async () => {
  await withTempDir((folder) => {
    const at = (name: string) => join(folder, name);
    const id = () => crypto.randomUUID();
    const gone = [`.f.toml.${id()}.caliban-tmp`, `.g.toml.${id()}.caliban-tmp`];
    const others = ["f.toml", ".f.toml.bak", ".f.toml.1.caliban-tmp", `f.toml.${id()}.caliban-tmp`];
    const young = [`.f.toml.${id()}.caliban-tmp`, `.g.toml.${id()}.caliban-tmp`];
    for (const name of [...gone, ...others, ...young]) writeFileSync(at(name), "x");
    const ago = (ms: number) => new Date(Date.now() - ms);
    for (const name of [...gone, ...others]) utimesSync(at(name), ago(3_600_000), ago(3_600_000));
    utimesSync(at(young[1] ?? ""), ago(60_000), ago(60_000));
    const [dir = "", link = ""] = [id(), id()].map((each) => `.f.toml.${each}.caliban-tmp`);
    mkdirSync(at(dir));
    utimesSync(at(dir), ago(120_000), ago(120_000));
    symlinkSync("f.toml", at(link));
    const ahead = `.f.toml.${id()}.caliban-tmp`;
    writeFileSync(at(ahead), "x");
    utimesSync(at(ahead), ago(-3_600_000), ago(-3_600_000));
    removeDeadFiles(at("f.toml"));
    assert.deepEqual(readdirSync(folder).sort(), [...others, ...young, dir, link].sort());
  });
});

test(
  "a lock of the future is taken over when its time stands still",
  { timeout: 30_000 },
  async () => {
    await withTempDir(async (folder) => {
      const path = join(folder, "f.toml");
      mkdirSync(lockPath(path));
      writeFileSync(join(lockPath(path), `${crypto.randomUUID()}.caliban-token`), "");
      const ahead = new Date(Date.now() + 3_600_000);
      utimesSync(lockPath(path), ahead, ahead);
      const started = Date.now();
      assert.equal(await editFile(path, append("x")), "written");
      const waited = Date.now() - started;
      assert.ok(waited > 4500 && waited < 10_000, `${waited} ms`);
      assert.deepEqual(readdirSync(folder), ["f.toml"]);
    });
  },
);

test("tokens of a dead lock are removed, those with a text are not caliban's", async () => {
  await withTempDir(async (folder) => {
    const path = join(folder, "f.toml");
    const names = [crypto.randomUUID(), `${crypto.randomUUID()}.caliban-token`];
    mkdirSync(lockPath(path));
    for (const name of names) writeFileSync(join(lockPath(path), name), "");
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lockPath(path), longAgo, longAgo);
    assert.equal(await editFile(path, append("x")), "written");
    for (const name of names) {
      mkdirSync(lockPath(path));
      writeFileSync(join(lockPath(path), name), "text");
      utimesSync(lockPath(path), longAgo, longAgo);
      await assert.rejects(
        editFile(path, append("x")),
        (error) => isFault("other", path)(error) && String(error).includes(`holds "${name}"`),
      );
      assert.equal(readFileSync(join(lockPath(path), name), "utf8"), "text");
      rmSync(lockPath(path), { recursive: true });
    }
  });
});

test("a file in a workspace is not written behind a link that leads out of it", async () => {
  await withTempDir(async (folder) => {
    const within = join(folder, "ws");
    mkdirSync(join(within, "in/deep"), { recursive: true });
    mkdirSync(join(folder, "ws-beside"));
    const links = {
      out: "../ws-beside",
      up: "..",
      absolute: folder,
      missing: "../not-there",
      around: "../ws/in",
      inner: "in",
      self: ".",
    };
    for (const [name, to] of Object.entries(links)) symlinkSync(to, join(within, name));
    symlinkSync("../../../ws-beside", join(within, "in/deep/out"));
    symlinkSync("../ws-beside/new", join(within, "file"));
    const refused = [
      "out/f",
      "up/f",
      "absolute/f",
      "missing/f",
      "in/deep/out/f",
      "inner/deep/out/f",
    ];
    const before = treeOf(folder);
    for (const name of [...refused, "file", "in/../../f"]) {
      const path = `${within}/${name}`;
      await assert.rejects(editFile(path, append("x"), { within }), isFault("other", path));
    }
    assert.deepEqual(treeOf(folder), before);
    for (const name of ["around/f", "inner/f", "self/f", "in/deep/../g", "new/f"]) {
      assert.equal(await editFile(`${within}/${name}`, append("x"), { within }), "written");
    }
    symlinkSync("ws", join(folder, "alias"));
    const aliased = { within: join(folder, "alias") };
    assert.equal(await editFile(join(folder, "alias/h"), append("x"), aliased), "written");
  });
});

test(
  "fifty processes that edit at once, over a dead lock, lose nothing",
  BOTH,
  async () => {
    await withTempDir(async (folder) => {
      const path = join(folder, "f.toml");
      writeFileSync(path, "");
      mkdirSync(lockPath(path));
      writeFileSync(join(lockPath(path), crypto.randomUUID()), "");
      const longAgo = new Date(Date.now() - 60_000);
      utimesSync(lockPath(path), longAgo, longAgo);
      const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`);
      const ended = lines.map((line, index) => {
        return drive(index % 2 === 0 ? DENO : BUN, ["add", path, line]).ended;
      });
      assert.deepEqual(await Promise.all(ended), lines.map(() => 0));
      const written = readFileSync(path, "utf8").trimEnd().split("\n");
      assert.deepEqual(written.toSorted(), lines.toSorted());
      assert.deepEqual(readdirSync(folder), ["f.toml"]);
    });
  },
);

test(
  "kill -9 leaves the old file or the new one, and the next edit gets past its lock",
  BOTH,
  async () => {
    await withTempDir(async (folder) => {
      const paths = Array.from({ length: 6 }, (_, index) => join(folder, `${index}/f.toml`));
      const killed = paths.map((path, index) => drive(index % 2 ? DENO : BUN, ["churn", path]));
      while (!paths.every((path) => existsSync(path))) await sleep(20);
      for (const { kill, ended } of killed) {
        await sleep(Math.random() * 100);
        kill();
        assert.equal(await ended, "SIGKILL");
      }
      const held = join(folder, "held.toml");
      assert.equal(await drive(BUN, ["die", held]).ended, "SIGKILL");
      assert.ok(existsSync(lockPath(held)));
      const started = Date.now();
      const edited = paths.map((path) => editFile(path, nextAfterWhole));
      await Promise.all([...edited, editFile(held, append("next"))]);
      assert.ok(Date.now() - started < 10_000);
      for (const path of paths) assert.equal(readFileSync(path, "utf8"), "next");
      assert.equal(readFileSync(held, "utf8"), "next\n");
    });
  },
);

/** Asserts that the text is one whole round of `churn`. */
function nextAfterWhole(text = ""): string {
  const [first = "", ...others] = text.split("\n").slice(0, -1);
  assert.equal(others.length, CHURN_LINES - 1);
  assert.ok(first !== "" && others.every((line) => line === first));
  return "next";
}
