import type { AutoMode } from "../gate/auto/opinion.ts";
import { openAutoMode } from "../io/load/load_auto_mode.ts";
import type { LoadedPolicy } from "../io/load/load_policy.ts";
import type { Runtime } from "../io/runtime/runtime.ts";
import { placeText } from "../report/place_text.ts";
import { problemText } from "../report/problem_text.ts";
import { chooseColor } from "./choose_color.ts";
import { flagValue, hasFlag } from "./invocation.ts";
import { policyOptions } from "./policy_flags.ts";
import type { Invocation } from "./verb.ts";
import { warn } from "./warn.ts";

/** Loads auto mode as the flags of a command line say, and tells on stderr what of its files is odd or does not count. */
export async function openAuto(
  policy: LoadedPolicy,
  { invocation, runtime }: { invocation: Invocation; runtime: Runtime },
): Promise<AutoMode> {
  const { off = [], trust } = policyOptions(invocation);
  const config = flagValue(invocation, "auto-mode-config");
  const { mode, warnings, settings } = await openAutoMode(runtime, {
    policy,
    off,
    state: hasFlag(invocation, "disable-auto-mode") ? "off" : "on",
    ...(trust && { trust }),
    ...(config === undefined ? {} : { config }),
  });
  const color = chooseColor(runtime, { flag: flagValue(invocation, "color"), stream: "stderr" });
  for (const each of warnings) await runtime.write("stderr", problemText(each, { color }));
  for (const { message, source } of settings.notices) {
    const place = placeText(source, policy.facts);
    await warn(runtime, { label: "note:", message: `${message} (${place})` });
  }
  return mode;
}
