import assert from "node:assert/strict";
import { posix, win32 } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import {
  absolutePath,
  normalPath,
  otherReadings,
  relativeTo,
} from "../../../lib/pattern/path/normal_path.ts";

const PIECES = "a,b,..,.,/,\\,//,\\\\,C:,c:,d:/,host,share,x y,ü,e\u0301,?,C$".split(",");
const TEXTS = fc.tuple(
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 7 }),
  fc.constantFrom("", "/"),
).map(([pieces, between]) => pieces.join(between));

/** A path as Node resolves it, in the normal form's slashes, letters and characters. */
function resolved(raw: string, { platform, cwd }: { platform: "linux" | "windows"; cwd: string }) {
  const path = (platform === "linux" ? posix : win32).resolve(cwd, raw).normalize("NFC");
  if (platform === "linux") return path;
  const slashed = path.replaceAll("\\", "/");
  return slashed.startsWith("//")
    ? slashed.replace(/\/$/, "")
    : slashed.replace(/^[a-z]/, (drive) => drive.toUpperCase());
}

test("a path has the normal form that Node gives it, or none", () => {
  const places = fc.constantFrom(
    { platform: "linux", cwd: "/w/x" },
    { platform: "linux", cwd: "/" },
    { platform: "windows", cwd: "C:/w/x" },
    { platform: "windows", cwd: "c:\\" },
    { platform: "windows", cwd: "//host/share/w" },
    { platform: "windows", cwd: "\\\\host\\share" },
  );
  let known = 0;
  fc.assert(fc.property(TEXTS, places, (raw, place) => {
    const found = normalPath(raw, place);
    if (!found.ok) return;
    known++;
    assert.equal(found.path, resolved(raw, place));
  }));
  assert.ok(known > 20);
});

const windows = (raw: string, cwd = "C:/w") => {
  const found = normalPath(raw, { platform: "windows", cwd });
  return found.ok ? found.path : found.detail;
};

test("a path of Windows that may lead elsewhere is malformed,", () => {
  const other = (name: string) => `"${name}" can be another name of some other file`;
  const device = "the path begins with a device prefix";
  for (
    const [raw, detail] of [
      ["//?/C:/x", device],
      ["\\\\.\\x", device],
      ["\\\\?\\", device],
      ["c:x", "the path is relative to a drive's own folder"],
      ["c:", "the path is relative to a drive's own folder"],
      ["//host/../x", other("..")],
      ["//host/share./x", other("share.")],
      ["PROGRA~1/x", other("PROGRA~1")],
      ["x.", other("x.")],
      ["ab:x", other("ab:x")],
    ]
  ) assert.equal(windows(raw!), detail, raw);
});

test("a path is as long as each system opens, and no longer", () => {
  for (
    const [platform, most] of [["linux", 4_096], ["darwin", 4_096], ["windows", 32_768]] as const
  ) {
    const isKnown = (length: number) =>
      normalPath("a".repeat(length), { platform, cwd: platform === "windows" ? "C:/" : "/" }).ok;
    assert.equal(isKnown(most), true);
    assert.equal(isKnown(most + 1), false);
  }
});

test("no .. leads out of a drive or a share, and a path from the root stays there", () => {
  assert.equal(windows("../../../x"), "C:/x");
  assert.equal(windows("//host/share/../x"), "//host/share/x");
  assert.equal(windows("//host//share"), "//host/share");
  assert.equal(windows("\\x", "//host/share/w"), "//host/share/x");
  assert.equal(windows("\\x", "d:/w"), "D:/x");
});

test("a shell of Windows reads a path in its own way", () => {
  const others = (raw: string, cwd = "C:/w") =>
    otherReadings(raw, { platform: "windows", path: windows(raw, cwd), cwd });
  for (
    const [raw, ...readings] of [
      ["a"],
      ["../x"],
      ["../../xy", "/xy"],
      ["../../d/x", "D:/x"],
      ["c:/c/x"],
      ["/c/Users/x", "C:/Users/x"],
      ["/D", "D:/"],
      ["/./c/x", "C:/x"],
      ["/usr/../c/x", "C:/x"],
      ["\\c\\x", "C:/x"],
      ["///c/x", "C:/x"],
      ["/cygdrive/c/x", "C:/x"],
      ["/proc/cygdrive/c/x", "C:/x"],
      ["/mnt/c/x", "C:/x"],
      ["/mnt/data/x", "/mnt/data/x"],
      ["/etc/x", "/etc/x"],
      ["/cd/x", "/cd/x"],
      ["//host", "//host"],
      ["//host/share/x"],
      ["//host/share/../y/x", "//host/y/x"],
      ["//host/C$/x", "C:/x"],
      ["//host/share/../C$/x", "//host/share/C$/x", "C:/x"],
      ["//wsl$/U/mnt/c/x", "C:/x"],
      ["//wsl.localhost/U/mnt/d", "D:/"],
    ]
  ) assert.deepEqual(others(raw!), readings.filter((each) => each !== windows(raw!)), raw);
  assert.deepEqual(others("../y/x", "//host/share"), ["//host/y/x"]);
  assert.deepEqual(others("/etc/x", "//host/share"), ["/etc/x"]);
  assert.deepEqual(otherReadings("/c/x", { platform: "linux", path: "/c/x", cwd: "/" }), []);
});

test("a folder that is not absolute leaves a path unknown", () => {
  for (const [platform, cwd] of [["linux", "w"], ["windows", "w"], ["windows", "/w"]] as const) {
    const { ok } = normalPath("x", { platform, cwd });
    assert.equal(ok, false);
    assert.equal(absolutePath("x", { platform, cwd }), undefined);
  }
});

test("a path is told from one that only begins like the folder", () => {
  assert.equal(relativeTo("/a/b", "/a"), "b");
  assert.equal(relativeTo("/a", "/a"), "");
  assert.equal(relativeTo("/ab", "/a"), undefined);
  assert.equal(relativeTo("/a", "/a/b"), undefined);
  assert.equal(relativeTo("/a", "/"), "a");
  assert.equal(relativeTo("C:/a/b", "C:/"), "a/b");
});
