import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import {
  type LastingOptions,
  lastingProgram,
  whyShortLived,
} from "../../lib/io/process/lasting_program.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { withTempDir } from "../support/temp_dir.ts";

const { realPath } = await chooseRuntime();

function program(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "#!/bin/sh\n", { mode: 0o755 });
  return path;
}

/** A home in a temporary folder, so that its own programs count as lasting; and a choice in it. */
function choiceIn(home: string, path: readonly string[], more: Readonly<Record<string, string>>) {
  const env = (name: string) => name === "PATH" ? path.join(":") : more[name];
  return (running: string, options: Partial<LastingOptions> = {}) =>
    lastingProgram({ env, realPath }, {
      running,
      isCompiled: false,
      home,
      outside: [],
      ...options,
    });
}

/** Paths in caches of package managers, below a home. */
const CACHED = [
  ".npm/_npx/ab12/node_modules/.bin/deno",
  ".cache/deno/npm/deno",
  "Library/Caches/deno/deno",
  ".bun/install/cache/bun@1/deno",
  "x/dlx-123/deno",
  "x/bunx-0-y@latest/node_modules/deno",
  "x/node_modules/_npx/deno",
];

test("a path of a package cache is never chosen, and another program of the name is", () =>
  withTempDir((home) => {
    const bin = program(join(home, "bin/deno"));
    for (const path of CACHED) {
      const cached = program(join(home, path));
      const found = choiceIn(home, [dirname(cached), dirname(bin)], {})(cached);
      assert.deepEqual(found, { kind: "path", path: bin }, path);
      const none = choiceIn(home, [dirname(cached), "relative", ""], {})(cached);
      assert.equal(none.kind, "none", path);
      assert.match(none.kind === "none" ? none.why : "", /^it lies in the package cache \//);
      const compiled = choiceIn(home, [dirname(cached)], {})(cached, { isCompiled: true });
      assert.deepEqual(compiled, { kind: "copy", path: cached });
    }
  }));

test("a folder that a variable names as a cache is one, and a link into a cache is one too", () =>
  withTempDir((home) => {
    const cached = program(join(home, "my-cache/deno"));
    const link = join(home, "bin/deno");
    mkdirSync(dirname(link));
    symlinkSync(cached, link);
    for (const variable of ["DENO_DIR", "npm_config_cache", "XDG_CACHE_HOME"]) {
      const choose = choiceIn(home, [dirname(link)], { [variable]: dirname(cached) });
      assert.equal(choose(link).kind, "none", variable);
    }
    assert.deepEqual(choiceIn(home, [], {})(cached), { kind: "path", path: cached });
  }));

test("a link on the PATH is chosen before the place that an update moves", () =>
  withTempDir((home) => {
    const real = program(join(home, "Cellar/deno/2.1.0/bin/deno"));
    const link = join(home, "bin/deno");
    mkdirSync(dirname(link));
    symlinkSync(real, link);
    const other = program(join(home, "other/deno"));
    const choose = choiceIn(home, [dirname(other), dirname(link)], {});
    assert.deepEqual(choose(real), { kind: "path", path: link });
    assert.deepEqual(choiceIn(home, [dirname(other)], {})(real), { kind: "path", path: real });
  }));

test("neither a program of the workspace nor one in a temporary folder is chosen", () =>
  withTempDir((top) => {
    const own = program(join(top, "work/node_modules/.bin/deno"));
    const choose = choiceIn(top, [dirname(own)], {});
    const found = choose(own, { outside: [join(top, "work")] });
    assert.equal(found.kind === "none" && found.why, "it is in the workspace");
    const temporary = choose(own, { home: "/home/ada" });
    assert.match(
      temporary.kind === "none" ? temporary.why : "",
      /^it lies in the temporary folder \//,
    );
    const notThere = { home: "/home/ada", outside: [] };
    const files = { env: () => undefined, realPath };
    assert.equal(whyShortLived("/usr/bin/deno", { files, options: notThere }), undefined);
  }));

test("for settings of the whole machine everybody can run it", () =>
  withTempDir((home) => {
    const own = program(join(home, "closed/deno"));
    for (let folder = home; folder !== dirname(folder); folder = dirname(folder)) {
      if (folder.includes("caliban")) chmodSync(folder, 0o755);
    }
    chmodSync(dirname(own), 0o755);
    const choose = choiceIn(home, [join(home, "nowhere"), home], {});
    assert.equal(choose(own, { isShared: true }).kind, "path");
    chmodSync(dirname(own), 0o700);
    const found = choose(own, { isShared: true });
    assert.equal(found.kind === "none" && found.why, "other people may not run it");
    assert.equal(choose(own).kind, "path");
  }));
