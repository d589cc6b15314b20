import { ownCommit, ownProgram, runtimeVersion } from "../io/runtime/own_program.ts";
import type { Runtime } from "../io/runtime/runtime.ts";
import { visible } from "../text/visible.ts";

/** The version of caliban, as in package.json and deno.json. */
export const VERSION = "0.2.0";

/** The version as people see it: `caliban 0.2.0 (commit 0123456789ab, deno 2.9.6, /home/me/caliban/cli.ts)`. */
export function versionLine(runtime: Runtime): string {
  const commit = ownCommit(runtime)?.slice(0, 12);
  const details = [
    ...(commit === undefined ? [] : [`commit ${commit}`]),
    runtimeVersion(runtime),
    visible(ownProgram(runtime).file),
  ];
  return `caliban ${VERSION} (${details.join(", ")})\n`;
}
