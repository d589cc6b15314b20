import { codeOf } from "../../io/runtime/file_fault.ts";
import { ownProgram } from "../../io/runtime/own_program.ts";
import { FileError, LoadError, type Runtime } from "../../io/runtime/runtime.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { SourceError } from "../../policy/sources/source.ts";
import { InputError, UsageError, WriteError } from "./errors.ts";

/** A part of caliban, or a package that it needs, could not be loaded. */
export class InstallationError extends Error {
  /** The next step, one sentence. */
  readonly hint: string;

  /** `message` is one sentence without a final full stop. */
  constructor(
    message: string,
    { hint, cause }: { readonly hint: string; readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.name = "InstallationError";
    this.hint = hint;
  }
}

/** The errors that have a cause outside of caliban. */
const FORESEEN = [
  UsageError,
  SourceError,
  InputError,
  PolicyError,
  WriteError,
  LoadError,
  FileError,
];

/**
 * The error itself, or an InstallationError where caliban is broken rather than wrong: a module or package that cannot be
 * loaded, or, behind any other unforeseen error, a file of the bundle that is not as it was built.
 */
export async function withInstallation(error: unknown, runtime: Runtime): Promise<unknown> {
  const isForeseen = FORESEEN.some((each) => error instanceof each);
  if (isForeseen && !isAboutBundle(error, runtime)) return error;
  const damage = await damageOf(runtime, error);
  if (damage !== undefined) return damage;
  return error instanceof Error && codeOf(error) === "ERR_MODULE_NOT_FOUND"
    ? notLoaded(error)
    : error;
}

/** Throws InstallationError if a file of the running bundle is missing or damaged, before a hook gets a copy of it. */
export async function requireWhole(runtime: Runtime): Promise<void> {
  const damage = await damageOf(runtime);
  if (damage !== undefined) throw damage;
}

async function damageOf(runtime: Runtime, cause?: unknown): Promise<InstallationError | undefined> {
  const damaged = await damagedFile(runtime);
  if (damaged === undefined) return undefined;
  const message = `Cannot run caliban: its file "${damaged}" is missing or damaged`;
  return new InstallationError(message, { hint: AGAIN, cause });
}

/** True for an error about a file of the running bundle. */
function isAboutBundle(error: unknown, runtime: Runtime): boolean {
  if (!(error instanceof FileError)) return false;
  const { form, folder } = ownProgram(runtime);
  return form === "bundle" && error.path.startsWith(`${folder}/`);
}

const AGAIN = "Install caliban again";

const NETWORK =
  "Deno fetches a package at its first use. With a company's certificate set DENO_TLS_CA_STORE=system, or " +
  "SSL_CERT_FILE to that certificate's file; behind a proxy set HTTPS_PROXY. Without a network use a bundle (deno task bundle), which needs no package";

const PACKAGES =
  "Install the packages: bun install --frozen-lockfile, or npm install, in the folder of caliban";

/** The failure to load a module or package. Runtimes have one code for all of them, so their sentence says which. */
function notLoaded(error: Error): InstallationError {
  const { text, deepest } = partsOf(error.message);
  const fetched = /npm package '([^']+)'/.exec(text)?.[1];
  if (fetched !== undefined) {
    const message = `Cannot fetch the package "${fetched}": ${deepest}`;
    return new InstallationError(message, { hint: NETWORK, cause: error });
  }
  const isPackage = /find package|not a dependency/.test(text);
  const message = `Cannot load a part of caliban: ${text}`;
  return new InstallationError(message, { hint: isPackage ? PACKAGES : AGAIN, cause: error });
}

/** The colours of a terminal, as a runtime writes them into its own messages. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

/** A runtime's message without colours, hints, code and places: its first line, and the last of the causes that it lists. */
export function partsOf(message: string): { readonly text: string; readonly deepest: string } {
  const plain = message.replaceAll(COLOURS, "").trim();
  const [line = ""] = plain.split("\n");
  const text = line.replace(/\s+at file:\S+:\d+:\d+\s*$/, "").trim();
  const causes = [...plain.matchAll(/^\s+\d+: (.+)$/gm)].map(([, cause]) => cause!);
  return { text, deepest: causes.at(-1) ?? text };
}

/** The path of the first file of the bundle that is missing or not as it was built; undefined if all are, or it is unknown. */
async function damagedFile(runtime: Runtime): Promise<string | undefined> {
  const { form, folder } = ownProgram(runtime);
  if (form !== "bundle") return undefined;
  const pathOf = (name: string) => `${folder}/${name}`;
  try {
    const { CHECKSUMS } = await import("./checksums.ts");
    for (const [name, sum] of Object.entries(CHECKSUMS)) {
      if (await sumOf(runtime, pathOf(name)) !== sum) return pathOf(name);
    }
    return undefined;
  } catch (error) {
    // A file that may not be read is no damage; the list itself is a file of the bundle.
    return error instanceof FileError ? undefined : pathOf("checksums.js");
  }
}

/** The checksum of a file; undefined if it is missing or no text. */
async function sumOf(runtime: Runtime, path: string): Promise<string | undefined> {
  try {
    return await runtime.sha256(runtime.readText(path));
  } catch (error) {
    if (
      error instanceof FileError && ["not-found", "not-a-file", "not-utf8"].includes(error.fault)
    ) {
      return undefined;
    }
    throw error;
  }
}
