import type { Ruling } from "../../gate/mcp/server_gate.ts";
import { type WatchedReads, watchedReads } from "../../io/load/watched_reads.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { Invocation } from "../args/verb.ts";
import { openPolicyFor } from "../input/open_policy.ts";
import { modeSettings, warnOfDangerousFlags } from "../input/start_mode.ts";

interface Read {
  readonly reads: WatchedReads;
  /** The ruling, or the error in its place; the promise of either. */
  readonly ruling: Promise<Ruling>;
}

/** Returns a function that opens the policy when it is first called, and again when a file of it has changed. */
export function rulingFor(invocation: Invocation, runtime: Runtime): () => Promise<Ruling> {
  let last: Read | undefined;
  return () => {
    if (last === undefined || !last.reads.isSame()) {
      const reads = watchedReads(runtime);
      const ruling = opened(invocation, reads.runtime).finally(() => reads.end());
      ruling.catch(() => {});
      last = { reads, ruling };
    }
    return last.ruling;
  };
}

async function opened(invocation: Invocation, runtime: Runtime): Promise<Ruling> {
  const policy = await openPolicyFor(invocation, runtime);
  const start = modeSettings(policy.policy, { invocation, runtime });
  await warnOfDangerousFlags(start, runtime);
  const { name: mode, asksModel } = start.options.mode;
  if (!asksModel) return { policy, mode };
  const { openAutoModeFor } = await import("../input/open_auto_mode.ts");
  return {
    policy,
    mode,
    auto: await openAutoModeFor(policy, { invocation, runtime, isAsked: false }),
  };
}
