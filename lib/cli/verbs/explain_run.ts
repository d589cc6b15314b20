import { decide, type DecideOptions } from "../../engine/decide.ts";
import type { LoadedPolicy } from "../../io/load_policy.ts";
import type { Runtime } from "../../io/runtime.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Verdict } from "../../model/verdict.ts";
import { explainJson } from "../../report/explain_json.ts";
import { explainMermaid } from "../../report/explain_mermaid.ts";
import { explainText } from "../../report/explain_text.ts";
import type { Explanation, RemedyReport } from "../../report/explanation.ts";
import { chooseColor } from "../choose_color.ts";
import { flagEffects, warnOfDangers } from "../dangers.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { openFor } from "../policy_flags.ts";
import { readCall, toolName } from "../read_call.ts";
import { decideOptions } from "../start_mode.ts";
import type { Invocation } from "../verb.ts";

/** Explains one call. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const format = formatOf(invocation);
  const tool = toolName(invocation.operands[0] ?? "");
  const tell = format === "text" ? "problems" : "all";
  const loaded = await openFor(invocation, runtime, { tell });
  const options = decideOptions(loaded.policy, { invocation, runtime });
  await warnOfDangers(options, runtime);
  const { profiles } = loaded.policy;
  const words = { tool, input: invocation.operands[1], cwd: flagValue(invocation, "cwd") };
  const call = await readCall(words, { profiles, runtime });
  const explanation = await explain(call, { loaded, options, invocation, runtime });
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
  readonly options: DecideOptions;
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

async function explain(call: ToolCall, explained: Explained): Promise<Explanation> {
  const { loaded, options } = explained;
  const verdict = loaded.evaluate(call, { trace: "full" });
  return {
    call,
    cwd: call.cwd ?? loaded.facts.cwd,
    decision: decide(loaded.policy, verdict, options),
    sources: loaded.sources,
    flags: flagEffects(options),
    remedy: await remedyFor(call, { ...explained, verdict }),
    folders: loaded.facts,
  };
}

/** Loaded only now, for it reads and edits files as `add` does. */
async function remedyFor(
  call: ToolCall,
  { loaded, invocation, runtime, verdict }: Explained & { readonly verdict: Verdict },
): Promise<RemedyReport | null> {
  const [{ findRemedy }, { remedyCommand }, { addingFor }] = await Promise.all([
    import("../../suggest/remedy.ts"),
    import("../next_command.ts"),
    import("../adding_for.ts"),
  ]);
  const adding = addingFor(loaded, runtime);
  const remedy = findRemedy(loaded.policy, { call, verdict, adding, now: runtime.now() });
  const workspace = flagValue(invocation, "workspace");
  return remedy && { ...remedy, command: remedyCommand(remedy, { workspace }) };
}
