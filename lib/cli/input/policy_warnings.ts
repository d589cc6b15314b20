import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { labelled } from "../../report/layout.ts";
import { pathText } from "../../report/place_text.ts";
import { problemText } from "../../report/problem_text.ts";
import { visible } from "../../text/visible.ts";
import { colorFor } from "../output/choose_color.ts";
import type { Invocation } from "../args/verb.ts";

/** The most warnings before a decision; a person reads no more. */
const MOST_WARNINGS = 20;

/** Prints the problems of a policy's files on stderr, and the parts that have no effect. */
export async function printPolicyWarnings(
  policy: LoadedPolicy,
  { invocation, runtime, tell }: {
    invocation: Invocation;
    runtime: Runtime;
    tell: "all" | "problems";
  },
): Promise<void> {
  const color = colorFor(invocation, runtime, "stderr");
  for (const problem of policy.warnings.slice(0, MOST_WARNINGS)) {
    await runtime.write("stderr", problemText(problem, { color }));
  }
  const more = policy.warnings.length - MOST_WARNINGS;
  if (more > 0) await runtime.write("stderr", `and ${more} more warnings: caliban perms lint\n`);
  if (tell === "problems") return;
  for (const { message, source } of policy.sources.notices) {
    const place = `${pathText(source.path, policy.location)}:${source.line}:${source.column}:`;
    const lines = labelled(visible(message), {
      text: `${place} note:`,
      painted: `${color.bold(place)} ${color.yellow("note:")}`,
      indent: "note: ".length,
    });
    await runtime.write("stderr", lines.join("\n") + "\n");
  }
}
