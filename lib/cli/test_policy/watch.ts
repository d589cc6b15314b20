import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { reportFailure } from "../report_failure.ts";

/** How often is looked for changes, in ms. */
const PAUSE = 300;

/** What a run asked of the files, and how to ask again. */
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
      readText: (path) => this.#remembered(path, () => runtime.readText(path)),
      stat: (path) => this.#remembered(path, () => runtime.stat(path)),
      isThere: (path) => this.#remembered(path, () => runtime.isThere(path)),
    };
  }

  /** Whether anything that was asked has another answer now. */
  hasChanged(): boolean {
    return [...this.#texts].some(([path, before]) => this.#stateOf(path) !== before);
  }

  #remembered<T>(path: string, ask: () => T): T {
    if (!this.#texts.has(path)) this.#texts.set(path, this.#stateOf(path));
    return ask();
  }

  /** What stands at a path: a file's text, else of what kind it is. */
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

/** How a run is watched. */
export interface WatchOptions {
  /** Where it runs. */
  readonly runtime: Runtime;
  /** The paths of all test files there are, as one text. */
  listing(): Promise<string>;
}

/**
 * Runs again whenever a file that the last run read, or the list of test files, is another. Ends only with the process, or
 * when nobody reads what is printed.
 */
export async function watch(
  run: (runtime: Runtime) => Promise<number>,
  { runtime, listing }: WatchOptions,
): Promise<number> {
  while (true) {
    if (runtime.isTerminal("stdout")) await runtime.write("stdout", "\x1b[2J\x1b[3J\x1b[H");
    const seen = new Seen(runtime);
    const files = await listed(listing);
    await run(seen.runtime()).catch((error) => reportFailure(error, { argv: [], runtime }));
    if (!await runtime.write("stderr", "Waiting for changes; Ctrl-C ends it\n")) return 0;
    do await pause(); while (!seen.hasChanged() && await listed(listing) === files);
  }
}

/** The listing; that it cannot be read is told by the run itself. */
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
