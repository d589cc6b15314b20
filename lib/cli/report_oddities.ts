import type { LoadedPolicy } from "../io/load_policy.ts";
import type { Runtime } from "../io/runtime.ts";
import { problemText } from "../report/problem_text.ts";
import { visible } from "../report/visible.ts";
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
    const place = `${visible(source.path)}:${source.line}:${source.column}:`;
    await runtime.write(
      "stderr",
      `${color.bold(place)} ${color.yellow("note:")} ${visible(message)}\n`,
    );
  }
}
