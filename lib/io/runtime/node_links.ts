import type { LinkCalls } from "./real_path.ts";
import type { Runtime } from "./runtime.ts";

/** The calls with which Bun, Node and Deno's Node layer follow links. */
export function linksBy(
  { realpathSync, readlinkSync }: Pick<typeof import("node:fs"), "realpathSync" | "readlinkSync">,
): LinkCalls {
  return {
    platform: platformOf(process.platform),
    realPath: (path) => realpathSync.native(path),
    readLink: (path) => readlinkSync(path),
  };
}

function platformOf(os: string): Runtime["platform"] {
  if (os === "win32") return "windows";
  return os === "darwin" ? "darwin" : "linux";
}
