import {
  hooksOfSources,
  placedHooks,
  type SourceHooks,
} from "../../gate/hooks/hooks_of_sources.ts";
import { readHooksJson } from "../../gate/hooks/read_hooks.ts";
import { isUntrusted } from "../../policy/sources/entry_text.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { POLICY_FOLDER } from "../../policy/sources/source.ts";
import { userConfigFolder } from "../../policy/sources/source_order.ts";
import { HOOKS_FILE } from "../../policy/sources/trust.ts";
import { FileError, LoadError, type Runtime } from "../runtime/runtime.ts";
import { isLinkedOut, unquotedProblems } from "./linked_out.ts";
import { loadLooks } from "./load_looks.ts";
import type { LoadedPolicy } from "./load_policy.ts";
import { readPlace, WORKSPACE_BOUND } from "./read_places.ts";
import { isTrustRecorded } from "./trust_files.ts";

/** The policy whose hooks are read. */
export type HooksPolicy = Pick<LoadedPolicy, "sources" | "location" | "isTrustGiven">;

/**
 * The hooks of a policy's files and of the hooks.json of workspace and user. Those of an untrusted workspace are among the
 * untrusted. Throws LoadError if a hooks.json cannot be read; what is wrong in one is among the problems.
 */
export async function readHooks(
  runtime: Runtime,
  policy: HooksPolicy,
): Promise<SourceHooks> {
  const own = hooksOfSources(policy.sources.entries);
  const looking = loadLooks(runtime);
  try {
    const read = await Promise.all(
      placesOf(looking, policy).map((place) => hooksAt(looking, place, policy)),
    );
    const all = [own, ...read];
    return {
      hooks: all.flatMap(({ hooks }) => hooks),
      untrusted: all.flatMap(({ untrusted }) => untrusted),
      problems: all.flatMap(({ problems }) => problems),
    };
  } catch (error) {
    throw error instanceof FileError ? new LoadError([error]) : error;
  }
}

interface HooksPlace {
  readonly kind: "project" | "user";
  readonly path: string;
}

function placesOf(
  runtime: Runtime,
  { location, sources }: HooksPolicy,
): readonly HooksPlace[] {
  const { platform, workspace, home } = location;
  const { join } = pathStyle(platform);
  const env = (name: string) => runtime.env(name);
  const folder = userConfigFolder({ platform, home, env });
  const places: readonly HooksPlace[] = [
    { kind: "project", path: join(workspace, POLICY_FOLDER, HOOKS_FILE) },
    ...(folder === undefined ? [] : [{ kind: "user", path: join(folder, HOOKS_FILE) } as const]),
  ];
  // A source that is switched off (--no-user) has no hooks either.
  const isOff = (kind: HooksPlace["kind"]) =>
    sources.entries.some((entry) => entry.kind === kind && entry.state === "off");
  return places.filter(({ kind }) => !isOff(kind));
}

const NONE: SourceHooks = { hooks: [], untrusted: [], problems: [] };

async function hooksAt(
  runtime: Runtime,
  { kind, path }: HooksPlace,
  { location, isTrustGiven }: HooksPolicy,
): Promise<SourceHooks> {
  const bound = kind === "project" ? { most: WORKSPACE_BOUND.bytes } : {};
  const whole = readPlace(runtime, { path, named: false, ...bound });
  if (whole === undefined) return NONE;
  const text = whole.replace(/^\ufeff/, "");
  // The text that runs is the text that was hashed.
  const trusted = kind === "user" || isTrustGiven ||
    await isTrustRecorded(runtime, { location, texts: new Map([[path, whole]]) });
  const entry = { kind, path, text, state: "read", trusted } as const;
  const read = readHooksJson(text);
  const { hooks, problems } = isLinkedOut(runtime, path, location)
    ? placedHooks({ ...read, problems: unquotedProblems(read.problems) }, { ...entry, text: "" })
    : placedHooks(read, entry);
  return isUntrusted(entry)
    ? { hooks: [], untrusted: hooks, problems }
    : { hooks, untrusted: [], problems };
}
