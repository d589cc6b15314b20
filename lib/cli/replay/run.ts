import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { modeNamed } from "../../decide/modes/registry.ts";
import { defaultMode } from "../../decide/modes/default.ts";
import type { Policy } from "../../policy/compile/policy.ts";
import type { ReadLines, ToldReplay } from "../../report/suite/replay_told.ts";
import { isWorkspaceFile } from "../../policy/sources/entry_text.ts";
import { Replay } from "../../suite/replay.ts";
import { callCommand } from "../call_command.ts";
import { chooseColor } from "../choose_color.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { openFor, policyOptions } from "../policy_flags.ts";
import { compileSides, openScene, readSide, shareLocal, type Side } from "../policy_operand.ts";
import { startProgress } from "../progress.ts";
import { type RecordFiles, recordFiles, replayLines } from "./lines.ts";
import type { Invocation } from "../verb.ts";
import { warn } from "../warn.ts";

/** Unreadable lines that are named; of more, the number. */
const NAMED = 5;

/** Decides recorded calls again, and prints what was counted. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const loaded = await openFor(invocation, runtime);
  const other = await otherPolicy(loaded, { invocation, runtime });
  const mode = modeNamed(flagValue(invocation, "permission-mode") ?? "default") ?? defaultMode;
  const replay = new Replay({
    policy: loaded.policy,
    ...(other === undefined ? {} : { against: other }),
    mode,
    now: runtime.now(),
  });
  const records = await recordFiles(invocation.operands, runtime);
  const read = await replayAll(replay, { records, runtime });
  const against = flagValue(invocation, "against");
  const told: ToldReplay = {
    report: replay.report(),
    read,
    ...(against === undefined ? {} : { against }),
    mode: mode.name,
    folders: loaded.facts,
    command: (call) => callCommand(call, loaded.policy.profiles),
  };
  await runtime.write("stdout", await textOf(told, { invocation, runtime }));
  return read.bad > 0 ? EXIT.badInput : EXIT.ok;
}

interface Replaying {
  readonly records: RecordFiles;
  readonly runtime: Runtime;
}

async function replayAll(replay: Replay, { records, runtime }: Replaying): Promise<ReadLines> {
  const progress = startProgress(runtime, { noun: "lines", part: records.part });
  const named: string[] = [];
  let [lines, passed, bad] = [0, 0, 0];
  try {
    for await (const line of replayLines(records.files)) {
      lines++;
      if (line.kind === "calls") { for (const call of line.calls) replay.add(call); }
      else if (line.kind === "passed") passed++;
      else if (bad++ < NAMED) named.push(`Cannot read "${line.place}": ${line.detail}`);
      await progress.tick(lines);
    }
  } finally {
    await progress.clear();
  }
  for (const message of named) await warn(runtime, { message });
  if (bad > NAMED) {
    const rest = bad - NAMED === 1 ? "1 more line" : `${bad - NAMED} more lines`;
    await warn(runtime, { message: `Cannot read ${rest}` });
  }
  return { lines, passed, bad };
}

interface Other {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

/** The policy of `--against`, in the surroundings and under the trust of the one in force; without the rules of the line. */
async function otherPolicy(
  loaded: LoadedPolicy,
  { invocation, runtime }: Other,
): Promise<Policy | undefined> {
  const name = flagValue(invocation, "against");
  if (name === undefined) return undefined;
  const { policy, facts, sources } = loaded;
  const shared = await openScene(runtime, { ...policyOptions(invocation), cli: [], rules: [] });
  const own = sources.entries.filter(({ kind }) => isWorkspaceFile(kind));
  const trusted = hasFlag(invocation, "trust") || own.some(({ trusted }) => trusted);
  const scene = {
    ...shared,
    facts,
    context: policy.context,
    trust: trusted ? "given" : "none",
  } as const;
  const side = await readSide(name, { runtime, scene });
  const [local, project] = (["local", "project"] as const)
    .map((kind) => own.find((entry) => entry.kind === kind)!);
  const here: Side = {
    kind: "workspace",
    folder: facts.workspace,
    local: local!,
    project: project!,
  };
  const { sides } = await shareLocal([side, here], { runtime, scene });
  return compileSides([[name, sides[0]]], scene)[0]!.policy;
}

async function textOf(told: ToldReplay, { invocation, runtime }: Other): Promise<string> {
  if (hasFlag(invocation, "json")) {
    return (await import("../../report/suite/replay_json.ts")).replayJson(told);
  }
  const { replayText } = await import("../../report/suite/replay_text.ts");
  const color = chooseColor(runtime, { flag: flagValue(invocation, "color"), stream: "stdout" });
  return replayText(told, color);
}
