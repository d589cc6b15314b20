import defaults from "../../../defaults/protected.json" with { type: "json" };
import type { SourceKind } from "../../model/call.ts";
import type { SourceEntry } from "../../model/rule.ts";
import type { PathContext } from "../../pattern/path/call_path.ts";
import { foldCase } from "../../pattern/unicode.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import type { Request } from "../../policy/compile/request.ts";

/** A place together with one absolute path of it, by segments. */
export interface AnchoredPlace {
  readonly place: ProtectedPlace;
  /** The segments of its absolute path, folded where the platform does not tell cases apart. */
  readonly segments: readonly string[];
}

/** Everything protected on the machine that a policy is for. */
export interface ProtectedPlaces {
  /** Those at any depth, their names folded where the platform does not tell cases apart. */
  readonly anywhere: readonly AnchoredPlace[];
  /** Those at a path, written and with links followed. */
  readonly anchored: readonly AnchoredPlace[];
  /** The workspace, which is known to hold rules or a repository; each of its spellings. */
  readonly workspace: readonly AnchoredPlace[];
  /** The home folder, each of its spellings by segments. */
  readonly home: readonly (readonly string[])[];
  /** Segments as they are compared. */
  readonly folded: (segment: string) => string;
  /** The beginnings of all of them, to tell soon that a path is none of them. */
  readonly starts: PlaceStarts | undefined;
}

/** The beginnings of places; undefined where one of them begins everywhere. */
export interface PlaceStarts {
  /** The first names of those at any depth. */
  readonly names: ReadonlySet<string>;
  /** The ends of such names, where any text may stand before them. */
  readonly endings: readonly string[];
  /** The paths of the others, without a slash at the start, and the first name of each. */
  readonly paths: ReadonlySet<string>;
  readonly firsts: ReadonlySet<string>;
}

function startsOf(
  { anywhere, anchored }: Pick<ProtectedPlaces, "anywhere" | "anchored">,
): PlaceStarts | undefined {
  const isOpen = anchored.some(({ segments }) =>
    segments.length === 0 || segments.some((name) => name.startsWith("*"))
  );
  if (isOpen) return undefined;
  const names = anywhere.map(({ segments }) => segments[0]!);
  return {
    names: new Set(names),
    endings: names.flatMap((name) => name.startsWith("*") ? [name.slice(1)] : []),
    paths: new Set(anchored.map(({ segments }) => segments.join("/"))),
    firsts: new Set(anchored.map(({ segments }) => segments[0]!)),
  };
}

/** The places for one policy; links are followed on first use. */
export function protectedPlaces(policy: CompiledPolicy): ProtectedPlaces {
  return policy.derived(findPlaces);
}

function findPlaces(policy: CompiledPolicy): ProtectedPlaces {
  const { context } = policy;
  const folded = context.ignoreCase ? foldCase : (segment: string) => segment;
  const request = policy.request({ tool: "Write", input: {} });
  const all = [...allPlaces(), ...policy.sources.entries.flatMap(policyFile)];
  const anywhere = all.flatMap((place) =>
    place.base === "any" || place.base === "home" && context.home.length === 0
      ? [{ place, segments: place.names.map(folded) }]
      : []
  );
  const anchored = all.flatMap((place) =>
    place.base === "any" ? [] : pathsOf(place, { request, context }).map((segments) => ({
      place,
      segments: segments.map(folded),
    }))
  );
  const root = anywhere[0]!.place;
  const workspace = context.workspace.map((path) => ({
    place: root,
    segments: segmentsOf(path).map(folded),
  }));
  const home = context.home.map((path) => segmentsOf(path).map(folded));
  const starts = startsOf({ anywhere, anchored });
  return { anywhere, anchored, workspace, home, folded, starts };
}

/** The absolute paths of a place: as it is written, and where its links lead. */
function pathsOf(
  { base, names }: ProtectedPlace,
  { request, context }: { request: Request; context: PathContext },
): readonly (readonly string[])[] {
  const folders = base === "home" ? context.home : [""];
  return folders.flatMap((folder) => {
    const drive = /^[A-Z]:$/.test(names[0]!);
    if (drive !== (context.platform === "windows") && base === "root") return [];
    const written = `${folder}${drive ? "" : "/"}${names.join("/")}`;
    const path = request.path(written);
    const paths = path.ok ? path.forms.map(({ root }) => segmentsOf(root)) : [];
    return [segmentsOf(written), ...paths];
  });
}

const FILES: readonly SourceKind[] = ["managed", "user", "flag"];
const NOT_BY: readonly SourceKind[] = ["project", "local"];

/** The policy files that stand outside the workspace's own folder, wherever the environment puts them. */
function policyFile({ kind, path, state }: SourceEntry): readonly ProtectedPlace[] {
  if (!FILES.includes(kind) || state === "off" || !/^(?:\/|[A-Za-z]:)/.test(path)) return [];
  const names = segmentsOf(path.replaceAll("\\", "/"));
  const why = kind === "user" ? "it contains the user's rules" : "it contains rules";
  // The folder of the user's rules holds the user's auto-mode.toml too.
  const own = names.at(-2) === "caliban" ? names.slice(0, -1) : names;
  return own.length === 0 ? [] : [{ base: "root", names: own, why, notBy: NOT_BY }];
}

/** The names between the slashes. */
export function segmentsOf(path: string): readonly string[] {
  return path.split("/").filter((name) => name !== "");
}

/** A file or folder that steers the agent, or that runs by itself; everything below it counts too. */
export interface ProtectedPlace {
  /** `any`: at any depth. `home`: in the home folder. `root`: at its absolute path. */
  readonly base: "any" | "home" | "root";
  /** The names on the way to it; at least one. A "*" at the start of a name stands for any text. */
  readonly names: readonly string[];
  /** Why it is protected, for people. */
  readonly why: string;
  /** True if a line that only names it does not count, as many do. */
  readonly byPath?: true;
  /** Kinds of sources whose rules do not count as naming it. */
  readonly notBy: readonly SourceKind[];
}

interface ProtectedDefaults {
  readonly verbs: readonly (readonly string[])[];
  /** The words of each command with blanks between. */
  readonly writes: readonly (Omit<CommandWrites, "words"> & {
    readonly commands: readonly string[];
  })[];
  readonly places: readonly ProtectedPlace[];
}

/** A command that writes protected files without naming them. */
export interface CommandWrites {
  /** The program, its sub-commands and the options without which it does not. */
  readonly words: readonly string[];
  /** For people: the end of “it runs …, which …”. */
  readonly why: string;
  /** Words with which it writes nothing. */
  readonly unless: readonly string[];
}

const DEFAULTS = defaults as ProtectedDefaults;

/** The places of `defaults/protected.toml`, in its order. */
export const allPlaces = (): readonly ProtectedPlace[] => DEFAULTS.places;

/** The verbs of caliban that write rules or what rules go by, word by word. */
export const writingVerbs = (): readonly (readonly string[])[] => DEFAULTS.verbs;

/** The commands of a program that write protected files without naming them, in the order of the table. */
export function writingCommands(program: string): readonly CommandWrites[] {
  const runs = (command: string) => {
    const end = command.indexOf(" ");
    return (end < 0 ? command.length : end) === program.length && command.startsWith(program);
  };
  return DEFAULTS.writes.flatMap(({ commands, why, unless }) =>
    commands.filter(runs).map((command) => ({ words: command.split(" "), why, unless }))
  );
}

/** A place as people write it: `.git`, `~/.ssh`, `/etc/caliban`. */
export function placeName({ base, names }: ProtectedPlace): string {
  const path = names.join("/");
  if (base === "home") return `~/${path}`;
  return base === "root" && !/^[A-Z]:/.test(path) ? `/${path}` : path;
}
