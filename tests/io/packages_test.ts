import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { hasPackages } from "../../lib/io/packages/has_packages.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import type { Runtime } from "../../lib/io/runtime/runtime.ts";
import { withTempDir } from "../support/temp_dir.ts";

const runtime = await chooseRuntime();

/** A machine: files by their paths from its top, where `ws` is the workspace and `home` the home folder, and its environment. */
interface Machine {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The version of its go. */
  readonly version?: string;
  /** The folder of the look, from the workspace. */
  readonly folder?: string;
  /** The name of the look. */
  readonly look?: string;
}

const CACHE = "home/go/pkg/mod";

/** The hash that go.sum has for a go.mod. */
function hashOf(text: string): string {
  const sha = (data: string) => createHash("sha256").update(data);
  return `h1:${sha(`${sha(text).digest("hex")}  go.mod\n`).digest("base64")}`;
}

const ZIP = `h1:${"A".repeat(43)}=`;

/** The files of a module in the cache. */
function cached(path: string, mod: string): Readonly<Record<string, string>> {
  const stored = `${CACHE}/cache/download/${path}/@v/v1.0.0`;
  return {
    [`${stored}.mod`]: mod,
    [`${stored}.info`]: '{"Version":"v1.0.0"}',
    [`${stored}.ziphash`]: ZIP,
    [`${stored}.zip`]: "",
    [`${stored}.lock`]: "",
    [`${CACHE}/${path}@v1.0.0/dep.go`]: "package dep\n\nfunc F() {}\n",
  };
}

const DEP = "module example.com/dep\n\ngo 1.18\n";
const MODULE = "module example.com/ws\n\ngo 1.18\n";
const NEEDS = `${MODULE}\nrequire example.com/dep v1.0.0\n`;
const SUMS = `example.com/dep v1.0.0 ${ZIP}\nexample.com/dep v1.0.0/go.mod ${hashOf(DEP)}\n`;
const MAIN = { "ws/main.go": "package main\n\nfunc main() {}\n" };
const USES = {
  "ws/main.go": 'package main\n\nimport "example.com/dep"\n\nfunc main() { dep.F() }\n',
};
const WHOLE = { ...USES, ...cached("example.com/dep", DEP), "ws/go.sum": SUMS };
const without = (name: string) =>
  Object.fromEntries(Object.entries(WHOLE).filter(([path]) => !path.endsWith(name)));

/** Machines where the look shows that go downloads nothing. */
const ENOUGH: Readonly<Record<string, Machine>> = {
  "a module without others": { files: { ...MAIN, "ws/go.mod": MODULE } },
  "its folder": {
    files: { ...MAIN, "ws/go.mod": MODULE, "ws/a/b/x.go": "package b\n" },
    folder: "a/b",
  },
  "modules of the cache": { files: { ...WHOLE, "ws/go.mod": NEEDS } },
  "a comment with quotes": { files: { ...WHOLE, "ws/go.mod": `// "a" \`b\`\n${NEEDS}` } },
  "vendored modules": {
    files: {
      ...USES,
      "ws/go.mod": NEEDS,
      "ws/go.sum": SUMS,
      "ws/vendor/modules.txt": "# example.com/dep v1.0.0\n## explicit; go 1.18\nexample.com/dep\n",
      "ws/vendor/example.com/dep/dep.go": "package dep\n\nfunc F() {}\n",
    },
  },
  "an import that no module has": {
    files: {
      ...MAIN,
      "ws/go.mod": MODULE,
      "ws/b.go": 'package main\n\nimport _ "example.com/no"\n',
    },
  },
  "versions of every fixed form": {
    files: {
      ...MAIN,
      "ws/go.mod":
        `${MODULE}require (\n\texample.com/a v0.0.0-20200101000000-abcdefabcdef\n\texample.com/b v2.1.0+incompatible\n)\n` +
        "exclude example.com/c v1.0.0-rc.1\nretract [v1.0.0, v1.2.0]\n",
    },
  },
  "a module without its sum": { files: { ...USES, "ws/go.mod": NEEDS } },
  "a folder of the workspace in its place": {
    files: {
      ...USES,
      "ws/go.mod": `${NEEDS}\nreplace example.com/dep => ./dep\n`,
      "ws/dep/go.mod": DEP,
      "ws/dep/dep.go": "package dep\n\nfunc F() {}\n",
    },
  },
  "flags that change no go.mod": {
    files: { ...MAIN, "ws/go.mod": MODULE },
    env: { GOFLAGS: "-mod=vendor -v", GO111MODULE: "on", GOWORK: "off" },
  },
  "the toolchain of the machine, if it is fixed": {
    files: { ...MAIN, "ws/go.mod": `${MODULE}toolchain go1.99.0\n` },
    env: { GOTOOLCHAIN: "local" },
    version: "go1.22.1",
  },
  "the same toolchain": {
    files: { ...MAIN, "ws/go.mod": "module x\n\ngo 1.22.0\n\ntoolchain go1.22.1\n" },
    version: "go1.22.1",
  },
  "node_modules above, for bun": {
    files: { "ws/node_modules/x/a.js": "" },
    folder: "src/deep",
    look: "bun",
  },
  "configuration of golangci-lint": {
    files: { ...MAIN, "ws/go.mod": MODULE, "ws/.golangci.yml": "linters:\n  enable: [govet]\n" },
    look: "golangci",
  },
};

const NEW = { version: "go1.22.1" };

/** Machines where it does not. */
const LACKING: Readonly<Record<string, Machine>> = {
  "a key of golangci-lint in another form": {
    files: {
      ...MAIN,
      "ws/go.mod": MODULE,
      "ws/.golangci.yml": "run:\n  ? !!binary bW9kdWxlcy1kb3dubG9hZC1tb2Rl\n  : mod\n",
    },
    look: "golangci",
  },
  "a branch for a version": {
    files: { ...MAIN, "ws/go.mod": `${MODULE}require example.com/dep master\n` },
  },
  "a branch in a block": {
    files: {
      ...MAIN,
      "ws/go.mod": `${MODULE}require (\n  example.com/dep v1.0.0\n  example.com/other main\n)\n`,
    },
  },
  "a branch that is left out": {
    files: { ...MAIN, "ws/go.mod": `${MODULE}exclude example.com/dep latest\n` },
  },
  "a branch in the place of a module": {
    files: { ...MAIN, "ws/go.mod": `${MODULE}replace example.com/dep => example.com/other HEAD\n` },
  },
  "a branch that is replaced": {
    files: { ...MAIN, "ws/go.mod": `${MODULE}replace example.com/dep next => ./dep\n` },
  },
  "a range that is taken back": {
    files: { ...MAIN, "ws/go.mod": `${MODULE}retract [v1.0.0, master]\n` },
  },
  "a short version": { files: { ...MAIN, "ws/go.mod": `${MODULE}require example.com/dep v1.2\n` } },
  "a block that does not end": {
    files: { ...MAIN, "ws/go.mod": `${MODULE}require (\n  example.com/dep v1.0.0\n` },
  },
  "no module": { files: MAIN },
  "a module above the workspace": { files: { ...MAIN, "go.mod": MODULE } },
  "a module that is not in the cache": {
    files: { ...USES, "ws/go.mod": NEEDS, "ws/go.sum": SUMS },
  },
  "no folder of the module": { files: { ...without("dep.go"), ...USES, "ws/go.mod": NEEDS } },
  "no hash of the module": { files: { ...without(".ziphash"), "ws/go.mod": NEEDS } },
  "no go.mod of the module": { files: { ...without(".mod"), "ws/go.mod": NEEDS } },
  "a module that is unpacked in part": {
    files: {
      ...WHOLE,
      "ws/go.mod": NEEDS,
      [`${CACHE}/cache/download/example.com/dep/@v/v1.0.0.partial`]: "",
    },
  },
  "a further sum": {
    files: {
      ...WHOLE,
      "ws/go.mod": NEEDS,
      "ws/go.sum": `${SUMS}example.com/evil v1.0.0/go.mod ${hashOf(DEP)}\n`,
    },
  },
  "a sum in capitals": {
    files: { ...WHOLE, "ws/go.mod": NEEDS, "ws/go.sum": SUMS.replaceAll("dep ", "Dep ") },
  },
  "a line of go.sum that is no sum": {
    files: { ...WHOLE, "ws/go.mod": NEEDS, "ws/go.sum": `${SUMS}x\n` },
  },
  "another cache": {
    files: { ...WHOLE, "ws/go.mod": NEEDS },
    env: { GOMODCACHE: "/nonexistent/mod" },
  },
  "another GOPATH": { files: { ...WHOLE, "ws/go.mod": NEEDS }, env: { GOPATH: "/nonexistent" } },
  "a workspace of go": { files: { ...MAIN, "ws/go.mod": MODULE, "ws/go.work": "go 1.18\n" } },
  "one above": { files: { ...MAIN, "ws/go.mod": MODULE, "go.work": "go 1.18\n" } },
  "flags that change go.mod": {
    files: { ...MAIN, "ws/go.mod": MODULE },
    env: { GOFLAGS: "-mod=mod" },
  },
  "another go.mod": { files: { ...MAIN, "ws/go.mod": MODULE }, env: { GOFLAGS: "-modfile=x.mod" } },
  "a workspace that a variable names": {
    files: { ...MAIN, "ws/go.mod": MODULE },
    env: { GOWORK: "/x/go.work" },
  },
  "settings of another file": { files: { ...MAIN, "ws/go.mod": MODULE }, env: { GOENV: "/x/env" } },
  "settings of the user": {
    files: { ...MAIN, "ws/go.mod": MODULE, "home/.config/go/env": "GOFLAGS=-mod=mod\n" },
  },
  "another toolchain": {
    files: { ...MAIN, "ws/go.mod": MODULE },
    env: { GOTOOLCHAIN: "go1.99.0" },
  },
  "an old go": { files: { ...MAIN, "ws/go.mod": MODULE }, version: "go1.15.2" },
  "a go that is under way": { files: { ...MAIN, "ws/go.mod": MODULE }, version: "devel go1.23-x" },
  "a newer go line": { files: { ...MAIN, "ws/go.mod": "module x\n\ngo 1.23\n" }, ...NEW },
  "a newer patch": { files: { ...MAIN, "ws/go.mod": "module x\n\ngo 1.22.2\n" }, ...NEW },
  "a newer toolchain line": {
    files: { ...MAIN, "ws/go.mod": `${MODULE}toolchain go1.99.0\n` },
    ...NEW,
  },
  "a toolchain of its own": {
    files: { ...MAIN, "ws/go.mod": `${MODULE}toolchain go1.20.0-custom\n` },
    ...NEW,
  },
  "two go lines": { files: { ...MAIN, "ws/go.mod": `${MODULE}go 1.99\n` }, ...NEW },
  "a go line in brackets": { files: { ...MAIN, "ws/go.mod": "module x\ngo (\n1.99\n)\n" }, ...NEW },
  "a quoted version": { files: { ...MAIN, "ws/go.mod": 'module x\ngo "1.99"\n' }, ...NEW },
  "a quoted word": { files: { ...MAIN, "ws/go.mod": 'module x\n"go" 1.99\n' }, ...NEW },
  "a byte order mark": { files: { ...MAIN, "ws/go.mod": "\ufeffgo 1.99\nmodule x\n" }, ...NEW },
  "a module that needs a newer go": {
    files: {
      ...USES,
      ...cached("example.com/dep", DEP.replace("1.18", "1.99")),
      "ws/go.sum": SUMS,
      "ws/go.mod": NEEDS,
    },
    ...NEW,
  },
  "a folder in its place that needs a newer go": {
    files: {
      "ws/go.mod": `${NEEDS}\nreplace example.com/dep => ./dep\n`,
      "ws/dep/go.mod": DEP.replace("1.18", "1.99"),
    },
    ...NEW,
  },
  "a folder elsewhere in its place": {
    files: { "ws/go.mod": `${NEEDS}\nreplace example.com/dep => ../dep\n`, "dep/go.mod": DEP },
  },
  "a folder in its place that is not there": {
    files: { "ws/go.mod": `${NEEDS}\nreplace (\n\texample.com/dep v1.0.0 => ./dep\n)\n` },
  },
  "a download mode of golangci-lint": {
    files: {
      ...MAIN,
      "ws/go.mod": MODULE,
      "ws/.golangci.yml": "run:\n  modules-download-mode: mod\n",
    },
    look: "golangci",
  },
  "one that goes over two lines": {
    files: {
      ...MAIN,
      "ws/go.mod": MODULE,
      "ws/.golangci.yaml": 'run:\n  ? "modules-\\\n  download-mode"\n  : mod\n',
    },
    look: "golangci",
  },
  "vendored modules that a flag passes over": {
    files: {
      ...MAIN,
      "ws/go.mod": NEEDS,
      "ws/go.sum": SUMS,
      "ws/vendor/modules.txt": "# example.com/dep v1.0.0\n",
    },
    env: { GOFLAGS: "-mod=readonly" },
  },
  "an escaped one": {
    files: {
      ...MAIN,
      "ws/go.mod": MODULE,
      "ws/.golangci.json": '{"run":{"modules\\u002ddownload-mode":"mod"}}',
    },
    look: "golangci",
  },
  "one of the home folder": {
    files: {
      ...MAIN,
      "ws/go.mod": MODULE,
      "home/.golangci.toml": '[run]\nmodules-download-mode = "mod"\n',
    },
    look: "golangci",
  },
  "no node_modules, for bun": { files: { "ws/src/node_modules/x/a.js": "" }, look: "bun" },
  "node_modules that is no folder": { files: { "ws/node_modules": "" }, look: "bun" },
  "an unknown look": { files: { ...MAIN, "ws/go.mod": MODULE }, look: "x" },
};

/** Uses a machine's folders. */
function withMachine(
  { files = {}, version = "go1.18.1" }: Machine,
  use: (top: string) => void,
): Promise<void> {
  return withTempDir((name) => {
    const top = realpathSync(name);
    const all = { ...files, "goroot/bin/go": "", "goroot/VERSION": `${version}\ntime x\n` };
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(top, path)), { recursive: true });
      writeFileSync(join(top, path), text);
    }
    mkdirSync(join(top, "home"), { recursive: true });
    mkdirSync(join(top, "bin"));
    symlinkSync("../goroot/bin/go", join(top, "bin/go"));
    use(top);
    return Promise.resolve();
  });
}

function look({ env = {}, folder = "", look = "go" }: Machine, top: string): boolean {
  const own: Readonly<Record<string, string>> = { PATH: join(top, "bin"), ...env };
  const machine: Runtime = Object.create(runtime, {
    env: { value: (name: string) => own[name] },
  });
  const [workspace, home] = [join(top, "ws"), join(top, "home")];
  return hasPackages(machine, {
    look,
    folder: join(workspace, folder),
    location: {
      workspace,
      workspaceReal: workspace,
      home,
      homeReal: home,
      platform: runtime.platform,
    },
  });
}

const IS_WINDOWS = process.platform === "win32";

for (const [title, machine] of Object.entries(ENOUGH)) {
  test(
    `nothing is downloaded: ${title}`,
    { skip: IS_WINDOWS },
    () =>
      withMachine(machine, (top) => {
        assert.equal(look(machine, top), true);
        reachesNothing(machine, top);
      }),
  );
}

for (const [title, machine] of Object.entries(LACKING)) {
  test(
    `go may download: ${title}`,
    { skip: IS_WINDOWS },
    () => withMachine(machine, (top) => assert.equal(look(machine, top), false)),
  );
}

test("go may download where a link leads out of the workspace", { skip: IS_WINDOWS }, () => {
  const text = `${NEEDS}\nreplace example.com/dep => ./dep\n`;
  const machine = { files: { "ws/go.mod": text, "dep/go.mod": DEP } };
  return withMachine(machine, (top) => {
    symlinkSync("../dep", join(top, "ws/dep"));
    assert.equal(look(machine, top), false);
  });
});

test("without the module go asks its proxy", { skip: !hasGo() }, () => {
  const machine = { files: { ...USES, "ws/go.mod": NEEDS, "ws/go.sum": SUMS } };
  return withMachine(machine, (top) => assert.match(goOutput(machine, top), /127\.0\.0\.1:9/));
});

function hasGo(): boolean {
  return !IS_WINDOWS && spawnSync("go", ["version"]).status === 0;
}

/** Runs the machine's own go, whose proxy answers nothing. */
function reachesNothing(machine: Machine, top: string): void {
  if (hasGo() && machine.version === undefined && machine.look !== "bun") {
    assert.doesNotMatch(goOutput(machine, top), /127\.0\.0\.1:9|dial|lookup/);
  }
}

function goOutput({ env = {}, folder = "" }: Machine, top: string): string {
  const { stdout, stderr } = spawnSync("go", ["list", "-deps", "-test", "./..."], {
    cwd: join(top, "ws", folder),
    encoding: "utf8",
    env: {
      PATH: process.env.PATH,
      HOME: join(top, "home"),
      GOCACHE: join(top, "cache"),
      GOPROXY: "http://127.0.0.1:9",
      GOSUMDB: "off",
      GOFLAGS: "-modcacherw",
      ...env,
    },
  });
  if (existsSync(join(top, "cache"))) rmSync(join(top, "cache"), { recursive: true });
  return stdout + stderr;
}
