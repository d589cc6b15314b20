import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import fc from "../support/seeded.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { FileError, type FileFault } from "../../lib/io/runtime/runtime.ts";
import { commandOf, without } from "../support/process.ts";
import { realPathBy } from "../../lib/io/runtime/real_path.ts";
import { makeLinks } from "../support/link_tree.ts";
import { withTempDir } from "../support/temp_dir.ts";

const runtime = await chooseRuntime();
const PORT = new URL("../../lib/io/runtime/choose_runtime.ts", import.meta.url).href;

/** The command line that runs a program with the runtime that runs this. */
function running(program: string): readonly string[] {
  return [process.execPath, runtime.name === "deno" ? "eval" : "-e", program];
}

function assertFault(read: () => unknown, expected: { fault: FileFault; path: string }): void {
  assert.throws(read, (error) => {
    assert.ok(error instanceof FileError, String(error));
    assert.deepEqual({ fault: error.fault, path: error.path }, expected);
    assert.match(error.message, /^Cannot read ".*": /);
    return true;
  });
}

test("the port of the runtime that runs this is chosen", () => {
  const expected = "Deno" in globalThis ? "deno" : process.versions["bun"] ? "bun" : "node";
  assert.equal(runtime.name, expected);
  assert.equal(runtime.platform, process.platform === "win32" ? "windows" : process.platform);
  assert.equal(runtime.cwd(), process.cwd());
  assert.equal(runtime.env("PATH"), process.env["PATH"]);
  assert.equal(runtime.env("CALIBAN_SURELY_NOT_SET"), undefined);
  assert.ok(Math.abs(runtime.now() - Date.now()) < 1000);
  assert.ok(runtime.columns() > 0);
});

test("a file's text is read whole, its byte order mark kept", async () => {
  await withTempDir((folder) => {
    const path = join(folder, "a");
    writeFileSync(path, "\ufeffä = '🦀'\r\n");
    assert.equal(runtime.readText(path), "\ufeffä = '🦀'\r\n");
    writeFileSync(path, "");
    assert.equal(runtime.readText(path), "");
  });
});

test("what cannot be read says why and names the path", async () => {
  await withTempDir((folder) => {
    const at = (name: string) => join(folder, name);
    writeFileSync(at("latin1"), new Uint8Array([0x61, 0xe4, 0x62]));
    writeFileSync(at("file"), "x");
    writeFileSync(at("large"), "");
    truncateSync(at("large"), 64 * 1024 * 1024 + 1);
    symlinkSync("loop", at("loop"));
    symlinkSync("nowhere", at("dangling"));
    execFileSync("mkfifo", [at("fifo")]);
    const cases: readonly (readonly [string, FileFault])[] = [
      [at("latin1"), "not-utf8"],
      [at("missing"), "not-found"],
      [at("file/below"), "not-found"],
      [at("dangling"), "not-found"],
      [folder, "not-a-file"],
      [at("fifo"), "not-a-file"],
      ["/dev/zero", "not-a-file"],
      [at("loop"), "loop"],
      [at("large"), "too-large"],
      [at("x".repeat(300)), "other"],
    ];
    for (const [path, fault] of cases) assertFault(() => runtime.readText(path), { fault, path });
  });
});

test("stat says what stands there, links followed", async () => {
  await withTempDir((folder) => {
    const at = (name: string) => join(folder, name);
    writeFileSync(at("file"), "x");
    symlinkSync("file", at("link"));
    symlinkSync("loop", at("loop"));
    symlinkSync("nowhere", at("dangling"));
    execFileSync("mkfifo", [at("fifo")]);
    const names = ["file", "link", ".", "fifo", "dangling", "missing", "file/below"];
    assert.deepEqual(names.map((name) => runtime.stat(at(name))), [
      "file",
      "file",
      "directory",
      "other",
      undefined,
      undefined,
      undefined,
    ]);
    assertFault(() => runtime.stat(at("loop")), { fault: "loop", path: at("loop") });
  });
});

test("dots are resolved after links, as the kernel does", async () => {
  await withTempDir((folder) => {
    const at = (name: string) => join(folder, name);
    mkdirSync(at("real/sub"), { recursive: true });
    symlinkSync("real/sub", at("link"));
    writeFileSync(at("x"), "by text");
    writeFileSync(at("real/x"), "by links");
    assert.equal(runtime.realPath(`${folder}/link/../x`), at("real/x"));
    assert.equal(runtime.readText(`${folder}/link/../x`), "by links");
    assert.equal(runtime.stat(`${folder}/link/../sub`), "directory");
  });
});

test("what does not exist yet has the path that writing to it would make", async () => {
  await withTempDir((folder) => {
    const at = (name: string) => join(folder, name);
    mkdirSync(at("d"));
    mkdirSync(at("secret"));
    writeFileSync(at("file"), "x");
    symlinkSync("../secret/new", at("d/out"));
    symlinkSync("out", at("d/again"));
    symlinkSync(at("gone"), at("absolute"));
    symlinkSync("d", at("to-d"));
    const cases = [
      ["d/new", "d/new"],
      ["to-d/a/b/../c", "d/a/c"],
      ["to-d/new/../../x", "x"],
      ["d/out", "secret/new"],
      ["d/again", "secret/new"],
      ["absolute/b", "gone/b"],
      ["file/below", "file/below"],
      ["./d//new/.", "d/new"],
    ] as const;
    for (const [path, real] of cases) {
      assert.equal(runtime.realPath(`${folder}/${path}`), at(real), path);
    }
  });
});

test("a real path that cannot be told is null", async () => {
  await withTempDir((folder) => {
    const at = (name: string) => join(folder, name);
    symlinkSync("loop", at("loop"));
    symlinkSync("b/x", at("a"));
    symlinkSync("a/x", at("b"));
    assert.equal(runtime.realPath(at("loop")), null);
    assert.equal(runtime.realPath(at("loop/x")), null);
    assert.equal(runtime.realPath(at("a")), null);
    assert.equal(runtime.realPath(at("nul\0")), null);
    assert.equal(runtime.realPath("relative"), null);
    assert.equal(runtime.realPath("/../.."), "/");
  });
});

test("a path that leads each process elsewhere has no real path", () => {
  // Deno reads these folders with every permission only.
  const calls = {
    platform: "linux" as const,
    realPath: (path: string) => path,
    readLink: (path: string) => path,
  };
  const elsewhere = [
    ...["/proc/self/cwd/x", "/proc/self/cwd", "/proc/1/root/x", "/proc/self/fd/0/x"],
    ...["/dev/fd/3/x", "/dev/fd/3/..", "/proc/../proc/self/cwd/x", "//proc/./self/../self/cwd/x"],
    ...["/proc/self/task/1/cwd/x", "/proc/thread-self/cwd/x"],
  ];
  for (const path of elsewhere) assert.equal(realPathBy(calls, path), null, path);
  for (
    const path of [
      "/dev/fd/3",
      "/proc/self/fd/0",
      "/proc/cpuinfo",
      "/x/proc/self/cwd/x",
      "/proc/x/proc/self/cwd/x",
    ]
  ) {
    assert.equal(realPathBy(calls, path), path);
  }
});

test("real paths are those of coreutils' realpath -m", async () => {
  await withTempDir((folder) => {
    const at = (name: string) => join(folder, name);
    makeLinks(at);
    const segment = fc.constantFrom("a", "b", "c", "d", "f", "l", "..", ".", "new");
    const paths = fc.sample(fc.array(segment, { minLength: 1, maxLength: 8 }), 1500)
      .map((segments) => [folder, ...segments].join("/"));
    const output = execFileSync("realpath", ["-m", "-z", ...paths], { encoding: "utf8" });
    const expected = output.split("\0").slice(0, -1);
    assert.equal(expected.length, paths.length);
    paths.forEach((path, index) => assert.equal(runtime.realPath(path), expected[index], path));
  });
});

test("hashes are SHA-256 of the UTF-8 bytes", async () => {
  assert.equal(
    await runtime.sha256("abc"),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  assert.notEqual(await runtime.sha256("\ufeffabc"), await runtime.sha256("abc"));
});

test("standard input comes in chunks, and output is whole before the process ends", () => {
  const program = `const { chooseRuntime } = await import(${JSON.stringify(PORT)});
    const runtime = await chooseRuntime();
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of runtime.stdin()) text += decoder.decode(chunk, { stream: true });
    const done = await runtime.write("stdout", text);
    await runtime.write("stderr", done + " " + runtime.isTerminal("stdin"));
    (globalThis.Deno ?? process).exit(0);`;
  const input = "äöü🦀\n".repeat(300_000);
  const [command = "", ...args] = running(program);
  // A slow reader behind a pipe: the writer must wait for it, and not lose the rest when it exits.
  const slow = `"$0" "$@" | (sleep 0.3; cat)`;
  const { stdout, stderr } = spawnSync("sh", ["-c", slow, command, ...args], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  assert.equal(stderr, "true false");
  assert.ok(stdout === input, `${stdout.length} of ${input.length} characters arrived`);
});

test("a closed pipe is not an error, and writing says so", () => {
  const program = `const { chooseRuntime } = await import(${JSON.stringify(PORT)});
    const runtime = await chooseRuntime();
    const done = await runtime.write("stdout", "y\\n".repeat(1_000_000));
    await runtime.write("stderr", String(done));`;
  const [command = "", ...args] = running(program);
  const { stdout, stderr } = spawnSync("sh", ["-c", `"$0" "$@" | head -n 1`, command, ...args], {
    encoding: "utf8",
  });
  assert.deepEqual([stdout, stderr], ["y\n", "false"]);
});

test("under Deno a missing flag is named", { skip: without("deno") }, async () => {
  await withTempDir((folder) => {
    const script = join(folder, "script.ts");
    writeFileSync(
      script,
      `import { chooseRuntime } from ${JSON.stringify(PORT)};
      const runtime = await chooseRuntime();
      const tries = [() => runtime.env("HOME"), () => runtime.readText("/x"), () => runtime.stat("/x")];
      for (const attempt of tries) {
        try { attempt(); } catch (error) { console.log(error.fault, error.message); }
      }
      console.log(runtime.realPath("/x"));`,
    );
    const output = execFileSync(commandOf("deno"), ["run", "--no-prompt", script], {
      encoding: "utf8",
    });
    assert.deepEqual(output.trim().split("\n"), [
      'missing-flag Cannot read the environment variable "HOME": run with --allow-env',
      'missing-flag Cannot read "/x": run with --allow-read',
      'missing-flag Cannot read "/x": run with --allow-read',
      "null",
    ]);
  });
});
