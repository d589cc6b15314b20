import { loadFormat } from "../../agents/formats/format_registry.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { exportableRules, type Format } from "../../agents/convert/format.ts";
import type { Loss } from "../../model/problem.ts";
import type { PolicyFile } from "../../model/rule.ts";
import { lossJson } from "../../report/loss_text.ts";
import { toolProfiles } from "../../policy/compile/profiles.ts";
import { EXIT } from "../errors/errors.ts";
import { mayOverlap } from "../../policy/edit/may_overlap.ts";
import { reportLosses } from "../output/print_losses.ts";
import { hasFlag, type Invocation } from "../args/verb.ts";
import { writeJson } from "../output/print.ts";

/** The caveat for every format: no other agent normalises a command line. */
const SPELLINGS =
  "There a deny matches only the exact spelling: sudo rm, /bin/rm and git -C . push are different commands";

/** Prints a policy in another agent's format. Throws RangeError for a format that is not there. */
export async function exportForeign(
  file: PolicyFile,
  { format: word, invocation, runtime }: {
    format: string;
    invocation: Invocation;
    runtime: Runtime;
  },
): Promise<number> {
  const format = await loadFormat(word);
  if (format === undefined) throw new RangeError(`Unknown format ${word}`);
  const profiles = toolProfiles(new Map([...file.tools].map(([name, { value }]) => [name, value])));
  const { rules, losses: ended } = exportableRules(file);
  const { text, losses: written } = format.write(rules, {
    profiles,
    settings: file.settings,
    hooks: file.hooks ?? [],
    mayOverlap: (first, stricter) => mayOverlap(first, { stricter, profiles }),
  });
  const losses = [...ended, ...written, ...hookLosses(file, format)];
  const caveat = `${format.title}: ${format.caveat}. ${SPELLINGS}`;
  await reportLosses({ format, losses, caveat }, { invocation, runtime });
  if (hasFlag(invocation, "json")) {
    await writeJson(runtime, { format: format.name, text, losses: losses.map(lossJson) });
  } else await runtime.write("stdout", text);
  return EXIT.ok;
}

/** Hooks are commands of this policy, that another agent's file has no place for or calls in another way. */
function hookLosses({ hooks = [] }: PolicyFile, { keepsHooks }: Format): readonly Loss[] {
  if (keepsHooks) return [];
  return hooks.map(({ event, command }) => ({
    kind: "widened",
    subject: `hooks.${event}: ${command.value}`,
    detail: "that format has no hooks",
  }));
}
