import { pathStyle } from "./path_style.ts";
import type { Source } from "./source.ts";

/** Rule files named for one run. */
export const flag: Source = {
  kind: "flag",
  writable: "no",
  title: "rule files named for one run",
  where: "--rules FILE, else $CALIBAN_RULES",
  places({ options, env, platform, cwd }) {
    const style = pathStyle(platform);
    const named = options.rules.length > 0 ? options.rules : [env("CALIBAN_RULES") ?? ""];
    // A flag with an empty value is kept, and fails as the folder that it means; an empty variable is one not set.
    return named.filter((path) => path !== "" || options.rules.length > 0)
      .map((path) => ({ kind: "file", path: style.absolute(path, cwd), named: true }));
  },
};
