import { LONGEST_MESSAGE } from "../../gate/mcp/read_message.ts";
import type { Relay } from "../../gate/mcp/relay.ts";
import type { ServerProcess, ServerProcesses } from "../../io/process/server_process.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { byteLines } from "../../text/byte_lines.ts";
import { EXIT } from "../errors/errors.ts";
import { readAhead } from "./read_ahead.ts";

/** Writes whole lines to standard output, one after the other, while other work goes on. */
export class LineWriter {
  readonly #writeOut: ServerProcesses["writeOut"];
  readonly #broken: () => void;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #written = 0;

  /** Calls `broken` for each line that no reader takes. */
  constructor(
    { writeOut }: Pick<ServerProcesses, "writeOut">,
    { broken }: { readonly broken: () => void },
  ) {
    this.#writeOut = writeOut;
    this.#broken = broken;
  }

  /** The number of parts that were written; undefined while no line waits. */
  get progress(): number | undefined {
    return this.#waiting === 0 ? undefined : this.#written;
  }

  send(line: string): void {
    this.#waiting++;
    this.#last = this.#last.then(() => this.#write(line));
  }

  /** Resolves when all lines are written. */
  async flushed(): Promise<void> {
    await this.#last;
  }

  async #write(line: string): Promise<void> {
    const bytes = new TextEncoder().encode(`${line}\n`);
    let isRead = true;
    for (let at = 0; isRead && at < bytes.length; at += PART) {
      isRead = await this.#writeOut(bytes.subarray(at, at + PART)).catch(() => false);
      this.#written++;
    }
    this.#waiting--;
    if (!isRead) this.#broken();
  }
}

/** The bytes that are written at once: a reader that takes them is there. */
const PART = 64 * 1024;

/** The time that a server has to end when its client is gone, in ms: with requests to read or to answer, and without. */
const LAST_MS = { open: 10_000, none: 1_500 } as const;

/** The time to read the rest of a server that has ended, in ms: what it has started may keep its output open. */
const REST_MS = 1_000;

/** The time that a client that has ended its input, or asked to end, may leave the output unread, in ms. */
const UNREAD_MS = 5_000;

interface Relaying {
  readonly process: ServerProcess;
  readonly writer: LineWriter;
  readonly runtime: Pick<Runtime, "stdin">;
  readonly signals: EndSignals;
}

/** The signals that ask this process to end, heard from before the server starts: none of them may leave it behind. */
export class EndSignals {
  /** Stops listening. */
  readonly cancel: () => void;
  #status: number | undefined;
  #listener: ((status: number) => void) | undefined;

  constructor(onSignals: ServerProcesses["onSignals"]) {
    this.cancel = onSignals((status) => {
      this.#status ??= status;
      this.#listener?.(status);
    });
  }

  /** Calls a listener with the exit status for a signal, at once for one that has come. */
  listen(listener: (status: number) => void): void {
    this.#listener = listener;
    if (this.#status !== undefined) listener(this.#status);
  }
}

/** Passes lines on in both directions until the server has ended; the exit status. */
export async function relayed(
  relay: Relay,
  { process, writer, runtime, signals }: Relaying,
): Promise<number> {
  let status: number | undefined;
  const endWith = (given: number) => {
    status ??= given;
    process.stop();
  };
  signals.listen(endWith);
  let failure: { readonly error: unknown } | undefined;
  const rest = fromServer(relay, { process, writer }).catch((error: unknown) => {
    failure = { error };
    process.stop();
  });
  void fromClient(relay, { process, writer, runtime, ended: () => status ??= EXIT.ok });
  try {
    const own = await process.ended;
    await flushed(rest, { writer, isEnding: () => status !== undefined });
    if (failure !== undefined) throw failure.error;
    return status ?? own;
  } finally {
    signals.cancel();
  }
}

/** Waits for the rest of a server's output, and until the client has read it; for a client that is ending only while it reads. */
async function flushed(
  rest: Promise<void>,
  { writer, isEnding }: { readonly writer: LineWriter; readonly isEnding: () => boolean },
): Promise<void> {
  let isDone = false;
  const over = (all: Promise<void>) => all.then(() => writer.flushed()).then(() => isDone = true);
  let done = over(rest);
  let before: number | undefined;
  for (let [read, unread] = [0, 0]; !isDone && !(isEnding() && unread >= UNREAD_MS);) {
    await Promise.race([done, after(LOOK_MS)]);
    const { progress } = writer;
    unread = progress !== undefined && progress === before ? unread + LOOK_MS : 0;
    before = progress;
    // A process that the server has started may keep its output open.
    if (unread === 0 && (read += LOOK_MS) === REST_MS) done = over(Promise.resolve());
  }
}

async function fromServer(
  relay: Relay,
  { process, writer }: Pick<Relaying, "process" | "writer">,
): Promise<void> {
  for await (const line of byteLines(process.output, { longest: LONGEST_MESSAGE })) {
    await relay.fromServer(line);
    await writer.flushed();
  }
}

async function fromClient(
  relay: Relay,
  { process, writer, runtime, ended }: Pick<Relaying, "process" | "writer" | "runtime"> & {
    readonly ended: () => void;
  },
): Promise<void> {
  const { chunks, ended: clientEnded } = readAhead(runtime.stdin());
  let isDelivered = false;
  const delivered = (async () => {
    for await (const line of byteLines(chunks, { longest: LONGEST_MESSAGE })) {
      relay.fromClient(line);
      await Promise.all([process.drained(), writer.flushed()]);
    }
    await clientEnded;
    await relay.clientEnded();
    process.endInput();
    isDelivered = true;
  })().catch(() => process.stop());
  await clientEnded;
  ended();
  let isOver = false;
  const over = process.ended.then(() => void (isOver = true));
  const end = async (isLate: (ms: number) => boolean, early: Promise<void>) => {
    for (let ms = 0; !isOver && !isLate(ms); ms += LOOK_MS) {
      await Promise.race([over, early, after(LOOK_MS)]);
    }
  };
  await end((ms) => isDelivered || ms >= LAST_MS.open, delivered);
  await end(
    (ms) => !isDelivered || ms >= (relay.isWaiting ? LAST_MS.open : LAST_MS.none),
    over,
  );
  if (!isOver) process.stop();
}

const LOOK_MS = 100;

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
