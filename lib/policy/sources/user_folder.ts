import { pathStyle } from "./path_style.ts";
import type { Surroundings } from "./source.ts";

/** One of the folders that a user's environment names. */
export interface UserFolder {
  /** The variable that names it; a relative value is ignored, as the XDG Base Directory Specification says. */
  readonly variable: string;
  /** Where it is below the home directory when the variable does not say. */
  readonly below: readonly string[];
}

/** Absolute path of caliban's folder in a user folder; undefined when neither the variable nor the home is known. */
export function userFolder(surroundings: Surroundings, folder: UserFolder): string | undefined {
  const { platform, home, env } = surroundings;
  const style = pathStyle(platform);
  const named = env(folder.variable) ?? "";
  if (style.isAbsolute(named)) return style.join(named, "caliban");
  return home === undefined ? undefined : style.join(home, ...folder.below, "caliban");
}
