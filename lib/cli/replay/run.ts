import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import { rememberedLooks } from "../../io/load/remembered_looks.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { defaultMode, modeNamed } from "../../decide/modes.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import type { ReplaySummary } from "../../report/suite/replay_summary.ts";
import { isWorkspaceFile } from "../../policy/sources/entry_text.ts";
import { Replay } from "../../suite/replay.ts";
import { callCommand } from "../output/call_notes.ts";
import { styleFor } from "../output/choose_color.ts";
import { EXIT } from "../errors/errors.ts";
import { openPolicyFor, policyOptions, trusting } from "../input/open_policy.ts";
import {
  compileSides,
  openScene,
  readSide,
  shareLocal,
  type Side,
} from "../input/policy_operand.ts";
import { formatName, printReport } from "../output/print_report.ts";
import { REPLAY_FORMATS } from "../../report/formats.ts";
import { readRecords, recordFiles } from "../input/call_records.ts";
import { flagValue, type Invocation } from "../args/verb.ts";
import { warn } from "../output/print.ts";

/** Decides recorded calls again, and prints what was counted. */
export async function run(given: Invocation, runtime: Runtime): Promise<number> {
  const invocation = trusting(given);
  const looks = rememberedLooks(runtime);
  const loaded = await openPolicyFor(invocation, looks.runtime);
  const other = await otherPolicy(loaded, { invocation, runtime });
  const mode = modeNamed(flagValue(invocation, "permission-mode") ?? "default") ?? defaultMode;
  const replay = new Replay({
    policy: loaded.policy,
    ...(other === undefined ? {} : { against: other }),
    mode,
    now: runtime.now(),
  });
  const records = await recordFiles(invocation.operands, runtime);
  looks.rememberBriefly();
  const { warnings, ...read } = await readRecords(records, {
    runtime,
    take: (call) => replay.add(call),
  });
  for (const message of warnings) await warn(runtime, { message });
  const against = flagValue(invocation, "against");
  const summary: ReplaySummary = {
    report: replay.report(),
    read,
    ...(against === undefined ? {} : { against }),
    mode: mode.name,
    folders: loaded.location,
    command: (call) => callCommand(call, loaded.policy.profiles),
  };
  const [format, style] = [formatName(invocation), styleFor(invocation, runtime)];
  await printReport(summary, { formats: REPLAY_FORMATS, format, style, runtime });
  return read.bad > 0 ? EXIT.badInput : EXIT.ok;
}

interface Other {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

/** The policy of `--against`, in the surroundings of the one in force; without the rules of the line. */
async function otherPolicy(
  loaded: LoadedPolicy,
  { invocation, runtime }: Other,
): Promise<CompiledPolicy | undefined> {
  const name = flagValue(invocation, "against");
  if (name === undefined) return undefined;
  const { policy, location, sources } = loaded;
  const shared = await openScene(runtime, { ...policyOptions(invocation), cli: [], rules: [] });
  const own = sources.entries.filter(({ kind }) => isWorkspaceFile(kind));
  const scene = { ...shared, location, context: policy.context };
  const side = await readSide(name, { runtime, scene });
  const [local, project] = (["local", "project"] as const)
    .map((kind) => own.find((entry) => entry.kind === kind)!);
  const here: Side = {
    kind: "workspace",
    folder: location.workspace,
    local: local!,
    project: project!,
  };
  const { sides } = await shareLocal([side, here], { runtime, scene });
  return compileSides([[name, sides[0]]], scene)[0]!.policy;
}
