import defaults from "../../../defaults/auto-mode.json" with { type: "json" };
import type { CuratedList } from "./auto_mode_file.ts";

/** Where the curated lists are written. */
export const CURATED_PATH = "defaults/auto-mode.toml";

/** The version of the curated lists; it counts up with every change. */
export const CURATED_VERSION: number = defaults.version;

/** One element of a curated list. */
export interface CuratedElement {
  /** Its text. */
  readonly text: string;
  /** Its line in `CURATED_PATH`, from 1. */
  readonly line: number;
  /** Its column there, from 1. */
  readonly column: number;
}

/** A curated list, in the order of its file. */
export function curated(name: CuratedList): readonly CuratedElement[] {
  return defaults[name];
}
