import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { replaceFolder } from "../../scripts/replace_folder.ts";
import { withTempDir } from "../support/temp_dir.ts";

test("a folder is replaced, and no folder beside it", () =>
  withTempDir((top) => {
    const by = join(top, "by");
    mkdirSync(by);
    writeFileSync(join(by, "new.js"), "new");
    const target = join(top, "below/target");
    replaceFolder(target, { by });
    writeFileSync(join(target, "old.js"), "old");
    writeFileSync(join(target, "program"), "mine");
    mkdirSync(`${target}.tmp`);
    writeFileSync(join(`${target}.tmp`, "mine"), "mine");
    replaceFolder(target, { by, keeps: (name) => !name.endsWith(".js") });
    assert.deepEqual(readdirSync(target).toSorted(), ["new.js", "program"]);
    assert.equal(statSync(target).mode, statSync(by).mode);
    assert.equal(readFileSync(join(`${target}.tmp`, "mine"), "utf8"), "mine");
    assert.deepEqual(readdirSync(join(top, "below")).toSorted(), ["target", "target.tmp"]);
  }));
