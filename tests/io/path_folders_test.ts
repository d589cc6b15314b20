import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { rememberedLooks } from "../../lib/io/load/remembered_looks.ts";
import { systemPrograms } from "../../lib/io/load/system_program.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import type { Runtime } from "../../lib/io/runtime/runtime.ts";
import { type Files, machine } from "../support/machine.ts";
import fc from "../support/seeded.ts";
import { withTempDir } from "../support/temp_dir.ts";

const location = { workspace: "/w", workspaceReal: "/w", platform: "linux" as const };
const FOLDERS = ["/a", "/b", "/c"];
const NAMES = ["x", "y"];

/** A machine whose files come and go, whose folders have marks, and whose looks for names are counted. */
function changingMachine() {
  const files: Record<string, Files[string]> = Object.fromEntries(
    [...FOLDERS, "/opt", "/w"].map((folder) => [`${folder}/there`, ""]),
  );
  const changes = new Map<string, number>();
  const count = { looks: 0 };
  const own = machine(files, { PATH: FOLDERS.join(":") });
  const runtime: Runtime = {
    ...own,
    stat(path) {
      count.looks++;
      return own.stat(path);
    },
    // Like a file system: a folder that has just changed has no mark for the next block.
    folderMark(path) {
      const change = changes.get(path) ?? 0;
      return change % 2 === 1 ? undefined : `${change}`;
    },
  };
  const change = (path: string, file: Files[string] | undefined) => {
    if (file === undefined) delete files[path];
    else files[path] = file;
    const folder = dirname(path);
    changes.set(folder, (changes.get(folder) ?? 0) + 1);
  };
  return { runtime, change, count };
}

test("a name that was missed in a folder is looked for again once the folder has changed", () => {
  const FILES = ["", { link: "/opt/t" }, { link: "/w/t" }, { link: "/a/loop" }, undefined] as const;
  const paths = [
    ...FOLDERS.flatMap((folder) => NAMES.map((name) => `${folder}/${name}`)),
    "/opt/t",
  ];
  const step = fc.record({
    path: fc.constantFrom(...paths),
    file: fc.constantFrom(...FILES),
    isQuiet: fc.boolean(),
  });
  fc.assert(fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
    const { runtime, change } = changingMachine();
    const looks = rememberedLooks(runtime);
    const kept = systemPrograms({ runtime: looks.runtime, location });
    const fresh = systemPrograms({ runtime, location });
    for (const { path, file, isQuiet } of [undefined, ...steps].map((each) => each ?? FIRST)) {
      change(path, file);
      if (isQuiet) change(path, file);
      looks.remember();
      for (const name of NAMES) {
        for (const mayLack of [false, true]) {
          for (const isDirect of [false, true]) {
            const options = { mayLack, isDirect };
            assert.equal(kept(name, options), fresh(name, options));
          }
        }
      }
      looks.forget();
    }
  }));
});

const FIRST = { path: "/opt/t", file: undefined, isQuiet: true } as const;

test("a name is not looked for again in a folder that has its mark", () => {
  const { runtime, change, count } = changingMachine();
  change("/c/x", "");
  change("/c/x", "");
  const looks = rememberedLooks(runtime);
  const isSystem = systemPrograms({ runtime: looks.runtime, location });
  const looksOf = (name: string) => {
    count.looks = 0;
    looks.remember();
    assert.equal(isSystem(name), name === "x");
    looks.forget();
    return count.looks;
  };
  assert.deepEqual([looksOf("x"), looksOf("x"), looksOf("none"), looksOf("none")], [3, 1, 3, 0]);
  change("/b/other", "");
  change("/b/other", "");
  assert.deepEqual([looksOf("x"), looksOf("x")], [2, 1]);
});

test("a dead link is looked at again, for its target comes without a change of its folder", () => {
  const { runtime, change } = changingMachine();
  change("/a/x", { link: "/w/t" });
  change("/a/x", { link: "/w/t" });
  change("/b/x", "");
  change("/b/x", "");
  const looks = rememberedLooks(runtime);
  const isSystem = systemPrograms({ runtime: looks.runtime, location });
  looks.remember();
  assert.equal(isSystem("x"), true);
  change("/w/t", "");
  looks.remember();
  assert.equal(isSystem("x"), false);
  looks.forget();
});

test("only a folder of the system that has not changed for some seconds has a mark", () =>
  withTempDir(async (folder) => {
    const { folderMark } = await chooseRuntime();
    assert.equal(folderMark!(join(folder, "none")), undefined);
    mkdirSync(join(folder, "new"));
    assert.equal(folderMark!(join(folder, "new")), undefined);
    // Everybody may write there.
    assert.equal(folderMark!("/var/tmp"), undefined);
    const old = "/usr/bin";
    assert.match(folderMark!(old) ?? "", /^\d+ \d+ [\d.]+$/);
    assert.equal(folderMark!(`${old}/.`), folderMark!(old));
  }));
