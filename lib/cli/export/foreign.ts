import { rulesOfFile } from "../../agents/convert/conversion.ts";
import { formatNamed } from "../../agents/convert/registry.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { Format } from "../../agents/convert/format.ts";
import type { Loss } from "../../model/loss.ts";
import type { PolicyFile } from "../../model/settings.ts";
import { lossJson } from "../../report/loss_text.ts";
import { toolProfiles } from "../../policy/compile/profiles.ts";
import { EXIT } from "../exit_status.ts";
import { hasFlag } from "../invocation.ts";
import { mayMeet } from "../../policy/edit/may_meet.ts";
import { reportLosses } from "../report_losses.ts";
import type { Invocation } from "../verb.ts";
import { writeJson } from "../write_json.ts";

/** What no other agent undoes. */
const SPELLINGS =
  "A deny is found there only as it is written: sudo rm, /bin/rm and git -C . push are other commands to it";

/** Prints a policy in another agent's format. Throws RangeError for a format that is not there. */
export async function exportForeign(
  file: PolicyFile,
  { format: word, invocation, runtime }: {
    format: string;
    invocation: Invocation;
    runtime: Runtime;
  },
): Promise<number> {
  const format = formatNamed(word);
  if (format === undefined) throw new RangeError(`There is no format ${word}`);
  const profiles = toolProfiles(new Map([...file.tools].map(([name, { value }]) => [name, value])));
  const { rules, losses: ended } = rulesOfFile(file);
  const { text, losses: written } = format.write(rules, {
    profiles,
    settings: file.settings,
    hooks: file.hooks ?? [],
    mayMeet: (first, stricter) => mayMeet(first, { stricter, profiles }),
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
    detail: "hooks are not written in that format",
  }));
}
