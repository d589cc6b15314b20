import type { AutoMode } from "../../gate/auto/opinion.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Decision } from "../../model/decision.ts";
import { explainJson } from "../../report/explain/explain_json.ts";
import { explainMermaid } from "../../report/explain/explain_mermaid.ts";
import { explainText } from "../../report/explain/explain_text.ts";
import type { Explanation, RemedyReport } from "../../report/explanation.ts";
import { chooseColor } from "../choose_color.ts";
import { flagEffects, warnOfDangers } from "../dangers.ts";
import { decideUnder } from "../decide_under.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { openFor } from "../policy_flags.ts";
import { readCall, toolName } from "../read_call.ts";
import { type Start, startOf } from "../start_mode.ts";
import type { Invocation } from "../verb.ts";

/** Explains one call. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const format = formatOf(invocation);
  const tool = toolName(invocation.operands[0] ?? "");
  const tell = format === "text" ? "problems" : "all";
  const loaded = await openFor(invocation, runtime, { tell });
  const start = startOf(loaded.policy, { invocation, runtime });
  await warnOfDangers(start, runtime);
  const auto = start.asksModel
    ? await (await import("../open_auto.ts")).openAuto(loaded, { invocation, runtime })
    : undefined;
  const { profiles } = loaded.policy;
  const words = { tool, input: invocation.operands[1], cwd: flagValue(invocation, "cwd") };
  const call = await readCall(words, { profiles, runtime });
  const explanation = await explain(call, { loaded, start, auto, invocation, runtime });
  const color = chooseColor(runtime, { flag: flagValue(invocation, "color"), stream: "stdout" });
  await runtime.write("stdout", written(explanation, { format, color }));
  return EXIT.ok;
}

type Format = "text" | "json" | "mermaid";

function formatOf(invocation: Invocation): Format {
  const format = flagValue(invocation, "format") as Format | undefined;
  if (!hasFlag(invocation, "json")) return format ?? "text";
  if (format !== undefined && format !== "json") {
    throw new UsageError(`--json and --format ${format} exclude each other`);
  }
  return "json";
}

function written(
  explanation: Explanation,
  { format, color }: { format: Format; color: Parameters<typeof explainText>[1] },
): string {
  switch (format) {
    case "text":
      return explainText(explanation, color);
    case "json":
      return JSON.stringify(explainJson(explanation), null, 2) + "\n";
    case "mermaid":
      return explainMermaid(explanation);
  }
}

interface Explained {
  readonly loaded: LoadedPolicy;
  readonly start: Start;
  readonly auto: AutoMode | undefined;
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

async function explain(call: ToolCall, explained: Explained): Promise<Explanation> {
  const { loaded, start, auto } = explained;
  const verdict = loaded.evaluate(call, { trace: "full" });
  const decision = await decideUnder(verdict, { policy: loaded.policy, start, auto });
  return {
    call,
    cwd: call.cwd ?? loaded.facts.cwd,
    decision,
    sources: loaded.sources,
    ...(start.from === undefined ? {} : { modeFrom: start.from }),
    flags: flagEffects(start),
    remedy: await remedyFor(call, { ...explained, decision }),
    folders: loaded.facts,
  };
}

/** Loaded only now, for it reads and edits files as `add` does. */
async function remedyFor(
  call: ToolCall,
  { loaded, start, invocation, runtime, decision }: Explained & { readonly decision: Decision },
): Promise<RemedyReport | null> {
  const [{ findRemedy }, { remedyCommand }, { addingFor }] = await Promise.all([
    import("../../suggest/remedy.ts"),
    import("../next_command.ts"),
    import("../adding_for.ts"),
  ]);
  const adding = addingFor(loaded, runtime);
  const { verdict } = decision;
  const { mode } = start.options;
  const remedy = findRemedy(loaded.policy, { call, verdict, adding, now: runtime.now(), mode });
  const workspace = flagValue(invocation, "workspace");
  return remedy && { ...remedy, command: remedyCommand(remedy, { workspace }) };
}
