import type { AutoMode } from "../../gate/auto/opinion.ts";
import { openAutoMode } from "../../io/load/load_auto_mode.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { placeText } from "../../report/place_text.ts";
import { problemText } from "../../report/problem_text.ts";
import { colorFor } from "../output/choose_color.ts";
import { policyOptions } from "./open_policy.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { warn } from "../output/print.ts";

interface Opening {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
  /** True if its model may be asked; else only its lists count. */
  readonly isAsked: boolean;
}

/** Loads auto mode by the flags of a command line, and prints problems of its files and ignored settings on stderr. */
export async function openAutoModeFor(
  policy: LoadedPolicy,
  { invocation, runtime, isAsked }: Opening,
): Promise<AutoMode> {
  const { off = [], trust } = policyOptions(invocation);
  const config = flagValue(invocation, "auto-mode-config");
  const { mode, warnings, settings } = await openAutoMode(runtime, {
    policy,
    off,
    state: hasFlag(invocation, "disable-auto-mode") ? "off" : "on",
    ...(trust && { trust }),
    ...(config === undefined ? {} : { config }),
    ...(isAsked ? {} : { classifier: () => Promise.resolve(undefined) }),
  });
  const color = colorFor(invocation, runtime, "stderr");
  for (const each of warnings) await runtime.write("stderr", problemText(each, { color }));
  for (const { message, source } of settings.notices) {
    const place = placeText(source, policy.location);
    await warn(runtime, { label: "note:", message: `${message} (${place})` });
  }
  return mode;
}
