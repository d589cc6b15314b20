import type { LoadedPolicy } from "../io/load/load_policy.ts";
import type { Runtime } from "../io/runtime/runtime.ts";
import { labelled } from "../report/layout.ts";
import { pathText } from "../report/place_text.ts";
import { problemText } from "../report/problem_text.ts";
import { visible } from "../text/visible.ts";
import { chooseColor } from "./choose_color.ts";
import { flagValue } from "./invocation.ts";
import type { Invocation } from "./verb.ts";

/** Says on stderr what is odd in the files of a policy, and what of them did not count. */
export async function reportOddities(
  policy: LoadedPolicy,
  { invocation, runtime, tell }: {
    invocation: Invocation;
    runtime: Runtime;
    tell: "all" | "problems";
  },
): Promise<void> {
  const color = chooseColor(runtime, { flag: flagValue(invocation, "color"), stream: "stderr" });
  for (const problem of policy.warnings) {
    await runtime.write("stderr", problemText(problem, { color }));
  }
  if (tell === "problems") return;
  for (const { message, source } of policy.sources.notices) {
    const place = `${pathText(source.path, policy.facts)}:${source.line}:${source.column}:`;
    const lines = labelled(visible(message), {
      text: `${place} note:`,
      painted: `${color.bold(place)} ${color.yellow("note:")}`,
      indent: "note: ".length,
    });
    await runtime.write("stderr", lines.join("\n") + "\n");
  }
}
