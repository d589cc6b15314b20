import defaults from "../../../defaults/protected.json" with { type: "json" };
import type { SourceKind } from "../../model/source.ts";

/** A file or folder that steers the agent, or that runs by itself; everything below it counts too. */
export interface ProtectedPlace {
  /** Where it is: at any depth, in the home folder, or at its absolute path. */
  readonly base: "any" | "home" | "root";
  /** The names on the way to it; at least one. */
  readonly names: readonly string[];
  /** What it does, for people. */
  readonly why: string;
  /** Kinds of sources whose rules do not count as naming it. */
  readonly notBy: readonly SourceKind[];
}

interface ProtectedDefaults {
  readonly verbs: readonly (readonly string[])[];
  readonly places: readonly ProtectedPlace[];
}

const DEFAULTS = defaults as ProtectedDefaults;

/** The places of `defaults/protected.toml`, in its order. */
export const PLACES: readonly ProtectedPlace[] = DEFAULTS.places;

/** The verbs of caliban that write rules or what rules go by, word by word. */
export const WRITING_VERBS: readonly (readonly string[])[] = DEFAULTS.verbs;

/** A place as people write it: `.git`, `~/.ssh`, `/etc/caliban`. */
export function placeName({ base, names }: ProtectedPlace): string {
  const path = names.join("/");
  if (base === "home") return `~/${path}`;
  return base === "root" && !/^[A-Z]:/.test(path) ? `/${path}` : path;
}
