import type { Runtime } from "../../io/runtime/runtime.ts";
import type { Policy } from "../../policy/compile/policy.ts";
import { type KeptCall, KeptCalls } from "../../suggest/kept_calls.ts";
import type { RecordedCall } from "../../suite/replay_calls.ts";
import { isExact } from "../../suite/replay_exact.ts";
import { startProgress } from "../progress.ts";
import { recordFiles, replayLines } from "../replay/lines.ts";
import { warn } from "../warn.ts";

/** Unreadable lines that are named; of more, the number. */
const NAMED = 5;

/** What is read, and for which policy. */
export interface PassOptions {
  /** The names on the command line; none for the audit log. */
  readonly names: readonly string[];
  /** The policy. */
  readonly policy: Policy;
  /** The machine. */
  readonly runtime: Runtime;
}

/** What the first reading of all records came to. */
export interface FirstPass {
  /** What came from standard input, as far as it fits in memory. */
  readonly kept: KeptCalls;
  /** Calls that are not whole, and were passed over. */
  readonly inexact: number;
  /** Lines that cannot be read. */
  readonly badLines: number;
}

/** Takes a call that is recorded, or the same one several times. */
export type TakeCall = (recorded: KeptCall) => void;

/** Reads all records once and says on stderr which lines cannot be read. Throws FileError. */
export async function firstPass(options: PassOptions, take: TakeCall): Promise<FirstPass> {
  const { runtime } = options;
  const kept = new KeptCalls();
  const seen = await readAll(options, (recorded, name) => {
    if (name === "-") kept.add(recorded);
    take(recorded);
  });
  for (const message of seen.named) await warn(runtime, { message });
  const more = seen.badLines - NAMED;
  if (more > 0) {
    await warn(runtime, {
      message: `Cannot read ${more === 1 ? "1 more line" : `${more} more lines`}`,
    });
  }
  return { kept, inexact: seen.inexact, badLines: seen.badLines };
}

/** Reads the files again; of standard input comes what was kept. Throws FileError. */
export async function nextPass(
  options: PassOptions & Pick<FirstPass, "kept">,
  take: TakeCall,
): Promise<void> {
  for (const recorded of options.kept.calls) take(recorded);
  const names = options.names.filter((name) => name !== "-");
  if (names.length === 0 && options.names.length > 0) return;
  await readAll({ ...options, names }, take);
}

interface Seen {
  readonly inexact: number;
  readonly badLines: number;
  /** What is wrong with the first of them. */
  readonly named: readonly string[];
}

async function readAll(
  { names, policy, runtime }: PassOptions,
  take: (recorded: KeptCall, name: string | undefined) => void,
): Promise<Seen> {
  const { files, part } = await recordFiles(names, runtime);
  const progress = startProgress(runtime, { noun: "lines", part });
  const named: string[] = [];
  let [lines, inexact, badLines] = [0, 0, 0];
  try {
    for (const [at, file] of files.entries()) {
      for await (const line of replayLines([file])) {
        await progress.tick(++lines);
        if (line.kind === "bad") {
          if (badLines++ < NAMED) named.push(`Cannot read "${line.place}": ${line.detail}`);
        } else if (line.kind === "calls") {
          for (const recorded of line.calls) {
            if (isExact(recorded, policy)) take(keptOf(recorded), names[at]);
            else inexact++;
          }
        }
      }
    }
  } finally {
    await progress.clear();
  }
  return { inexact, badLines, named };
}

function keptOf({ call, refused }: RecordedCall): KeptCall {
  return refused ? { call, times: 1, answer: "refused" } : { call, times: 1 };
}
