import type { Runtime } from "../../io/runtime/runtime.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import { type KeptCall, KeptCalls } from "../../suggest/recorded_calls.ts";
import { isExact, type RecordedCall } from "../../suite/replay_calls.ts";
import { readRecords, recordFiles, type RecordsRead } from "../input/call_records.ts";
import { warn } from "../output/print.ts";

/** The records to read, and the policy to decide them with. */
export interface PassOptions {
  /** The names on the command line; none for the audit log. */
  readonly names: readonly string[];
  readonly policy: CompiledPolicy;
  readonly runtime: Runtime;
}

/** The result of the first reading of all records. */
export interface FirstPass {
  /** The calls from standard input, as far as they fit in memory. */
  readonly kept: KeptCalls;
  /** Calls that are not whole, and were passed over. */
  readonly inexact: number;
  /** Lines that cannot be read. */
  readonly badLines: number;
}

/** Takes a call that is recorded, or the same one several times. */
export type TakeCall = (recorded: KeptCall) => void;

/** Reads all records once and prints the unreadable lines on stderr. Throws FileError. */
export async function firstPass(options: PassOptions, take: TakeCall): Promise<FirstPass> {
  const { runtime } = options;
  const kept = new KeptCalls();
  const { inexact, read } = await readAll(options, (recorded, name) => {
    if (name === "-") kept.add(recorded);
    take(recorded);
  });
  for (const message of read.warnings) await warn(runtime, { message });
  return { kept, inexact, badLines: read.bad };
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

interface PassResult {
  readonly inexact: number;
  readonly read: RecordsRead;
}

async function readAll(
  { names, policy, runtime }: PassOptions,
  take: (recorded: KeptCall, name: string | undefined) => void,
): Promise<PassResult> {
  let inexact = 0;
  const read = await readRecords(await recordFiles(names, runtime), {
    runtime,
    take(recorded, index) {
      if (isExact(recorded, policy)) take(keptOf(recorded), names[index]);
      else inexact++;
    },
  });
  return { inexact, read };
}

function keptOf({ call, refused }: RecordedCall): KeptCall {
  return refused ? { call, times: 1, answer: "refused" } : { call, times: 1 };
}
