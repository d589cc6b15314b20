import assert from "node:assert/strict";
import { test } from "node:test";
import { callPath, type PathContext } from "../../../lib/pattern/path/call_path.ts";
import { CallPaths } from "../../../lib/policy/compile/request_options.ts";

const FOLDERS = ["/home/u/ws", "/home/u/ws/sub", "/home/u", "/data/ws", "/home/u/ws2", "/"];
const NAMES = [
  ".",
  "a.ts",
  "src/a.ts",
  "sub/x",
  "sub",
  "/home/u/ws/a",
  "/etc/passwd",
  "ws/a",
  "a-b/@c+d",
  "HEAD~2:src/a.ts",
  "sub/~u/x",
  "C:/x,y=1%#z",
  "host:/etc/passwd",
];
const REAL = [
  undefined,
  (path: string) => path,
  (path: string) => path.replace("/sub/", "/data/ws/"),
  (path: string) => path.includes("src") ? null : path,
  (path: string) => path.endsWith("/.") ? "/data/other" : path,
  (path: string) => path.endsWith("/.") ? null : "/data/real",
];

test("a path in normal form is read as any other", () => {
  for (const cwd of [...FOLDERS, "/home/u/../u", "relative"]) {
    for (const one of FOLDERS) {
      for (const two of FOLDERS) {
        for (const realPath of REAL) {
          const context: PathContext = {
            platform: "linux",
            workspace: [one, two],
            home: [two],
            ignoreCase: false,
            ...(realPath === undefined ? {} : { realPath }),
          };
          for (const raw of NAMES) {
            const plain = callPath(raw, { cwd, context });
            // Every path takes the long way where file names ignore case.
            const long = callPath(raw, { cwd, context: { ...context, ignoreCase: true } });
            assert.deepEqual(plain, { ...long, folded: [] }, JSON.stringify({ raw, cwd, one }));
          }
        }
      }
    }
  }
});

test("the paths of a call are found by their texts", () => {
  const paths = new CallPaths();
  const context: PathContext = {
    platform: "linux",
    workspace: ["/w"],
    home: [],
    ignoreCase: false,
  };
  const texts = ["a", "", "b", "c", "d"];
  const made = texts.map((text) => callPath(text, { cwd: "/w", context }));
  for (const [at, text] of texts.entries()) {
    assert.equal(paths.get(text), undefined);
    paths.set(text, made[at]!);
  }
  for (const [at, text] of texts.entries()) assert.equal(paths.get(text), made[at]);
});
