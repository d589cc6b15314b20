/** A person at a pseudo-terminal: reads what is shown, and types. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { type Place, start } from "./process.ts";

/** A running command on a terminal of 80 columns. */
export class PtySession {
  /** Everything that was shown so far. */
  shown = "";
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<number | string>;
  #changed = () => {};

  /** Starts a command (its words). */
  constructor(words: readonly string[], place: Place) {
    const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
    const script = ["script", "-qefc", `stty cols 80 rows 24; ${line}; stty -a`, "/dev/null"];
    this.#child = start(script, { ...place, env: { TERM: "xterm-256color", ...place.env } });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.shown += text;
        this.#changed();
      });
    }
    this.#ended = new Promise((resolve) =>
      this.#child.on("close", (status, signal) => {
        resolve(status ?? `${signal}`);
        this.#changed();
      })
    );
  }

  /** Waits until that is shown after what this waited for before; throws Error after ten seconds. */
  async until(text: string): Promise<void> {
    const deadline = Date.now() + 10_000;
    while (true) {
      const at = this.shown.indexOf(text, this.#seen);
      if (at >= 0) {
        this.#seen = at + text.length;
        return;
      }
      if (Date.now() > deadline) {
        this.#child.kill("SIGKILL");
        throw new Error(`Never shown: "${text}", but\n${JSON.stringify(this.shown)}`);
      }
      await Promise.race([
        new Promise<void>((resolve) => this.#changed = resolve),
        new Promise((go) => setTimeout(go, 1000)),
      ]);
    }
  }
  #seen = 0;

  /** Types after a moment, as people do. */
  async type(text: string, after = 300): Promise<void> {
    await new Promise((go) => setTimeout(go, after));
    this.#child.stdin.write(text);
  }

  /** Hangs up: there is no more input. */
  hangUp(): void {
    this.#child.stdin.end();
  }

  /** The exit status, once the command has ended. */
  ended(): Promise<number | string> {
    return this.#ended;
  }
}
