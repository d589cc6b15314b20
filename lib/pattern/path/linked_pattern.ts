import { normalPath } from "./normal_path.ts";
import type { PathContext } from "./path_facts.ts";
import type { PathGlob } from "./path_glob.ts";
import type { PathPattern } from "./path_pattern.ts";

/**
 * The same pattern for where its folder really is: `/bin/**` is `/usr/bin/**` where `/bin` is a link. Undefined when it
 * begins nowhere in particular, when no link is in its literal beginning, or when none can be followed.
 */
export function linkedPattern(pattern: PathPattern, context: PathContext): PathPattern | undefined {
  const { head, rest } = split(pattern.glob);
  const base = baseOf(pattern, context);
  if (base === undefined || head === "" || !context.realPath) return undefined;
  // A root pattern on Windows begins with its drive.
  const written = base === "" || base.endsWith("/") ? base + head : `${base}/${head}`;
  const real = realOf(written, context);
  if (real === undefined || real === written) return undefined;
  const text = real.replace(/^\//, "");
  // Below a base that is a link itself, the base's other spelling is known already.
  const known = pattern.base === "home" ? context.home : context.workspace;
  if (pattern.base !== "root" && known.some((folder) => real === `${folder}/${head}`)) {
    return undefined;
  }
  return { base: "root", glob: joined(text, rest) };
}

function baseOf(pattern: PathPattern, context: PathContext): string | undefined {
  switch (pattern.base) {
    case "root":
      return context.platform === "windows" ? "" : "/";
    case "home":
      return context.home[0];
    case "workspace":
      return context.workspace[0];
    case "plain":
      return undefined;
  }
}

/** The literal beginning up to its last whole segment, and what follows, with its slash. */
function split(glob: PathGlob): { head: string; rest: PathGlob } {
  const [first, ...others] = glob;
  if (first?.kind !== "text") return { head: "", rest: glob };
  if (others.length === 0) return { head: first.text, rest: [] };
  const end = first.text.lastIndexOf("/");
  if (end < 0) return { head: "", rest: glob };
  return {
    head: first.text.slice(0, end),
    rest: [{ kind: "text", text: first.text.slice(end) }, ...others],
  };
}

function joined(text: string, rest: PathGlob): PathGlob {
  const [first, ...others] = rest;
  if (first?.kind !== "text") return [{ kind: "text", text }, ...rest];
  return [{ kind: "text", text: text + first.text }, ...others];
}

const found = new WeakMap<PathContext, Map<string, string | undefined>>();

/** Where the folder really is, found once: many rules begin in the same one. */
function realOf(path: string, context: PathContext): string | undefined {
  let paths = found.get(context);
  if (!paths) found.set(context, paths = new Map());
  if (!paths.has(path)) {
    const real = context.realPath?.(path) ?? null;
    const normal = real === null
      ? undefined
      : normalPath(real, { platform: context.platform, cwd: real });
    paths.set(path, normal?.ok ? normal.path : undefined);
  }
  return paths.get(path);
}
