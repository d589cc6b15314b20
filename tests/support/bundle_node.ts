/** The start of a bundle under Node. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { privateFolder } from "../../lib/io/runtime/compile_cache.ts";
import type { Place } from "./bundle_damage.ts";

const TELLS = `process.on("exit", () => {
  const loaded = process.moduleLoadList.join("\\n");
  require("node:fs").writeSync(2, loaded);
});`;

/** A decision under Node makes no streams, asks for no terminal and loads no module: these take half of its time. */
export function startsByItself({ folder }: Place): void {
  const tells = join(folder, "tells.cjs");
  writeFileSync(tells, TELLS);
  const { homedir, uid } = userInfo();
  const homes = privateFolder(homedir, uid) === undefined ? [] : [homedir, homedir];
  // With another HOME no code is kept, and hot.js is a module.
  for (const HOME of [folder, ...homes]) {
    const isKept = HOME !== folder;
    const main = join(folder, "dist/caliban.cjs");
    const words = [`--require=${tells}`, main, "check", "Bash", "ls"];
    const { status, stderr, error } = spawnSync("node", words, {
      cwd: join(folder, "ws"),
      encoding: "utf8",
      env: {
        ...process.env,
        HOME,
        XDG_CONFIG_HOME: folder,
        ...isKept && { NODE_DEBUG: "esm" },
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    if (error !== undefined) return;
    assert.equal(status, 2);
    assert.match(stderr, /NativeModule fs\b/);
    assert.doesNotMatch(stderr, /NativeModule (?:tty|net|stream|zlib|internal\/fs\/streams)\b/);
    if (isKept) assert.doesNotMatch(stderr, /^ESM /m);
  }
}
