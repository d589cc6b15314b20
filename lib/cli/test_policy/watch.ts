import { findPolicyLocation } from "../../io/load/policy_location.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { reportFailure } from "../errors/failure.ts";
import { policyOptions } from "../input/open_policy.ts";
import type { Invocation } from "../args/verb.ts";

/** The polling interval, in ms. */
const PAUSE = 300;

/** The file queries of a run, which can be repeated. */
class Seen {
  readonly #runtime: Runtime;
  readonly #texts = new Map<string, string>();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** The runtime, which from then on remembers what is asked. */
  runtime(): Runtime {
    const runtime = this.#runtime;
    return {
      ...runtime,
      readText: (path, most) => this.#remembered(path, () => runtime.readText(path, most)),
      stat: (path) => this.#remembered(path, () => runtime.stat(path)),
      isThere: (path) => this.#remembered(path, () => runtime.isThere(path)),
    };
  }

  /** True if anything that was asked has another answer now. */
  hasChanged(): boolean {
    return [...this.#texts].some(([path, before]) => this.#stateOf(path) !== before);
  }

  #remembered<T>(path: string, ask: () => T): T {
    if (!this.#texts.has(path)) this.#texts.set(path, this.#stateOf(path));
    return ask();
  }

  /** The entry at a path: a file's text, else its kind. */
  #stateOf(path: string): string {
    try {
      const kind = this.#runtime.stat(path);
      return kind === "file" ? `file ${this.#runtime.readText(path)}` : `${kind}`;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return `cannot be read: ${error.message}`;
    }
  }
}

/** The options of `watch`. */
export interface WatchOptions {
  readonly runtime: Runtime;
  /** The paths of all test files there are, as one text. */
  listing(): Promise<string>;
}

/**
 * Runs again whenever a file that the last run read, or the list of test files, is another. Ends only with the process, or
 * when the output is closed.
 */
export async function watch(
  run: (runtime: Runtime) => Promise<number>,
  { runtime, listing }: WatchOptions,
): Promise<number> {
  while (true) {
    if (runtime.isTerminal("stdout")) await runtime.write("stdout", "\x1b[2J\x1b[3J\x1b[H");
    const seen = new Seen(runtime);
    const files = await listed(listing);
    await run(seen.runtime()).catch((error) =>
      reportFailure(error, { argv: [], runtime, verbs: [] })
    );
    if (!await runtime.write("stderr", "Waiting for changes; press Ctrl-C to stop\n")) return 0;
    do await pause(); while (!seen.hasChanged() && await listed(listing) === files);
  }
}

/** The listing; the run itself reports a failure to read it. */
async function listed(listing: () => Promise<string>): Promise<string> {
  try {
    return await listing();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return error.message;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE));
}

/** Gives the paths of all test files that the line means, as one text. */
export function listingFor(invocation: Invocation, runtime: Runtime): () => Promise<string> {
  const { absolute } = pathStyle(runtime.platform);
  const named = invocation.operands.map((word) => absolute(word, runtime.cwd()));
  return async () => {
    // Loads the Node layer, which a bundle has in files of its own.
    const { findTestFiles, testFilesBelow } = await import("../../io/load/find_test_files.ts");
    const paths = named.length > 0
      ? named.flatMap((path) => runtime.stat(path) === "directory" ? testFilesBelow(path) : [path])
      : findTestFiles(findPolicyLocation(runtime, policyOptions(invocation)).workspace);
    return paths.join("\n");
  };
}
