import { nfc } from "../unicode.ts";
import { failed, type Parsed, parsed } from "../glob.ts";
import { parsePathGlob, type PathGlob, printPathGlob } from "./path_glob.ts";

/**
 * The folder at which a path pattern begins: `root` for `/x` and `C:/x`, `home` for `~/x`, `workspace` for `./x`. A `plain`
 * one (`x/y`) begins at the workspace in an allow rule, anywhere in a deny or ask rule.
 */
export type PathBase = "root" | "home" | "workspace" | "plain";

/** A path pattern: a glob over the path relative to its base. */
export interface PathPattern {
  readonly base: PathBase;
  /** The glob below the base, without a leading slash. */
  readonly glob: PathGlob;
}

const PREFIX: Readonly<Record<PathBase, string>> = {
  root: "/",
  home: "~/",
  workspace: "./",
  plain: "",
};

/** Parses a path pattern. Fails on one that no normal path can match: `..` and `.` segments, doubled or final slashes. */
export function parsePathPattern(text: string): Parsed<PathPattern> {
  const { base, rest } = splitBase(nfc(text));
  const at = text.length - rest.length;
  const fault = homeFault(rest) ?? braceFault(rest, base) ?? segmentFault(rest);
  if (fault) return failed(at + fault.at, fault.detail, fault.hint);
  const glob = parsePathGlob(rest);
  if (!glob.ok) return failed(at + glob.error.at, glob.error.detail, glob.error.hint);
  // `\.` is a dot too, so check the text once more without needless escapes.
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
    detail: `"${rest.split("/")[0]}" is not a known home folder`,
    hint: "write ~/… or the absolute path; \\~ for a name that begins with ~",
  };
}

/** `{~/.ssh,/etc}/**` would mean a folder named `~`. */
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
        detail: `"${segment}" matches no path: paths are resolved before they are compared`,
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
        : { at, detail: "an empty segment matches no path", hint: "write one slash" };
    }
    at += segment.length + 1;
  }
  return undefined;
}

/** The canonical text of a path pattern. */
export function printPathPattern(pattern: PathPattern): string {
  const text = printPathGlob(pattern.glob).replace(/^~/, "\\~");
  if (pattern.base === "root" && /^[A-Z]:\//.test(text)) return text;
  return PREFIX[pattern.base] + (pattern.base === "plain" ? escapeDrive(text) : text);
}

/** Escapes the first character of a plain glob that looks like one on a drive. */
function escapeDrive(text: string): string {
  return /^[A-Za-z]:\//.test(text) ? `\\${text}` : text;
}
