import { nfc } from "../nfc.ts";
import { failed, type Parsed, parsed } from "../glob.ts";
import { parsePathGlob, type PathGlob, printPathGlob } from "./path_glob.ts";

/**
 * Where a path pattern begins: `root` for `/x` and `C:/x`, `home` for `~/x`, `workspace` for `./x`. A `plain` one (`x/y`)
 * begins at the workspace in an allow rule, anywhere in a deny or ask rule.
 */
export type PathBase = "root" | "home" | "workspace" | "plain";

/** A path pattern: a glob over the path relative to its base. */
export interface PathPattern {
  /** Where it begins. */
  readonly base: PathBase;
  /** What follows the base, without a leading slash. */
  readonly glob: PathGlob;
}

const PREFIX: Readonly<Record<PathBase, string>> = {
  root: "/",
  home: "~/",
  workspace: "./",
  plain: "",
};

/** Reads a path pattern. Fails on what no normalised path can fit: `..` and `.` segments, doubled or final slashes. */
export function parsePathPattern(text: string): Parsed<PathPattern> {
  const { base, rest } = splitBase(nfc(text));
  const at = text.length - rest.length;
  const fault = homeFault(rest) ?? braceFault(rest, base) ?? segmentFault(rest);
  if (fault) return failed(at + fault.at, fault.detail, fault.hint);
  const glob = parsePathGlob(rest);
  if (!glob.ok) return failed(at + glob.error.at, glob.error.detail, glob.error.hint);
  // `\.` is a dot too: the same once more, without escapes that change nothing.
  const hidden = segmentFault(printPathGlob(glob.value));
  if (hidden) return failed(at, hidden.detail, hidden.hint);
  return parsed({ base, glob: glob.value });
}

function splitBase(text: string): { base: PathBase; rest: string } {
  if (text.startsWith("/")) return { base: "root", rest: text.slice(1) };
  if (/^[A-Za-z]:[/]/.test(text)) {
    return { base: "root", rest: text[0]!.toUpperCase() + text.slice(1) };
  }
  if (text === "~" || text === ".") return { base: text === "~" ? "home" : "workspace", rest: "" };
  if (text.startsWith("~/")) return { base: "home", rest: text.slice(2) };
  if (text.startsWith("./")) return { base: "workspace", rest: text.slice(2) };
  return { base: "plain", rest: text };
}

interface Fault {
  readonly at: number;
  readonly detail: string;
  readonly hint: string;
}

function homeFault(rest: string): Fault | undefined {
  if (!/^~[^/]*(\/|$)/.test(rest)) return undefined;
  return {
    at: 0,
    detail: `"${rest.split("/")[0]}" is no home folder that is known`,
    hint: "write ~/… or the absolute path; \\~ for a name that begins with ~",
  };
}

/** `{~/.ssh,/etc}/**` would look for a folder of the name `~`. */
function braceFault(rest: string, base: PathBase): Fault | undefined {
  const options = /^\{([^{}]*)\}/.exec(rest)?.[1]?.split(",") ?? [];
  const begun = options.find((option) => /^(~(\/|$)|\/|\.\/|[A-Za-z]:\/)/.test(option));
  if (base !== "plain" || begun === undefined) return undefined;
  return {
    at: 0,
    detail: `a path cannot begin inside braces, as "${begun}" does`,
    hint: "write one rule for each",
  };
}

function segmentFault(rest: string): Fault | undefined {
  let at = 0;
  const segments = rest.split("/");
  for (const [index, segment] of segments.entries()) {
    if (segment === ".." || segment === ".") {
      return {
        at,
        detail: `"${segment}" fits no path: paths are resolved before they are compared`,
        hint: "write the absolute path, ~/… or ./… for the workspace",
      };
    }
    if (segment === "" && rest !== "") {
      return index === segments.length - 1
        ? {
          at: at - 1,
          detail: "no path ends in a slash",
          hint: `write ${rest}** for everything below`,
        }
        : { at, detail: "an empty segment fits no path", hint: "write one slash" };
    }
    at += segment.length + 1;
  }
  return undefined;
}

/** The canonical text of a path pattern. */
export function printPathPattern(pattern: PathPattern): string {
  const text = printPathGlob(pattern.glob).replace(/^~/, "\\~");
  if (pattern.base === "root" && /^[A-Z]:\//.test(text)) return text;
  return PREFIX[pattern.base] + (pattern.base === "plain" ? guardStart(text) : text);
}

/** A plain glob that would be read as one on a drive has its first character escaped. */
function guardStart(text: string): string {
  return /^[A-Za-z]:\//.test(text) ? `\\${text}` : text;
}
