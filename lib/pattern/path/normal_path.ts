import { nfc } from "../unicode.ts";

/** The path syntax of a machine. */
export interface PathRules {
  /** The platform, which decides on drive letters and backslashes. */
  readonly platform: "linux" | "darwin" | "windows";
}

/** A path in normal form, or the reason why it is malformed. */
export type NormalPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly detail: string };

/** The longest path that each system opens, in UTF-16 code units; a longer one is malformed. */
const MAX_PATH: Readonly<Record<PathRules["platform"], number>> = {
  linux: 4_096,
  darwin: 4_096,
  windows: 32_768,
};

/** Most absolute paths that are in normal form already, and most relative ones. */
const NORMAL = /^(?:\/[\w-][\w.+@-]*)+$/;
const PLAIN = /^[\w-][\w.+@~:,=%#-]*(?:\/[\w-][\w.+@~:,=%#-]*)*$/;

/** True for a path that is its own normal form, but for the folder that a relative one begins in, and for that folder (`.`). */
export function isPlainPathIn(
  raw: string,
  { platform, cwd }: PathRules & { readonly cwd: string },
): boolean {
  if (platform === "windows" || raw.length >= MAX_PATH.linux) return false;
  if (raw.charCodeAt(0) === SLASH) return NORMAL.test(raw);
  return (raw === "." || PLAIN.test(raw)) && isNormal(cwd);
}

const SLASH = 0x2f;

/** The absolute folder that was looked at last; calls mostly stay in one. */
let lastFolder = "";
let isLastNormal = false;

function isNormal(folder: string): boolean {
  if (folder !== lastFolder) {
    lastFolder = folder;
    isLastNormal = NORMAL.test(folder);
  }
  return isLastNormal;
}

/**
 * The normal form of a path: absolute (from `cwd`), with `.`, `..` and doubled slashes resolved as text, in Unicode NFC, with
 * forward slashes, without a final slash, with an upper-case drive letter. `..` at the root is the root.
 */
export function normalPath(raw: string, options: PathRules & { readonly cwd: string }): NormalPath {
  if (options.platform !== "windows" && raw.length < MAX_PATH.linux) {
    const { cwd } = options;
    const path = raw === "." ? cwd : raw.startsWith("/") ? raw : `${cwd}/${raw}`;
    if (NORMAL.test(path)) return { ok: true, path };
  }
  const fault = faultOf(raw, options.platform);
  if (fault !== undefined) return { ok: false, detail: fault };
  const joined = absolutePath(raw, options);
  if (joined === undefined) {
    return { ok: false, detail: `the folder "${options.cwd}" is not absolute` };
  }
  const { root, rest } = splitRoot(joined, options.platform);
  const segments: string[] = [];
  for (const segment of rest.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  const names = [root.split("/")[3] ?? "", ...segments];
  const trick = options.platform === "windows" ? names.find(isWindowsTrick) : undefined;
  if (trick !== undefined) {
    return { ok: false, detail: `"${trick}" can be another name of some other file` };
  }
  const path = nfc(root + segments.join("/"));
  return { ok: true, path: path.startsWith("//") ? path.replace(/\/$/, "") : path };
}

/** The path joined to the cwd, unresolved, with forward slashes on Windows; undefined if cwd is not absolute. */
export function absolutePath(
  raw: string,
  options: PathRules & { readonly cwd: string },
): string | undefined {
  const windows = options.platform === "windows";
  const path = windows ? raw.replaceAll("\\", "/") : raw;
  const cwd = windows ? options.cwd.replaceAll("\\", "/") : options.cwd;
  const start = splitRoot(cwd, options.platform).root;
  if (start === "" || windows && start === "/") return undefined;
  if (windows && path.startsWith("/") && !SHARE.test(path)) return start.replace(/\/$/, "") + path;
  return splitRoot(path, options.platform).root !== "" ? path : `${cwd}/${path}`;
}

function faultOf(raw: string, platform: PathRules["platform"]): string | undefined {
  if (raw === "") return "the path is empty";
  if (raw.includes("\0")) return "the path has a NUL character";
  if (raw.length > MAX_PATH[platform]) {
    return `the path is longer than ${MAX_PATH[platform]} characters`;
  }
  if (!raw.isWellFormed()) return "the path is not well-formed Unicode";
  if (/^[\\/]{2}[?.][\\/]/.test(raw)) return "the path begins with a device prefix";
  if (raw.startsWith("~") && raw !== "~" && !raw.startsWith("~/")) {
    return `"${raw.split("/")[0]}" may be another user's home folder`;
  }
  if (platform === "windows" && /^[A-Za-z]:(?![\\/])/.test(raw)) {
    return "the path is relative to a drive's own folder";
  }
  return undefined;
}

/** The beginning of a path in a share of another machine. */
const SHARE = /^\/\/([^/]+)\/+([^/]+)(?:\/|$)/;

/** Splits off the root: `/`, `C:/`, `//host/share/`, or "" for a relative path. No `..` leads out of it. */
function splitRoot(path: string, platform: PathRules["platform"]): { root: string; rest: string } {
  if (platform !== "windows") {
    return path.startsWith("/") ? { root: "/", rest: path.slice(1) } : { root: "", rest: path };
  }
  const drive = /^([A-Za-z]):\//.exec(path);
  if (drive) return { root: `${drive[1]!.toUpperCase()}:/`, rest: path.slice(3) };
  const share = SHARE.exec(path);
  if (share) return { root: `//${share[1]}/${share[2]}/`, rest: path.slice(share[0].length) };
  return path.startsWith("/") ? { root: "/", rest: path.slice(1) } : { root: "", rest: path };
}

/**
 * The other files that a path of Windows may name, with forward slashes: shells such as Git Bash have one root, above all drives and
 * shares, in which `/c` is a drive, and the share `C$` is one, too. `path` is its normal form.
 */
export function otherReadings(
  raw: string,
  { platform, path, cwd }: PathRules & { readonly path: string; readonly cwd: string },
): readonly string[] {
  if (platform !== "windows") return [];
  const written = raw.replaceAll("\\", "/");
  const folder = cwd.replaceAll("\\", "/").replace(/^([A-Za-z]):(?=\/)/, "/$1");
  const joined = written.startsWith("/") ? written : `${folder}/${written}`;
  const segments: string[] = [];
  for (const segment of joined.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  const inShell = (/^\/\/(?!\/)/.test(joined) ? "//" : "/") + segments.join("/");
  const all = /^[A-Za-z]:/.test(raw) ? [path] : [path, inShell];
  return [...new Set(all.map(onDrive))].filter((each) => each !== path).map(nfc);
}

/** The path on a drive that a name of the drive in a shell, or a share of the whole drive, leads to; else the path itself. */
function onDrive(path: string): string {
  const found = DRIVE.exec(path);
  const drive = found?.[1] ?? found?.[2] ?? found?.[3];
  return drive === undefined ? path : `${drive.toUpperCase()}:/${path.slice(found![0].length)}`;
}

const DRIVE =
  /^(?:\/(?:(?:proc\/)?cygdrive\/|mnt\/|host_mnt\/|run\/desktop\/mnt\/host\/)?([a-z])|\/\/wsl(?:\$|\.localhost)\/[^/]+\/mnt\/([a-z])|\/\/[^/]+\/([a-z])\$)(?:\/|$)/i;

/** True for short 8.3 names, streams, and names whose final dots or spaces Windows drops. */
function isWindowsTrick(segment: string): boolean {
  return /~\d/.test(segment) || segment.includes(":") || /[. ]$/.test(segment);
}

/** `path` relative to `folder`, both normal: "" for the folder itself, undefined if not below it. */
export function relativeTo(path: string, folder: string): string | undefined {
  if (path === folder) return "";
  if (!path.startsWith(folder)) return undefined;
  if (folder.endsWith("/")) return path.slice(folder.length);
  return path[folder.length] === "/" ? path.slice(folder.length + 1) : undefined;
}
