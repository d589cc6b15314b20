import { type PathStyle, pathStyle, type Platform } from "../../policy/sources/path_style.ts";
import { isNotFound } from "./file_fault.ts";
import { FileError } from "./runtime.ts";

/** The two calls that following links needs; they throw the runtime's own errors. */
export interface LinkCalls {
  /** The platform. */
  readonly platform: Platform;
  /** The real path of something that exists; the path has no `..`. */
  realPath(path: string): string;
  /** The text of a symbolic link. */
  readLink(path: string): string;
}

const MAX_LINKS = 40;

/**
 * `Runtime.realPath` by a runtime's own calls. Walks the segments itself wherever `..` is in the path, because Deno and
 * Node take `link/..` away by text, where the kernel follows `link` first. A link to what does not exist yet counts as
 * its target, since that is what writing through it would create. Null for a path that is not absolute and when a
 * look-up fails for any reason but that nothing is there.
 */
export function realPathBy(calls: LinkCalls, path: string): string | null {
  const style = pathStyle(calls.platform);
  const { root, segments } = style.split(path);
  if (root === "") return null;
  const walk: Walk = { calls, style, real: root, missing: [], links: 0 };
  try {
    return follow(walk, segments);
  } catch {
    // Not swallowed: null is how the port says that the look-up failed, and callers treat it as malformed.
    return null;
  }
}

/**
 * The path as the kernel reads it, `..` resolved after links; the path itself where it has none. Throws FileError when
 * that cannot be told.
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

interface Walk {
  readonly calls: LinkCalls;
  readonly style: PathStyle;
  /** What was walked so far and exists, links followed. */
  real: string;
  /** What was walked so far below `real` and does not exist. */
  missing: string[];
  /** How many links to what does not exist were followed. */
  links: number;
}

function follow(walk: Walk, path: readonly string[]): string | null {
  let rest = path;
  while (rest.length > 0) {
    if (rest[0] === "..") {
      if (walk.missing.pop() === undefined) walk.real = parentOf(walk);
      rest = rest.slice(1);
      continue;
    }
    const end = rest.indexOf("..");
    const run = end < 0 ? rest : rest.slice(0, end);
    const after = rest.slice(run.length);
    // Below what does not exist nothing does.
    const target = walk.missing.length > 0 ? miss(walk, run) : enter(walk, run);
    if (target === undefined) rest = after;
    else if (++walk.links > MAX_LINKS) return null;
    else rest = [...target, ...after];
  }
  return walk.style.join(walk.real, ...walk.missing);
}

/** Walks into the longest part of `run` that exists; returns what to walk instead when a link leads to nothing. */
function enter(walk: Walk, run: readonly string[]): readonly string[] | undefined {
  const start = walk.real;
  let there = 0;
  let missing = run.length + 1;
  // Mostly all of it exists, or all but the last; else halving keeps thousands of missing segments cheap.
  for (let count = run.length; missing - there > 1;) {
    const path = walk.style.join(start, ...run.slice(0, count));
    const real = ifThere(() => walk.calls.realPath(path));
    if (real === undefined) missing = count;
    else {
      walk.real = real;
      there = count;
    }
    count = missing === run.length ? run.length - 1 : (there + missing) >> 1;
  }
  const rest = run.slice(there);
  return linkAt(walk, rest) ?? miss(walk, rest);
}

/** What to walk when the first segment of `run`, which leads to nothing, is a link; `walk.real` is moved to its start. */
function linkAt(walk: Walk, run: readonly string[]): readonly string[] | undefined {
  if (run.length === 0) return undefined;
  const text = ifThere(() => readLinkAt(walk.calls, below(walk, run.slice(0, 1))));
  if (text === undefined) return undefined;
  const { root, segments } = walk.style.split(text);
  if (root !== "") walk.real = root;
  return [...segments, ...run.slice(1)];
}

function readLinkAt({ readLink }: LinkCalls, path: string): string | undefined {
  try {
    return readLink(path);
  } catch (error) {
    // EINVAL: it is there and no link. It appeared since it was looked for, and so is walked as what is missing.
    if (error instanceof Error && "code" in error && error.code === "EINVAL") return undefined;
    throw error;
  }
}

function miss(walk: Walk, run: readonly string[]): undefined {
  walk.missing.push(...run);
}

function below({ style, real }: Walk, segments: readonly string[]): string {
  return style.join(real, ...segments);
}

function parentOf({ style, real }: Walk): string {
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
