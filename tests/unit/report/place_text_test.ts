import assert from "node:assert/strict";
import { test } from "node:test";
import { pathText } from "../../../lib/report/place_text.ts";

const HOME = "/home/u";
const WORKSPACE = "/home/u/ws";

/** Folders to tell from, the path, and how it is told there. */
const TOLD: readonly (readonly [from: string | undefined, path: string, told: string])[] = [
  [undefined, "/home/u/ws/.caliban/a.toml", ".caliban/a.toml"],
  [undefined, "/home/u/a.toml", "~/a.toml"],
  ["/home/u/ws", "/home/u/ws/.caliban/a.toml", ".caliban/a.toml"],
  ["/home/u/ws/src/lib", "/home/u/ws/.caliban/a.toml", "../../.caliban/a.toml"],
  ["/home/u/ws/src/lib", "/home/u/ws/src/a.toml", "../a.toml"],
  ["/home/u/ws/src", "/home/u/ws/src-2/a.toml", "../src-2/a.toml"],
  ["/home/u", "/home/u/ws/a.toml", "ws/a.toml"],
  ["/home/u/other", "/home/u/ws/a.toml", "../ws/a.toml"],
  ["/home/u/other", "/home/u/other/a.toml", "a.toml"],
  ["/home/u/other", "/home/u/.config/a.toml", "~/.config/a.toml"],
  ["/tmp/x", "/home/u/ws/a.toml", "~/ws/a.toml"],
  ["/tmp/x", "/etc/a.toml", "/etc/a.toml"],
];

test("a path is told from the folder that it is told from", () => {
  for (const [from, path, told] of TOLD) {
    const folders = { workspace: WORKSPACE, home: HOME, ...(from === undefined ? {} : { from }) };
    assert.equal(pathText(path, folders), told, `${from} ${path}`);
  }
  const windows = { workspace: "C:\\ws", from: "C:\\ws\\src" };
  assert.equal(pathText("C:\\ws\\.caliban\\a.toml", windows), "..\\.caliban\\a.toml");
  assert.equal(pathText("C:\\ws\\a.toml", { workspace: "C:\\ws", from: "D:\\" }), "C:\\ws\\a.toml");
});
