import type { SourceKind } from "../../model/source.ts";
import type { SourceEntry } from "../../model/source_entry.ts";
import { foldCase } from "../../pattern/fold_case.ts";
import type { PathContext } from "../../pattern/path/path_facts.ts";
import type { Policy } from "../../policy/compile/policy.ts";
import type { Request } from "../../policy/compile/facts.ts";
import { PLACES, type ProtectedPlace } from "./protected_place.ts";

/** A place together with one absolute path of it, by segments. */
export interface AnchoredPlace {
  /** The place. */
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
  /** Segments as they are compared. */
  readonly folded: (segment: string) => string;
}

const known = new WeakMap<Policy, ProtectedPlaces>();

/** The places for one policy; links are followed when they are first asked for. */
export function protectedPlaces(policy: Policy): ProtectedPlaces {
  let places = known.get(policy);
  if (!places) known.set(policy, places = findPlaces(policy));
  return places;
}

function findPlaces(policy: Policy): ProtectedPlaces {
  const { context } = policy;
  const folded = context.ignoreCase ? foldCase : (segment: string) => segment;
  const request = policy.request({ tool: "Write", input: {} });
  const all = [...PLACES, ...policy.sources.entries.flatMap(policyFile)];
  const anywhere = all.flatMap((place) =>
    place.base === "any" || place.base === "home" && context.home.length === 0
      ? [{ place, segments: place.names.map(folded) }]
      : []
  );
  const anchored = all.flatMap((place) =>
    place.base === "any" ? [] : pathsOf(place, { facts: request, context }).map((segments) => ({
      place,
      segments: segments.map(folded),
    }))
  );
  const root = anywhere[0]!.place;
  const workspace = context.workspace.map((path) => ({
    place: root,
    segments: segmentsOf(path).map(folded),
  }));
  return { anywhere, anchored, workspace, folded };
}

/** The absolute paths of a place: as it is written, and where its links lead. */
function pathsOf(
  { base, names }: ProtectedPlace,
  { facts: request, context }: { facts: Request; context: PathContext },
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
  const why = kind === "user" ? "it holds the user's rules" : "it holds rules";
  // Beside the user's rules stands what else is the user's to say: auto-mode.toml.
  const own = names.at(-2) === "caliban" ? names.slice(0, -1) : names;
  return own.length === 0 ? [] : [{ base: "root", names: own, why, notBy: NOT_BY }];
}

/** The names between the slashes. */
export function segmentsOf(path: string): readonly string[] {
  return path.split("/").filter((name) => name !== "");
}
