import { pathStyle } from "./path_style.ts";
import type { Place, Source, Surroundings } from "./source.ts";
import { SourceError } from "./source_error.ts";

/** What an administrator sets for every user of the machine. */
export const managed: Source = {
  kind: "managed",
  writable: "no",
  title: "what an administrator sets for every user of the machine",
  where:
    "/etc/caliban/permissions.toml (%ProgramData%\\caliban\\, /Library/Application Support/caliban/), then $CALIBAN_MANAGED_FILE",
  places(surroundings) {
    const named = surroundings.env("CALIBAN_MANAGED_FILE");
    const machine: Place = { kind: "file", path: machineFile(surroundings), named: false };
    if (named === undefined || named === "") return [machine];
    // A relative path would let whoever chooses the current directory choose the highest rules.
    if (!pathStyle(surroundings.platform).isAbsolute(named)) {
      throw new SourceError(
        `Cannot use CALIBAN_MANAGED_FILE "${named}": it is not an absolute path`,
      );
    }
    return [machine, { kind: "file", path: named, named: true }];
  },
};

function machineFile({ platform, env }: Surroundings): string {
  const style = pathStyle(platform);
  switch (platform) {
    case "linux":
      return "/etc/caliban/permissions.toml";
    case "darwin":
      return "/Library/Application Support/caliban/permissions.toml";
    case "windows": {
      const folder = env("ProgramData") ?? "";
      const base = style.isAbsolute(folder) ? folder : "C:\\ProgramData";
      return style.join(base, "caliban", "permissions.toml");
    }
  }
}
