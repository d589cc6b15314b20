import { pluginHook } from "../hook/plugin_form.ts";

/** The protocol of our own plugin in Kilo, which runs opencode's plugins. */
export const hook = pluginHook({ agent: "kilo", event: "tool.execute.before" });
