import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RUNTIME_VERSION, type Target } from "./targets.ts";

/**
 * Fetches Bun for a platform with npm into a folder, and answers the program's path. Throws Error where the registry does not
 * have it, and for a tarball that is not the one whose hash is known.
 */
export function fetchRuntime(
  { name, runtime, sha512, ending }: Target,
  folder: string,
): string {
  const words = ["pack", `${runtime}@${RUNTIME_VERSION}`, "--json", `--pack-destination=${folder}`];
  const [packed] = JSON.parse(said("npm", [...words, "--loglevel=error"])) as [
    { readonly filename: string },
  ];
  const tarball = join(folder, packed.filename.replace("@", "").replace("/", "-"));
  const hash = createHash("sha512").update(readFileSync(tarball)).digest("base64");
  if (hash !== sha512) {
    throw new Error(`the Bun of ${name} is not the known one: its SHA-512 is ${hash}`);
  }
  said("tar", ["-xzf", tarball, "-C", folder]);
  return join(folder, `package/bin/bun${ending}`);
}

/** The standard output of a program. Throws Error with the first line of what it says when it fails. */
function said(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, [...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 1 << 26,
    });
  } catch (cause) {
    const { stderr } = cause as { readonly stderr?: string };
    const line = (stderr ?? "").split("\n").find((each) => each.trim() !== "");
    throw new Error(`${program} ${args[0]} failed: ${line ?? (cause as Error).message}`, { cause });
  }
}
