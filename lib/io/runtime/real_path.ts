import { type PathStyle, pathStyle, type Platform } from "../../policy/sources/path_style.ts";
import { isNotFound, untraced } from "./file_fault.ts";
import { FileError, type Runtime } from "./runtime.ts";

/** The calls for following links; they throw the runtime's own errors. */
export interface LinkCalls {
  readonly platform: Platform;
  /** The real path of something that exists; the path has no `..`. */
  realPath(path: string): string;
  /** The text of a symbolic link. */
  readLink(path: string): string;
}

const MAX_LINKS = 40;

/** Folders of Linux that lead each process elsewhere: its own folder and root, and folders that it has opened. */
const OF_PROCESS =
  /^\/(?:proc\/(?:self|thread-self|\d+)\/(?:task\/\d+\/)?(?:cwd(?:\/|$)|root(?:\/|$)|fd\/[^/]+\/)|dev\/fd\/[^/]+\/)/;

/**
 * `Runtime.realPath` by a runtime's own calls. Resolves the segments itself if `..` is in the path, because Deno and
 * Node remove `link/..` as text, where the kernel follows `link` first. A link to a missing file counts as
 * its target, since writing through it would create that. Null for a path that is not absolute, for one that leads each
 * process elsewhere (`/proc/self/cwd/x`) and if a look-up fails for any reason except a missing file.
 */
export function realPathBy(calls: LinkCalls, path: string): string | null {
  return placeBy(calls, path)?.real ?? null;
}

/** The place of a path: its real path, and whether anything is there. */
export interface RealPlace {
  readonly real: string;
  readonly isThere: boolean;
}

/** As `realPathBy`, and whether anything is there. */
export function placeBy(calls: LinkCalls, path: string): RealPlace | null {
  const style = pathStyle(calls.platform);
  const { root, segments } = style.split(path);
  if (root === "") return null;
  const resolution: Resolution = { calls, style, real: root, missing: [], links: 0 };
  try {
    const real = untraced(() => follow(resolution, segments));
    return real === null ? null : { real, isThere: resolution.missing.length === 0 };
  } catch {
    // Not swallowed: null reports that the look-up failed, and callers treat the path as malformed.
    return null;
  }
}

/**
 * The path as the kernel reads it, `..` resolved after links; the path itself where it has none. Throws FileError when
 * that is unknown.
 */
export function withoutDots(calls: LinkCalls, path: string): string {
  if (!path.includes("..")) return path;
  if (!pathStyle(calls.platform).split(path).segments.includes("..")) return path;
  const real = realPathBy(calls, path);
  if (real !== null) return real;
  throw new FileError(`Cannot read "${path}": its links cannot be followed`, {
    path,
    fault: "other",
  });
}

interface Resolution {
  readonly calls: LinkCalls;
  readonly style: PathStyle;
  /** The part that was resolved so far and exists. */
  real: string;
  /** The missing segments below `real`. */
  missing: string[];
  /** The number of links to missing targets that were followed. */
  links: number;
}

function follow(resolution: Resolution, path: readonly string[]): string | null {
  let rest = path;
  while (rest.length > 0) {
    if (rest[0] === "..") {
      if (resolution.missing.pop() === undefined) resolution.real = parentOf(resolution);
      rest = rest.slice(1);
      continue;
    }
    const end = rest.indexOf("..");
    const run = end < 0 ? rest : rest.slice(0, end);
    const after = rest.slice(run.length);
    if (leadsElsewhere(resolution, { run, after })) return null;
    // Nothing exists below a missing folder.
    const target = resolution.missing.length > 0 ? miss(resolution, run) : enter(resolution, run);
    if (target === undefined) rest = after;
    else if (++resolution.links > MAX_LINKS) return null;
    else rest = [...target, ...after];
  }
  return resolution.style.join(resolution.real, ...resolution.missing);
}

/** True for a path below a folder that is another one for each process. */
function leadsElsewhere(
  resolution: Resolution,
  { run, after }: { readonly run: readonly string[]; readonly after: readonly string[] },
): boolean {
  const path = below(resolution, [...resolution.missing, ...run]);
  if (!path.startsWith("/proc/") && !path.startsWith("/dev/fd/")) return false;
  return OF_PROCESS.test(after.length > 0 ? `${path}/` : path);
}

/** Enters the longest part of `run` that exists; returns the segments to follow instead if a link leads to nothing. */
function enter(resolution: Resolution, run: readonly string[]): readonly string[] | undefined {
  const start = resolution.real;
  let there = 0;
  let missing = run.length + 1;
  // Usually all or all but the last exist; otherwise halving keeps thousands of missing segments cheap.
  for (let count = run.length; missing - there > 1;) {
    const path = resolution.style.join(start, ...run.slice(0, count));
    const real = ifThere(() => resolution.calls.realPath(path));
    if (real === undefined) missing = count;
    else {
      resolution.real = real;
      there = count;
    }
    count = missing === run.length ? run.length - 1 : (there + missing) >> 1;
  }
  const rest = run.slice(there);
  return linkAt(resolution, rest) ?? miss(resolution, rest);
}

/** The segments to follow instead if the first segment of `run`, which leads to nothing, is a link; moves `real` to its start. */
function linkAt(resolution: Resolution, run: readonly string[]): readonly string[] | undefined {
  if (run.length === 0) return undefined;
  const text = ifThere(() => readLinkAt(resolution.calls, below(resolution, run.slice(0, 1))));
  if (text === undefined) return undefined;
  const { root, segments } = resolution.style.split(text);
  if (root !== "") resolution.real = root;
  return [...segments, ...run.slice(1)];
}

function readLinkAt({ readLink }: LinkCalls, path: string): string | undefined {
  try {
    return readLink(path);
  } catch (error) {
    // EINVAL: it exists and is no link. It appeared since the look-up, so it counts as missing.
    if (error instanceof Error && "code" in error && error.code === "EINVAL") return undefined;
    throw error;
  }
}

function miss(resolution: Resolution, run: readonly string[]): undefined {
  resolution.missing.push(...run);
}

function below({ style, real }: Resolution, segments: readonly string[]): string {
  return style.join(real, ...segments);
}

function parentOf({ style, real }: Resolution): string {
  const { root, segments } = style.split(real);
  return style.build({ root, segments: segments.slice(0, -1) });
}

function ifThere<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The places of paths that were followed, and of every folder above them. Its keeper decides how long they hold. */
export type KnownPaths = Map<string, RealPlace>;

/** The calls for following links one by one. */
interface LookCalls extends LinkCalls {
  /** As `stat` of a runtime, but links are not followed: undefined, or an error, if nothing is there. */
  lstat(path: string): { readonly isLink: boolean } | undefined;
}

/** The longest path that is followed one by one, in UTF-16 code units: the system refuses one above 4,096 bytes, wherever it leads. */
const LONGEST = 1_000;

/** A path that is not taken apart as text: with empty segments, dots or a NUL, or in a folder that is no ordinary one. */
const SPECIAL = /\0|\/(?:\.{0,2}(?:\/|$))|^\/(?:dev|proc|sys)(?:\/|$)|^(?!\/)/;

/**
 * As `realPathBy`, folder by folder: what was found for a folder holds for all that is in it, so that below a missing folder nothing
 * is looked up, and in one that is there only the last name. Links and failed looks are left to `realPathBy`.
 */
export function knownRealPath(calls: LookCalls, path: string, known: KnownPaths): string | null {
  const plain = calls.platform === "linux" && path.length <= LONGEST ? plainPath(path) : undefined;
  const place = plain === undefined ? undefined : placeIn({ calls, known }, plain);
  return (place ?? placeBy(calls, path))?.real ?? null;
}

/** A path that can be taken apart as text, without empty segments and single dots; undefined for any other. */
function plainPath(path: string): string | undefined {
  if (!SPECIAL.test(path)) return path;
  const style = pathStyle("linux");
  const plain = style.build(style.split(path));
  return SPECIAL.test(plain) ? undefined : plain;
}

interface Following {
  readonly calls: LookCalls;
  readonly known: KnownPaths;
}

/** The place of a plain path; undefined if a look failed. */
function placeIn(following: Following, path: string): RealPlace | undefined {
  const { known } = following;
  const found = known.get(path);
  if (found !== undefined) return found;
  const slash = path.lastIndexOf("/");
  const folder = slash === 0 ? ROOT : placeIn(following, path.slice(0, slash));
  if (folder === undefined) return undefined;
  const place = placeOf(following, { folder, name: path.slice(slash) });
  if (place !== undefined) known.set(path, place);
  return place;
}

const ROOT: RealPlace = { real: "", isThere: true };

/** The place of a name, with its slash, in a folder. */
function placeOf(
  { calls }: Following,
  { folder, name }: { readonly folder: RealPlace; readonly name: string },
): RealPlace | undefined {
  const real = `${folder.real === "/" ? "" : folder.real}${name}`;
  if (!folder.isThere) return { real, isThere: false };
  try {
    const found = untraced(() => calls.lstat(real));
    return found?.isLink
      ? placeBy(calls, real) ?? undefined
      : { real, isThere: found !== undefined };
  } catch (error) {
    return isNotFound(error) ? { real, isThere: false } : undefined;
  }
}

/** True if a path lies in a folder that is known to be missing: nothing is there. False for one that the system may refuse. */
export function isKnownMissing(path: string, known: KnownPaths): boolean {
  const folder = known.size === 0 ? undefined : folderOf(path);
  return folder !== undefined && known.get(folder)?.isThere === false;
}

/** The folder that a path names by its text; undefined for a path with dots or empty segments, in a folder of devices, or so long that the system may refuse it. */
export function folderOf(path: string): string | undefined {
  if (path.length > LONGEST || SPECIAL.test(path)) return undefined;
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/**
 * True if a path at which nothing is found is, or goes through, a dead link: something is there and cannot be read. Throws
 * FileError if that is unknown.
 */
export function isDangling(runtime: Runtime, path: string): boolean {
  const style = pathStyle(runtime.platform);
  const { root, segments } = style.split(path);
  for (let count = segments.length; count > 0; count--) {
    const part = style.build({ root, segments: segments.slice(0, count) });
    if (runtime.isThere(part)) return runtime.stat(part) === undefined;
  }
  return false;
}
