import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { privateFolder } from "../../lib/io/runtime/compile_cache.ts";
import { withTempDir } from "../support/temp_dir.ts";

const NEEDS = { skip: process.getuid === undefined ? "there are no owners of files" : false };

const user = () => process.getuid!();

test("the folder for compiled code is made for its user alone", NEEDS, () =>
  withTempDir((home) => {
    assert.equal(privateFolder(home, user()), join(home, ".cache/caliban/node"));
    assert.equal(statSync(join(home, ".cache/caliban/node")).mode & 0o777, 0o700);
    assert.equal(privateFolder(home, user()), join(home, ".cache/caliban/node"));
  }));

/** Changes after which another could write the code that runs, or decide where it is read from. */
const CHANGES: Readonly<Record<string, (home: string) => void>> = {
  "others may read the folder": (home) => chmodSync(join(home, ".cache/caliban/node"), 0o755),
  "others may write the folder": (home) => chmodSync(join(home, ".cache/caliban/node"), 0o777),
  "others may write above it": (home) => chmodSync(join(home, ".cache/caliban"), 0o770),
  "others may write the cache": (home) => chmodSync(join(home, ".cache"), 0o777),
  "others may write the home folder": (home) => chmodSync(home, 0o777),
};

for (const [name, change] of Object.entries(CHANGES)) {
  test(`no compiled code is kept where ${name}`, NEEDS, () =>
    withTempDir((home) => {
      assert.ok(privateFolder(home, user()));
      change(home);
      assert.equal(privateFolder(home, user()), undefined);
      chmodSync(home, 0o700);
    }));
}

test(
  "no compiled code is kept behind a link, or in a folder of another user",
  NEEDS,
  () =>
    withTempDir((home) => {
      mkdirSync(join(home, "clone/node"), { recursive: true, mode: 0o700 });
      mkdirSync(join(home, ".cache"), { mode: 0o700 });
      symlinkSync(join(home, "clone"), join(home, ".cache/caliban"));
      assert.equal(privateFolder(home, user()), undefined);
      assert.deepEqual(readdirSync(join(home, "clone/node")), []);
      assert.equal(privateFolder(home, user() + 1), undefined);
      assert.ok(!existsSync(join(home, "node")));
    }),
);
