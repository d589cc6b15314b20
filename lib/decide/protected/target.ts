import { matchGlob, parseGlob } from "../../pattern/glob.ts";
import type { CallPath, PathForm } from "../../pattern/path/call_path.ts";
import { ANY_CHAR, ANY_NAME, DEEP } from "../../pattern/path/shell_glob.ts";
import type { Request } from "../../policy/compile/request.ts";
import type { FileUse } from "./file_uses.ts";
import {
  type AnchoredPlace,
  type PlaceStarts,
  type ProtectedPlace,
  type ProtectedPlaces,
  segmentsOf,
} from "./protected_places.ts";

/** The path of an operation, as far as the line or call fixes it. */
export interface Target {
  /** Every reading of its absolute path, by segments. */
  readonly paths: readonly TargetPath[];
  /** True if a segment of it may be the name. */
  readonly fits: (segment: string, name: string) => boolean;
}

interface TargetPath {
  /** From the root; absent when that is not known. */
  readonly absolute?: readonly string[];
  /** From the workspace where it is inside, since a workspace may itself stand in a folder as `.claude`. */
  readonly local: readonly string[];
}

function same(segment: string, name: string): boolean {
  return name.startsWith("*") ? segment.endsWith(name.slice(1)) : segment === name;
}

/** A file whose path is fixed. */
export function fixedTarget(path: CallPath, places: ProtectedPlaces): Target {
  if (!path.ok) return unknownTarget(path.raw, places);
  return { paths: path.forms.map((form) => targetPath(form, places)), fits: same };
}

/**
 * The files that a file name glob may name; links are followed up to its first wildcard. Wildcards of `find`, which match hidden
 * names too, count as those of the shell: `*.json` is most often about other files than `.mcp.json`.
 */
export function globTarget(
  glob: string,
  { request, places }: { request: Request; places: ProtectedPlaces },
): Target {
  const plain = glob.replaceAll(DEEP, "**/").replaceAll(ANY_NAME, "*").replaceAll(ANY_CHAR, "?");
  const segments = plain.match(/(?:\\.|[^/\\])+/gs) ?? [];
  const open = segments.findIndex((segment) => WILD.test(segment));
  const start = segments.slice(0, open < 0 ? segments.length : open).map(unescaped).join("/");
  const rest = open < 0 ? [] : segments.slice(open).map(places.folded);
  const path = request.path(glob.startsWith("/") ? `/${start}` : start === "" ? "." : start);
  if (!path.ok || rest.includes("..")) return textTarget(glob, places);
  const paths = path.forms.map((form) => {
    const { absolute = [], local } = targetPath(form, places);
    return { absolute: [...absolute, ...rest], local: [...local, ...rest] };
  });
  return { paths, fits: mayFit };
}

/** A file that is only partly fixed (`"$dir"/.git/config`): only the segments of its text are known. */
export function textTarget(text: string, places: ProtectedPlaces): Target {
  const path = text.replace(/["'\\]/g, "");
  const local = segmentsOf(path).map(places.folded);
  return { paths: [{ local }], fits: same };
}

/** A malformed path: its text up to a NUL, where C ends it, and on Windows the other names that a file has. */
function unknownTarget(text: string, places: ProtectedPlaces): Target {
  const local = segmentsOf(text.replaceAll("\\", "/"))
    .map((segment) => places.folded(segment.replace(/[:\0].*$/s, "").replace(/(?!^)[. ]+$/, "")));
  return {
    paths: [{ local }],
    fits: (segment, name) => same(segment, name) || /~\d/.test(segment),
  };
}

function targetPath({ root, workspace }: PathForm, { folded }: ProtectedPlaces): TargetPath {
  const absolute = segmentsOf(root).map(folded);
  return {
    absolute,
    local: workspace === undefined ? absolute : segmentsOf(workspace).map(folded),
  };
}

/** True if a file whose path is fixed is certainly no protected place and below none: `placesTouched` finds nothing then. */
export function touchesNone(path: CallPath, { starts, folded }: ProtectedPlaces): boolean {
  if (!path.ok || starts === undefined) return false;
  for (const { root, workspace = root } of path.forms) {
    // The root of a share of Windows has a slash more.
    if (root.startsWith("/") || hasStart(folded(workspace), starts)) return false;
    if (isBelowStart(folded(root), starts)) return false;
  }
  return true;
}

function hasStart(path: string, { names, endings }: PlaceStarts): boolean {
  for (let at = 0; at <= path.length;) {
    const slash = path.indexOf("/", at);
    const end = slash < 0 ? path.length : slash;
    const name = path.slice(at, end);
    if (names.has(name)) return true;
    for (const ending of endings) if (name.endsWith(ending)) return true;
    at = end + 1;
  }
  return false;
}

function isBelowStart(path: string, { paths, firsts }: PlaceStarts): boolean {
  for (let at = 0; at <= path.length;) {
    const slash = path.indexOf("/", at);
    const end = slash < 0 ? path.length : slash;
    const start = path.slice(0, end);
    if (paths.has(start)) return true;
    if (at === 0 && !firsts.has(start)) return false;
    at = end + 1;
  }
  return false;
}

/** The protected places that a target is, or is below. */
export function placesTouched(
  { paths, fits }: Target,
  { anywhere, anchored }: ProtectedPlaces,
): readonly ProtectedPlace[] {
  const holdsAt = (
    segments: readonly string[],
    { names, at }: { names: readonly string[]; at: number },
  ) =>
    names.every((name, index) => {
      const segment = segments[at + index];
      return segment !== undefined && fits(segment, name);
    });
  const inside = anywhere.filter(({ segments: names }) =>
    paths.some(({ local }) => local.some((_, at) => holdsAt(local, { names, at })))
  );
  const below = anchored.filter(({ segments: names }) =>
    paths.some(({ absolute }) => absolute !== undefined && holdsAt(absolute, { names, at: 0 }))
  );
  return unique([...inside, ...below]);
}

/** The protected places that a folder is known to hold: removing or moving it removes or moves them. */
export function placesHeld(
  { paths, fits }: Target,
  { anchored, workspace }: ProtectedPlaces,
): readonly ProtectedPlace[] {
  const holds = ({ absolute }: TargetPath, names: readonly string[]) =>
    absolute !== undefined && absolute.length <= names.length &&
    absolute.every((segment, index) => fits(segment, names[index]!));
  return unique(
    [...anchored, ...workspace].filter(({ segments }) =>
      paths.some((path) => holds(path, segments))
    ),
  );
}

/** The folders of a home that programs keep their data in. */
const DATA = /^(?:\..*|appdata|library)$/i;

/** The places of several names at any depth that a folder is the beginning of: of `web/.github`, `.github/workflows`. */
function placesBegun(
  { paths, fits }: Target,
  { anywhere }: ProtectedPlaces,
): readonly ProtectedPlace[] {
  const begins = ({ local }: TargetPath, names: readonly string[]) =>
    names.slice(1).some((_, index) => {
      const start = names.slice(0, index + 1);
      const end = local.slice(-start.length);
      // `caliban` is the name of a program and of a project, too.
      if (!start[0]!.startsWith(".") && !local.some((segment) => DATA.test(segment))) return false;
      return end.length === start.length && end.every((segment, at) => fits(segment, start[at]!));
    });
  return unique(
    anywhere.filter(({ segments }) => paths.some((path) => begins(path, segments))),
  );
}

/** The places that a folder holds which is removed, moved, changed or linked to with everything in it. */
export function heldBy(
  { does }: FileUse,
  { target, places }: { target: Target; places: ProtectedPlaces },
): readonly ProtectedPlace[] {
  switch (does) {
    case "removes":
    case "moves":
      return placesHeld(target, places);
    case "changes":
      // A workspace's own files may well be changed in one go, but not a home folder or the machine.
      return placesHeld(target, { ...places, workspace: [] });
    case "links to":
      // Below a link, the names of files show, but not those of the folders that it leads through.
      return [...placesHeld(target, { ...places, workspace: [] }), ...placesBegun(target, places)];
    case "writes":
    case "may write":
      return [];
  }
}

/**
 * A folder that holds far more than protected files, as a clause about it: the file system, the home folder, the workspace,
 * what holds them, a top-level folder. Undefined for any other.
 */
export function broadFolder(
  { paths }: Target,
  { home, workspace }: ProtectedPlaces,
): string | undefined {
  // `/*` and `~/*` take nearly all that the folder takes.
  const folders = paths.flatMap(({ absolute }) =>
    absolute === undefined ? [] : [absolute.at(-1) === "*" ? absolute.slice(0, -1) : absolute]
  );
  const own = workspace.map(({ segments }) => segments);
  const isOneOf = (all: readonly (readonly string[])[]) =>
    folders.some((folder) => all.some((each) => isWithin(each, folder) && isWithin(folder, each)));
  const holdsOneOf = (all: readonly (readonly string[])[]) =>
    folders.some((folder) => all.some((each) => isWithin(each, folder)));
  if (folders.some(({ length }) => length === 0)) return "the whole file system";
  if (isOneOf(home)) return "the home folder with everything in it";
  if (holdsOneOf(home)) return "which holds the home folder";
  if (isOneOf(own)) return "the workspace with everything in it";
  if (holdsOneOf(own)) return "which holds the workspace";
  return folders.some(({ length }) => length === 1) ? "a top-level folder" : undefined;
}

function isWithin(path: readonly string[], folder: readonly string[]): boolean {
  return folder.every((segment, index) => path[index] === segment);
}

function unique(found: readonly AnchoredPlace[]): readonly ProtectedPlace[] {
  return [...new Set(found.map(({ place }) => place))];
}

const WILD = /(?:^|[^\\])(?:\\\\)*[*?[({]/;

function unescaped(segment: string): string {
  return segment.replace(/\\(.)/gs, "$1");
}

/** True if a segment of a file name glob may match a name; a wildcard does not match a leading dot. */
function mayFit(segment: string, name: string): boolean {
  if (!WILD.test(segment)) return same(unescaped(segment), name);
  if (name.startsWith("*")) return namesKind(segment, name.slice(1));
  if (/[({]/.test(segment)) return mayFitExtended(segment, name);
  if (name.startsWith(".") && /^[*?[]/.test(segment)) return false;
  const glob = parseGlob(segment.replace(/\[(?:\\.|[^\]\\])*\]/gs, "?"));
  return !glob.ok || matchGlob(glob.value, name);
}

/** A dot that may be the first character of a name: behind groups that may be empty, or at the start of an option. */
const LEADING_DOT = /^\\?\.|^[?*+@!]?[({](?:.*[(|,{)}])?\\?\./s;

/** The same for a segment with an extended glob (`.@(git|x)`) or braces, whose groups may be any text. */
function mayFitExtended(segment: string, name: string): boolean {
  let plain = segment;
  for (let depth = 0; depth < MOST_GROUPS && /[({]/.test(plain); depth++) {
    plain = plain.replace(/[?*+@!]?\([^()]*\)|\{[^{}]*\}/g, "*");
  }
  if (/[({]/.test(plain)) return true;
  if (name.startsWith(".") && !LEADING_DOT.test(segment)) return false;
  // A bracket that is left over closes what stands around the word: `$(echo .@(git))`.
  const glob = parseGlob(plain.replace(/\[(?:\\.|[^\]\\])*\]/gs, "?").replace(/\)+$/, ""));
  return !glob.ok || matchGlob(glob.value, name);
}

/** Groups that are nested more deeply may match any name. */
const MOST_GROUPS = 8;

/** True if a glob may match a file with an ending, and some literal part of it is about that ending: `*` and `src*` are not. */
function namesKind(segment: string, suffix: string): boolean {
  const parts = segment.split(/[*?[\](){}|,!]+/).map(unescaped);
  const end = parts.at(-1)!;
  if (end !== "") return end.endsWith(suffix) || suffix.endsWith(end);
  return parts.some((part) => part.length > 1 && isPartly(part, suffix));
}

/** True if a text has an ending in it, is a part of it, or ends in its first two characters or more. */
function isPartly(part: string, suffix: string): boolean {
  if (part.includes(suffix) || suffix.includes(part)) return true;
  const first = part.lastIndexOf(suffix.slice(0, 2));
  return first >= 0 && suffix.startsWith(part.slice(first));
}
