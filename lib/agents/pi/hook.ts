import { pluginHook } from "../hook/plugin_form.ts";

/** The protocol of our own extension in pi. */
export const hook = pluginHook({ agent: "pi", event: "tool_call" });
