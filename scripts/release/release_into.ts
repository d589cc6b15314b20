import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { VERSION } from "../../lib/cli/version.ts";
import { packInto } from "../pack/pack_into.ts";
import { checkReplaceable, replaceFolder } from "../replace_folder.ts";
import { compileInto } from "./compile_into.ts";
import { fetchRuntime } from "./fetch_runtime.ts";
import { machSignature, withoutSignature } from "./mach_signature.ts";
import type { Target } from "./targets.ts";

/** The name of the file with the checksum of each other file, as `sha256sum -c` reads it. */
const SUMS = "SHA256SUMS";

/** A release as it came out. */
export interface Release {
  /** The names of its files. */
  readonly files: readonly string[];
  /** The programs that could not be made, by the name of their platform, and why. */
  readonly missing: ReadonlyMap<string, string>;
}

/**
 * Writes a release into a folder, emptied first: a program for each platform, the npm package's tarball, and their checksums. Needs
 * `bun` and its `bun install`, `deno`, `npm` and `tar`. Throws Error when the package cannot be made, and for a folder with other
 * files in it, which is then as it was.
 */
export async function releaseInto(
  folder: string,
  targets: readonly Target[],
): Promise<Release> {
  const target = resolve(folder);
  checkReplaceable(target, {
    output: "the release",
    isOurs: (names) => names.every((name) => name === SUMS || name.startsWith("caliban-")),
  });
  const work = mkdtempSync(join(tmpdir(), "caliban-release-"));
  try {
    const out = join(work, "out");
    mkdirSync(out);
    await writeTarball(out, work);
    const missing = writePrograms(out, targets);
    writeSums(out);
    replaceFolder(target, { by: out });
    return { files: readdirSync(target).toSorted(), missing };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The file of a platform: `caliban-0.2.0-linux-x64`. */
export function programName({ name, ending }: Target): string {
  return `caliban-${VERSION}-${name}${ending}`;
}

/** Writes the program of each platform into a folder, and answers which could not be made, and why. */
export function writePrograms(out: string, targets: readonly Target[]): Release["missing"] {
  const missing = new Map<string, string>();
  for (const target of targets) {
    const work = mkdtempSync(join(tmpdir(), "caliban-runtime-"));
    const file = join(out, programName(target));
    try {
      const runtime = fetchRuntime(target, work);
      compileInto(file, { target: target.bun, runtime });
      if (target.bun.startsWith("bun-darwin-")) mendSignature(file, target);
    } catch (error) {
      rmSync(file, { force: true });
      missing.set(target.name, error instanceof Error ? error.message : String(error));
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  return missing;
}

/** Bun leaves its own signature in a program for macOS on x64, where it is wrong: the system would stop it, and starts one without. */
function mendSignature(file: string, { needsSignature }: Target): void {
  const bytes = readFileSync(file);
  if (machSignature(bytes) === "valid") return;
  if (needsSignature) throw new Error("its signature is invalid, and the system would stop it");
  writeFileSync(file, withoutSignature(bytes));
}

async function writeTarball(out: string, work: string): Promise<void> {
  const npm = join(work, "npm");
  await packInto(npm);
  execFileSync("npm", ["pack", npm, `--pack-destination=${out}`, "--loglevel=error"], {
    cwd: work,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** Writes the checksum of each file of a folder into the folder. */
export function writeSums(folder: string): void {
  const lines = readdirSync(folder).toSorted().map((name) => {
    const hash = createHash("sha256").update(readFileSync(join(folder, name))).digest("hex");
    return `${hash}  ${name}\n`;
  });
  writeFileSync(join(folder, SUMS), lines.join(""));
}
