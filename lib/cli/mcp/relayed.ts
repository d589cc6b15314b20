import { LONGEST_MESSAGE } from "../../gate/mcp/read_message.ts";
import type { Relay } from "../../gate/mcp/relay.ts";
import type { ServerProcess, ServerProcesses } from "../../io/process/server_process.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { byteLines } from "../../text/byte_lines.ts";
import { EXIT } from "../errors/errors.ts";
import { readAhead } from "./read_ahead.ts";

/** Writes whole lines to standard output, one after the other. */
export class LineWriter {
  readonly #runtime: Pick<Runtime, "write">;
  readonly #broken: () => void;
  #last: Promise<void> = Promise.resolve();

  /** `broken` is called for each line that nobody reads. */
  constructor(runtime: Pick<Runtime, "write">, { broken }: { readonly broken: () => void }) {
    this.#runtime = runtime;
    this.#broken = broken;
  }

  send(line: string): void {
    this.#last = this.#last.then(() => this.#write(line));
  }

  /** Resolves when all lines are written. */
  async flushed(): Promise<void> {
    await this.#last;
  }

  async #write(line: string): Promise<void> {
    const isRead = await this.#runtime.write("stdout", `${line}\n`).catch(() => false);
    if (!isRead) this.#broken();
  }
}

/** The time that a server has to end when its client is gone, in ms: with requests to read or to answer, and without. */
const LAST_MS = { open: 10_000, none: 1_500 } as const;

/** The time to read the rest of a server that has ended, in ms: what it has started may keep its output open. */
const REST_MS = 1_000;

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
  void fromClient(relay, { process, runtime, ended: () => status ??= EXIT.ok });
  try {
    const own = await process.ended;
    await Promise.race([rest, after(REST_MS)]);
    await writer.flushed();
    if (failure !== undefined) throw failure.error;
    return status ?? own;
  } finally {
    signals.cancel();
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
  { process, runtime, ended }: Pick<Relaying, "process" | "runtime"> & {
    readonly ended: () => void;
  },
): Promise<void> {
  const { chunks, ended: clientEnded } = readAhead(runtime.stdin());
  let isDelivered = false;
  const delivered = (async () => {
    for await (const line of byteLines(chunks, { longest: LONGEST_MESSAGE })) {
      relay.fromClient(line);
      await process.drained();
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
