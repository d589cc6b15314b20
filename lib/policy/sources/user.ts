import { pathStyle } from "./path_style.ts";
import type { Source, Surroundings } from "./source.ts";
import { SourceError } from "./source_error.ts";
import { userFolder } from "./user_folder.ts";

/** A person's own rules for every workspace. */
export const user: Source = {
  kind: "user",
  writable: "file",
  title: "a person's own rules for every workspace",
  where:
    "$XDG_CONFIG_HOME/caliban/permissions.toml, else ~/.config/caliban/permissions.toml (%APPDATA%\\caliban\\)",
  places(surroundings) {
    const path = userFile(surroundings);
    if (surroundings.options.off.includes("user")) {
      const shown = path ?? "~/.config/caliban/permissions.toml";
      return [{ kind: "off", path: shown, note: "--no-user" }];
    }
    // Going on would be going on without the user's denies.
    if (path === undefined) throw new SourceError(missing(surroundings));
    return [{ kind: "file", path, named: false }];
  },
};

function userFile(surroundings: Surroundings): string | undefined {
  const folder = surroundings.platform === "windows"
    ? userFolder(surroundings, { variable: "APPDATA", below: ["AppData", "Roaming"] })
    : userFolder(surroundings, { variable: "XDG_CONFIG_HOME", below: [".config"] });
  return folder && pathStyle(surroundings.platform).join(folder, "permissions.toml");
}

function missing({ platform }: Surroundings): string {
  const names = platform === "windows" ? "APPDATA nor USERPROFILE" : "XDG_CONFIG_HOME nor HOME";
  return `Cannot find the user's rules: neither ${names} is set to an absolute path; ` +
    "set one or pass --no-user";
}
